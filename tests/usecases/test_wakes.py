"""How often a tournament is woken: Step Functions is the largest part of what AWS costs."""

import random
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

import pytest

from tests.usecases.table import MINUTE, Table
from wordle_tools.simulation import Habits
from wordle_tournament.adapters.memory_outside import RoundClock, Timer
from wordle_tournament.rules.ids import DuelId

STATES_A_WAKE = 3
"""Wait, Tick and IsOver; one more, Over, ends each clock."""


class WatchedTable(Table):
    """A table that counts how often each timer wakes."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.wakes: Counter[Timer] = Counter()

    def wake(self, timer: Timer) -> datetime | None:
        self.wakes[timer] += 1
        return super().wake(timer)


@dataclass(frozen=True)
class Played:
    """A tournament that is over: its rounds, its clocks and what those went through."""

    rounds: int
    clocks: list[Timer]
    transitions: int


@pytest.fixture(scope="module")
def tournaments() -> list[Played]:
    """Tournaments of players who take their time to think."""
    return [play(WatchedTable(seed), random.Random(seed), Habits()) for seed in range(15)]


def test_every_round_has_one_clock(tournaments: list[Played]) -> None:
    """One start a round, none a turn."""
    for played in tournaments:
        assert len(played.clocks) == played.rounds
        assert all(isinstance(clock, RoundClock) for clock in played.clocks)


def test_a_median_tournament_takes_at_most_210_transitions(tournaments: list[Played]) -> None:
    """A clock sleeps until the earliest thing that can be due, not until every deadline."""
    assert 100 < median(played.transitions for played in tournaments) <= 210


def play(table: WatchedTable, chance: random.Random, habits: Habits) -> Played:
    """Play a tournament to its end, and its clocks to theirs."""
    somebody, *_ = table.eight()
    tournament = table.tournament(somebody)
    guesses_at: dict[tuple[DuelId, int], datetime] = {}
    while not tournament.over:
        running = [duel for duel in table.duels(somebody) if duel.deadline is not None]
        for duel in running:
            thinking = timedelta(seconds=chance.uniform(habits.fastest, habits.slowest))
            guesses_at.setdefault((duel.id, duel.turn), table.clock.now() + thinking)
        if running:
            duel = min(running, key=lambda one: guesses_at[one.id, one.turn])
            table.pass_time(guesses_at[duel.id, duel.turn] - table.clock.now())
            (table.solve if chance.random() < habits.solving else table.miss)(duel)
        else:
            wake_at = table.timers.next_wake()
            assert wake_at is not None
            table.pass_time(wake_at - table.clock.now())
        tournament = table.tournament(somebody)
    table.pass_time(MINUTE)
    assert table.timers.waiting == {}
    return Played(
        rounds=tournament.round,
        clocks=table.timers.started,
        transitions=STATES_A_WAKE * table.wakes.total() + len(table.wakes),
    )
