"""Tournaments of equal players, played with nothing but the rules: thousands in a minute (R1.6)."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product

from wordle_tournament.rules import duel as duels
from wordle_tournament.rules import tournament as tournaments
from wordle_tournament.rules.duel import Duel, Ending, Guess, Outcome
from wordle_tournament.rules.ids import PlayerId, TournamentId
from wordle_tournament.rules.lobby import SEATS
from wordle_tournament.rules.tournament import (
    Deal,
    Entrant,
    MoveDuels,
    Pace,
    Settle,
    Tournament,
)

_PACE = Pace()
_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
_ANSWERS = {
    length: tuple("".join(word) for word in product("aeimnorst", repeat=length))[:50]
    for length in (4, 5, 6)
}


@dataclass(frozen=True, slots=True)
class Habits:
    """How everybody plays: the chance that a guess solves, and the seconds that one takes."""

    solving: float = 0.22
    fastest: float = 8
    slowest: float = 28


@dataclass(frozen=True, slots=True)
class Course:
    """What a tournament came to: `winners` share the first place; it `lasted` to its end."""

    rounds: int
    duels: int
    draws: int
    turns: int
    winners: int
    changes: tuple[int, ...]
    lasted: timedelta


def play_tournament(chance: random.Random, habits: Habits) -> Course:
    """Play one tournament from its first intro to its last place."""
    entrants = tuple(Entrant(PlayerId(f"p{seat}"), f"P {seat}", 1000) for seat in range(SEATS))
    tournament = Tournament(TournamentId("t"), "en", entrants, started_at=_BEGINNING)
    now = _BEGINNING
    draws = turns = 0
    deal = tournaments.begin(
        tournament, now, pace=_PACE, chance=chance, answers=_ANSWERS.__getitem__
    )
    while True:
        played, now = _play_round(deal, chance, habits)
        turns += sum(len(duel.rows) for duel in played)
        draws += sum(duel.ending == Ending(Outcome.DRAW) for duel in played)
        step = tournaments.advance(deal.tournament, played, now, _PACE)
        assert isinstance(step, Settle)
        tournament = tournaments.apply_all(deal.tournament, step.events)
        if tournament.over:
            break
        deal = tournaments.deal_round(
            tournament, now, pace=_PACE, chance=chance, answers=_ANSWERS.__getitem__
        )
    return Course(
        rounds=tournament.round,
        duels=len(tournament.words),
        draws=draws,
        turns=turns,
        winners=sum(entrant.place == 1 for entrant in tournament.entrants),
        changes=tuple(one.change for one in tournament.entrants if one.change is not None),
        lasted=now - _BEGINNING,
    )


def simulate(count: int, seed: int, habits: Habits) -> Iterator[Course]:
    """Play `count` tournaments; the same seed plays the same ones."""
    chance = random.Random(seed)
    return (play_tournament(chance, habits) for _ in range(count))


def _play_round(
    deal: Deal, chance: random.Random, habits: Habits
) -> tuple[Sequence[Duel], datetime]:
    """Play all duels of a round at the same time; it ends when the last one ends."""
    intro_ends_at = deal.tournament.intro_ends_at
    assert intro_ends_at is not None
    opening = tournaments.advance(deal.tournament, deal.duels, intro_ends_at, _PACE)
    assert isinstance(opening, MoveDuels)
    started = [duels.apply_all(duel, events) for duel, events in opening.moves]
    played = [_play_duel(duel, intro_ends_at, chance, habits) for duel in started]
    return [duel for duel, _ in played], max(ended_at for _, ended_at in played)


def _play_duel(
    duel: Duel, now: datetime, chance: random.Random, habits: Habits
) -> tuple[Duel, datetime]:
    answers = _ANSWERS[len(duel.word)]
    wrong = answers[0] if duel.word != answers[0] else answers[1]
    while not duel.over:
        now += timedelta(seconds=chance.uniform(habits.fastest, habits.slowest))
        word = duel.word if chance.random() < habits.solving else wrong
        guess = Guess(duel.player_of(duel.turn), duel.turn, word, received_at=now)
        events = duels.decide_guess(
            duel, guess, now, turn_time=_PACE.turn, allows=answers.__contains__
        )
        duel = duels.apply_all(duel, events)
    return duel, now
