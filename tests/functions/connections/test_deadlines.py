"""Guesses around the deadline, handled late, and clocks that come early, twice or late (R3.8)."""

from datetime import timedelta

import pytest

from tests.functions.connections.lambda_table import LambdaTable
from tests.usecases.invariants import check_followers
from tests.usecases.table import MINUTE, MS, NEVER_HIDDEN, SECOND, Client, code_of
from wordle_tournament.adapters.memory_outside import RoundClock
from wordle_tournament.ports import messages
from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.refusals import Refusal


def guess(client: Client, duel: Duel, after: timedelta, late: timedelta = timedelta()) -> None:
    """Play the first turn some time after it began; the function runs `late` after the receipt."""
    assert duel.deadline is not None
    received_at = duel.deadline - 30 * SECOND + after
    client.table.clock.set(received_at + late)
    client.guess(duel.id, 1, NEVER_HIDDEN[len(duel.word)], received_at)


@pytest.mark.parametrize("after", [29_900 * MS, 30_000 * MS], ids=["29.9 s", "30.000 s"])
@pytest.mark.parametrize("late", [0 * SECOND, 5 * SECOND], ids=["at once", "5 s late"])
def test_a_guess_received_in_time_counts_however_late_it_is_handled(
    table: LambdaTable,
    duel: Duel,
    on_turn: Client,
    opponent: Client,
    after: timedelta,
    late: timedelta,
) -> None:
    """R3.8: a cold start costs nobody time; the next turn has its 30 s from when it is told."""
    guess(on_turn, duel, after, late)
    (told,) = opponent.all_heard(messages.GuessMade)
    assert duel.deadline is not None
    assert told.received_at == duel.deadline - 30 * SECOND + after
    assert told.next is not None
    assert told.next.deadline == table.clock.now() + 30 * SECOND
    check_followers(table)


@pytest.mark.parametrize("late", [0 * SECOND, 5 * SECOND], ids=["at once", "5 s late"])
def test_a_guess_received_a_millisecond_after_the_deadline_is_told_so(
    table: LambdaTable, duel: Duel, on_turn: Client, late: timedelta
) -> None:
    """R3.8: at 30.001 s, also while nobody has skipped the turn; what counts is the receipt."""
    before = table.everything()
    with pytest.raises(Refusal) as refused:
        guess(on_turn, duel, 30_001 * MS, late)
    assert (refused.value.code, refused.value.details) == ("deadline_passed", {"lateByMs": 1})
    assert table.everything() == before


def test_a_guess_received_in_time_and_handled_after_the_skip_has_lost_its_turn(
    table: LambdaTable, duel: Duel, on_turn: Client
) -> None:
    """R3.8: the skip waits a second for messages in flight, and then stands."""
    assert duel.deadline is not None
    clock = RoundClock(duel.tournament, 1, table.clock.now())
    table.clock.set(duel.deadline + SECOND - MS)
    table.wake(clock)
    assert table.duel(on_turn).rows == ()
    table.clock.advance(MS)
    table.wake(clock)
    assert table.duel(on_turn).rows == (None,)
    assert code_of(lambda: guess(on_turn, duel, 30 * SECOND, 2 * SECOND)) == "stale_turn"
    check_followers(table)


@pytest.mark.parametrize("skip_first", [True, False])
def test_a_guess_and_the_skip_of_its_turn_at_the_same_instant_are_one_row(
    table: LambdaTable, duel: Duel, on_turn: Client, skip_first: bool
) -> None:
    """R3.8: whichever is written first; the other loses the condition and looks again."""
    clock = RoundClock(duel.tournament, 1, table.clock.now())
    outcomes: list[str] = []

    def rival(_: object) -> None:
        table.store.before_commit = None
        if skip_first:
            table.wake(clock)
        else:
            guess(on_turn, duel, 30 * SECOND, SECOND)

    assert duel.deadline is not None
    table.clock.set(duel.deadline + SECOND)
    table.store.before_commit = rival
    if skip_first:
        outcomes.append(code_of(lambda: guess(on_turn, duel, 30 * SECOND, SECOND)))
    else:
        table.wake(clock)
    (row,) = table.duel(on_turn).rows
    assert outcomes == (["stale_turn"] if skip_first else [])
    assert (row is None) == skip_first
    check_followers(table)


def test_a_clock_one_second_early_changes_nothing_and_waits_again(
    table: LambdaTable, duel: Duel
) -> None:
    """R3.8: to the next whole second after the settling time, never before it."""
    assert duel.deadline is not None
    due = duel.deadline + SECOND
    table.clock.set(due - SECOND)
    before = table.everything()
    again_at = table.wake(RoundClock(duel.tournament, 1, table.clock.now()))
    assert again_at is not None
    assert due <= again_at < due + SECOND
    assert table.everything() == before


def test_a_clock_that_comes_twice_skips_one_turn(
    table: LambdaTable, duel: Duel, opponent: Client
) -> None:
    """R3.3, R3.8"""
    table.clock.advance(31 * SECOND)
    for _ in range(2):
        table.wake(RoundClock(duel.tournament, 1, table.clock.now()))
    assert [stored.rows for stored in table.duels(opponent)] == [(None,)] * 4
    assert len(opponent.all_heard(messages.TurnSkipped)) == 1
    check_followers(table)


@pytest.mark.parametrize("by_sweep", [False, True], ids=["clock", "sweep"])
def test_a_clock_ten_minutes_late_skips_one_turn_and_gives_the_next_its_30_seconds(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client, by_sweep: bool
) -> None:
    """R3.2, R3.8: no turn is skipped that could not be played."""
    table.clock.advance(10 * MINUTE)
    if by_sweep:
        table.sweep()
    else:
        table.wake(RoundClock(duel.tournament, 1, table.clock.now()))
    for stored in table.duels(on_turn):
        assert stored.rows == (None,)
        assert stored.deadline == table.clock.now() + 30 * SECOND
    table.miss(table.duel(opponent))
    assert on_turn.all_heard(messages.GuessMade)[-1].turn == 2
    check_followers(table)


def test_a_guess_received_in_time_counts_while_its_clock_is_ten_minutes_late(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R3.8: and the late clock finds a turn that has time left."""
    guess(on_turn, duel, 30 * SECOND, 10 * MINUTE)
    table.wake(RoundClock(duel.tournament, 1, table.clock.now()))
    (row,) = table.duel(on_turn).rows
    assert row is not None
    assert opponent.all_heard(messages.TurnSkipped) == []
    check_followers(table)
