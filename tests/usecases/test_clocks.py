"""Clocks that are lost, late, early or doubled, and the sweep."""

from functools import partial

import pytest

from tests.usecases.instruments import Crash
from tests.usecases.invariants import check_followers, play_out
from tests.usecases.table import (
    MINUTE,
    MS,
    SECOND,
    Table,
    crash_after,
    once,
)
from wordle_tournament.adapters.memory_outside import RoundClock
from wordle_tournament.ports import messages
from wordle_tournament.ports.store import save


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_clock_that_never_started_is_replaced_by_the_sweep(table: Table) -> None:
    """R1.3: the process died between the commit of the eighth seat and the start of the clock."""
    for client in table.several("abcdefg"):
        client.join()
    eighth = table.client("h")
    table.steps.taken.clear()
    table.steps.before = crash_after(table, "commit")
    with pytest.raises(Crash):
        eighth.join()
    table.steps.before = None
    assert table.timers.waiting == {}
    assert table.tournament(eighth).round == 1
    table.pass_time(MINUTE + 6 * SECOND, sweeping=True)
    assert table.duel(eighth).deadline is not None
    assert len(table.timers.started) == 1
    play_out(table)


def test_timers_that_cannot_be_started_lose_no_tournament(table: Table) -> None:
    """R1.2: the sweep alone brings it to its end, late but by the rules."""
    table.timers.failing = True
    table.eight()
    play_out(table)


def test_a_sweep_leaves_alone_what_its_clock_still_looks_after(table: Table) -> None:
    """R3.8: five seconds late is lost, less is not."""
    first, *_ = table.eight()
    before = table.everything()
    table.clock.advance(11 * SECOND)
    table.sweep()
    assert table.everything() == before
    table.clock.advance(MS)
    table.sweep()
    assert table.everything() != before
    resting = table.tournament(first)
    assert resting.wake_at is not None
    assert RoundClock(resting.id, 1, resting.wake_at) in table.timers.started


def test_a_tournament_restored_from_a_backup_gets_each_of_its_clocks_anew(table: Table) -> None:
    """R1.2: the sweep finds the round that ran; those after it have their own, as in their time."""
    first, *_ = table.eight()
    for duel in table.open_round(first):
        table.solve(duel)
    backup = table.everything()
    play_out(table)
    rounds = table.tournament(first).round

    table.store.restore(backup)
    table.sweep()

    assert table.tournament(first).round == 2
    swept_at = table.clock.now()
    table.pass_time(30 * MINUTE)
    assert table.tournament(first).over
    anew = [
        clock
        for clock in table.timers.started
        if isinstance(clock, RoundClock) and clock.first_wake > swept_at
    ]
    assert [clock.round_number for clock in anew] == [*range(2, table.tournament(first).round + 1)]
    assert len(anew) > 1
    assert rounds > 2


def test_a_sweep_that_meets_a_tick_goes_on_to_the_next_tournament(table: Table) -> None:
    """R1.2: somebody who brings one tournament on keeps the sweep from no other."""
    first, *_ = table.eight()
    busy = table.tournament(first).id
    others = table.several("abcdefgh")
    for client in others:
        client.join()
    table.clock.advance(20 * SECOND)

    def always(changes: object) -> None:
        stored = table.store.tournament(busy)
        assert stored is not None
        for duel in table.store.duels(busy, 1):
            table.store.play(duel, duel)
        table.store.commit(save(stored, stored))

    table.store.before_commit = always
    table.sweep()
    table.store.before_commit = None
    assert table.duel(first).version == 0
    assert table.duel(others[0]).version == 1


def test_two_ticks_at_the_same_instant_start_each_duel_once(table: Table) -> None:
    """R1.2, R3.2"""
    first, *_ = table.eight()
    table.clock.advance(6 * SECOND)
    tournament = table.tournament(first).id
    table.store.before_commit = once(table, partial(table.tick, tournament))
    table.tick(tournament)
    for client in table.clients:
        assert len(client.all_heard(messages.DuelStarted)) == 1
    assert [duel.version for duel in table.duels(first)] == [1, 1, 1, 1]
    check_followers(table)


def test_the_clock_of_an_old_round_ends_without_waking_anything(table: Table) -> None:
    """R1.2: a round has a clock of its own."""
    first, *_ = table.eight()
    (clock,) = table.timers.waiting
    for duel in table.open_round(first):
        table.solve(duel)
    assert table.tournament(first).round == 2
    before = table.everything()
    assert table.wake(clock) is None
    assert table.everything() == before


def test_a_wake_up_that_comes_early_waits_again(table: Table) -> None:
    """R3.8: a second early, it tells when to come again and changes nothing."""
    table.eight()
    (clock,) = table.timers.waiting
    table.clock.advance(5 * SECOND)
    before = table.everything()
    again_at = table.wake(clock)
    assert again_at == table.clock.now() + SECOND
    assert table.everything() == before


def test_a_wake_up_that_comes_twice_skips_one_turn(table: Table) -> None:
    """R3.3"""
    first, *_ = table.eight()
    duel, *_ = table.open_round(first)
    table.clock.advance(31 * SECOND)
    table.tick(duel.tournament)
    table.tick(duel.tournament)
    assert [stored.rows for stored in table.duels(first)] == [(None,)] * 4


def test_a_wake_up_ten_minutes_late_skips_one_turn_and_gives_the_next_its_time(
    table: Table,
) -> None:
    """R3.2, R3.8: nobody's turn is skipped that could not be played."""
    first, *_ = table.eight()
    duel, *_ = table.open_round(first)
    table.clock.advance(10 * MINUTE)
    table.tick(duel.tournament)
    for stored in table.duels(first):
        assert stored.rows == (None,)
        assert stored.deadline == table.clock.now() + 30 * SECOND
