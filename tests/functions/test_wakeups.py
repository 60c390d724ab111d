"""Timers and the sweep, as Step Functions and the schedule call them."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.functions.conftest import CONTEXT, Functions, Written
from tests.usecases.table import MINUTE, SECOND, Client
from wordle_tools.bench.functions import load_handler
from wordle_tournament.adapters.memory_outside import Grace, RoundClock
from wordle_tournament.entry.wakeups import WakeUpFailedError
from wordle_tournament.rules.ids import TournamentId

SECRET = "zaftig"


def wake(function: str, **state: object) -> Any:
    """Call the function of a timer with its state."""
    return load_handler(function)(state, CONTEXT)


def read_time(text: str) -> datetime:
    """Read a time as a Wait state does, which keeps no milliseconds."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


@pytest.fixture
def somebody(functions: Functions) -> Client:
    """A player of a tournament that has just begun."""
    return functions.table.eight()[0]


def test_the_clock_of_a_round_opens_it_and_tells_when_to_wake_next(
    functions: Functions, somebody: Client
) -> None:
    """R1.3: the next time is never before the earliest that is due."""
    tournament = functions.table.tournament(somebody)
    functions.table.clock.advance(6 * SECOND)
    state = wake("tick", tournamentId=tournament.id, round=1)
    deadlines = [duel.deadline for duel in functions.table.duels(somebody)]
    due = min(deadline for deadline in deadlines if deadline is not None) + SECOND
    assert not state["over"]
    assert (state["tournamentId"], state["round"]) == (tournament.id, 1)
    assert due <= read_time(state["wakeAt"]) < due + SECOND


def test_a_clock_that_wakes_early_waits_again(functions: Functions, somebody: Client) -> None:
    """A wait may drop milliseconds."""
    tournament = functions.table.tournament(somebody)
    before = functions.table.everything()
    state = wake("tick", tournamentId=tournament.id, round=1)
    assert not state["over"]
    assert functions.table.everything() == before


def test_the_clock_of_a_round_that_is_over_ends(functions: Functions, somebody: Client) -> None:
    tournament = functions.table.tournament(somebody)
    for duel in functions.table.open_round(somebody):
        functions.table.solve(duel)
    assert functions.table.tournament(somebody).round == 2
    assert wake("tick", tournamentId=tournament.id, round=1)["over"]


def test_the_clock_of_a_tournament_that_is_gone_ends(functions: Functions) -> None:
    assert wake("tick", tournamentId="nothing", round=1)["over"]


def test_the_end_of_a_grace_lets_the_player_go(functions: Functions, somebody: Client) -> None:
    """R7.2: sixty seconds after the loss."""
    somebody.disconnect()
    loss = somebody.stored().losses
    assert not wake("expireGrace", playerId=somebody.player, loss=loss)["over"]
    functions.table.clock.advance(MINUTE)
    assert wake("expireGrace", playerId=somebody.player, loss=loss)["over"]
    assert somebody.stored().seat is None


def test_the_grace_of_an_older_loss_ends_without_a_trace(
    functions: Functions, somebody: Client
) -> None:
    somebody.disconnect()
    loss = somebody.stored().losses
    somebody.come_back()
    functions.table.clock.advance(MINUTE)
    before = functions.table.everything()
    assert wake("expireGrace", playerId=somebody.player, loss=loss)["over"]
    assert functions.table.everything() == before


def test_the_sweep_ticks_what_nobody_has_woken(functions: Functions, somebody: Client) -> None:
    """R1.2: and gives it a new clock."""
    tournament = functions.table.tournament(somebody)
    (lost,) = functions.table.timers.waiting
    functions.table.timers.lose(lost)
    functions.table.clock.advance(MINUTE)
    rescued = load_handler("sweep")(functions.event("sweep"), CONTEXT)
    assert rescued == {"rescued": [tournament.id]}
    assert functions.table.duel(somebody).deadline is not None
    (clock,) = functions.table.timers.waiting
    assert clock == RoundClock(tournament.id, 1, functions.table.timers.waiting[clock])


def test_a_wake_up_deals_with_connections_that_it_found_gone(
    functions: Functions, somebody: Client
) -> None:
    """R7.2: a push that finds one gone is a goodbye."""
    somebody.vanish()
    tournament = functions.table.tournament(somebody)
    functions.table.clock.advance(6 * SECOND)
    wake("tick", tournamentId=tournament.id, round=1)
    assert somebody.stored().connection is None
    assert Grace(somebody.player, 1) in functions.table.timers.waiting


@pytest.mark.parametrize("function", ["tick", "expireGrace", "sweep"])
def test_a_wake_up_that_breaks_is_logged_once_and_tried_again_without_its_text(
    functions: Functions,
    somebody: Client,
    written: Written,
    monkeypatch: pytest.MonkeyPatch,
    function: str,
) -> None:
    """Lambda logs what is raised, and the timer's history keeps it."""

    def fail(*_: object) -> None:
        raise KeyError(SECRET)

    for step in ("tournament", "player", "overdue"):
        monkeypatch.setattr(functions.table.store, step, fail)
    state = {"tournamentId": TournamentId("t"), "round": 1, "playerId": "p", "loss": 1}
    with pytest.raises(WakeUpFailedError) as raised:
        wake(function, **state)
    assert str(raised.value) == f"{function}: KeyError"
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__
    text = written.read()
    assert SECRET not in text
    assert [json.loads(line).get("level") for line in text.splitlines()].count("ERROR") == 1


def test_a_tournament_that_breaks_keeps_no_other_from_being_rescued(
    functions: Functions, somebody: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sweep fails at the end, for its alarm, and names no more than the tournament."""
    table = functions.table
    broken = table.tournament(somebody).id
    others = table.several("abcdefgh")
    for client in others:
        client.join()
    load = table.store.duels

    def load_or_break(tournament: TournamentId, number: int) -> Any:
        if tournament == broken:
            raise RuntimeError(SECRET)
        return load(tournament, number)

    monkeypatch.setattr(table.store, "duels", load_or_break)
    table.clock.advance(20 * SECOND)
    with pytest.raises(WakeUpFailedError) as failure:
        wake("sweep")
    monkeypatch.undo()
    assert SECRET not in str(failure.value)
    assert table.duel(somebody).deadline is None
    assert table.duel(others[0]).deadline is not None
