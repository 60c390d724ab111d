"""Any two things at the same instant, and any one thing cut off at any point."""

from itertools import count

import pytest

from tests.usecases.instruments import READS, Crash
from tests.usecases.invariants import (
    check_everything,
    check_followers,
    check_pushes,
    play_out,
)
from tests.usecases.stories import STORIES, Action, action_names
from tests.usecases.table import MINUTE, Table
from wordle_tournament.rules.refusals import Refusal
from wordle_tournament.usecases.game import Superseded


@pytest.mark.parametrize(("story", "name"), action_names())
def test_whatever_comes_between_any_two_steps_the_game_holds(story: str, name: str) -> None:
    """R5.5, R6.4, R7.4, R8: each pair of actions, the second before every step of the first."""
    table = Table()
    actions = STORIES[story](table)
    check_pushes(table)
    bring_back = table.remember()
    for rival, act in actions.items():
        for number in count():
            bring_back()
            steps = _let_in(table, number, act)
            _attempt(actions[name])
            table.steps.before = None
            if number > len(table.steps.taken):
                break
            try:
                check_everything(table)
                check_followers(table)
            except AssertionError as error:
                error.add_note(f"{rival} came after {steps}")
                raise


@pytest.mark.parametrize("resent", [False, True], ids=["never sent again", "sent again"])
@pytest.mark.parametrize(("story", "name"), action_names())
def test_wherever_a_command_is_cut_off_the_tournament_goes_on_and_ends(
    story: str, name: str, resent: bool
) -> None:
    """R4, R5.5: crashes before and after every write, push and start of a timer; then only
    timers and the sweep go on, and perhaps the client sends its message again."""
    table = Table()
    actions = STORIES[story](table)
    bring_back = table.remember()
    for number in count():
        bring_back()
        if not _crash(table, number, actions[name]):
            break
        if set(table.steps.taken[-1:]) & READS:
            continue
        try:
            check_everything(table)
            if resent:
                _attempt(actions[name])
                check_everything(table)
            play_out(table)
        except AssertionError as error:
            error.add_note(f"it was cut off before step {number}")
            raise


@pytest.mark.parametrize(("story", "name"), action_names())
def test_what_is_done_twice_is_done_once(story: str, name: str) -> None:
    """R3.9, R5.5, R6.4: a message that is delivered again, at once or after a minute."""
    for pause in (0, 1):
        table = Table()
        actions = STORIES[story](table)
        _attempt(actions[name])
        table.pass_time(pause * MINUTE)
        _attempt(actions[name])
        check_everything(table)
        check_followers(table)
        play_out(table)
        check_followers(table)


def _attempt(action: Action) -> None:
    """Do something that may be refused because of what was done before."""
    try:
        action()
    except (Refusal, Superseded):
        return


def _let_in(table: Table, number: int, rival: Action) -> list[str]:
    """Let a rival in just before a step of what follows; the steps before it are listed."""
    steps: list[str] = []

    def before(taken: int) -> None:
        if taken == number:
            steps.extend(table.steps.taken)
            _attempt(rival)

    table.steps.before = before
    return steps


def _crash(table: Table, number: int, action: Action) -> bool:
    """Cut an action off before a step that changes or tells something; says whether it was."""

    def before(taken: int) -> None:
        if taken == number:
            raise Crash

    table.steps.before = before
    try:
        _attempt(action)
    except Crash:
        return True
    finally:
        table.steps.before = None
        table.game.lost.clear()
    return False
