"""How a bot thinks: which words are left, which to try, what to do now. Pure but for chance."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

from wordle_tools.bots.words import WordBook
from wordle_tools.client.messages import Duel, Group, Mark
from wordle_tools.client.state import GameState
from wordle_tools.solver import Solver
from wordle_tournament.rules.languages import LANGUAGES, canonical

Level = Literal["easy", "good"]


@dataclass(frozen=True, slots=True)
class Guess:
    """Play a turn."""

    duel: Duel
    turn: int


@dataclass(frozen=True, slots=True)
class Watch:
    """See the others' duels from this round on."""

    round: int


@dataclass(frozen=True, slots=True)
class StartGroup:
    """Take the group into a lobby."""


Intention = Guess | Watch | StartGroup | None


def intend(state: GameState, *, watches: bool, group_size: int | None) -> Intention:
    """Decide what to do next; a leader starts once `group_size` members are there and ready."""
    duel = state.my_duel
    if duel is not None and duel.ended is None:
        waiting = duel.turn is not None and duel.player_id == state.me
        return Guess(duel, duel.turn) if waiting and duel.turn is not None else None
    tournament = state.tournament
    if tournament is not None and tournament.phase != "ended":
        may_watch = tournament.phase == "duels" and not _awaits_own_duel(state)
        wants_to = watches and not _sees_others(state)
        return Watch(tournament.round) if may_watch and wants_to else None
    if state.lobby is None and group_size is not None and _may_start(state, group_size):
        return StartGroup()
    return None


def _awaits_own_duel(state: GameState) -> bool:
    """Whether one's own duel of the round has not been heard of yet, though others' have."""
    if state.tournament is None or state.intro is None:
        return False
    paired = any(state.me in pairing.players for pairing in state.intro.pairings)
    duel = state.my_duel
    return paired and (duel is None or duel.round != state.tournament.round)


def _sees_others(state: GameState) -> bool:
    """Whether the running duels of others are in sight already, or there are none."""
    if state.tournament is None or state.intro is None:
        return True
    if state.intro.round != state.tournament.round:
        return True
    others = [pairing for pairing in state.intro.pairings if state.me not in pairing.players]
    return not others or any(pairing.duel_id in state.duels for pairing in others)


def _may_start(state: GameState, group_size: int) -> bool:
    group = state.group
    return (
        group is not None
        and group.leader == state.me
        and len(group.members) >= group_size
        and is_ready(group)
    )


def is_ready(group: Group) -> bool:
    """Whether every member is connected and free, so that the leader can start (R8.6)."""
    return all(member.connected and not member.playing for member in group.members)


class Mind:
    """Chooses words: those that fit the rows at random (`easy`), telling ones (`good`)."""

    def __init__(self, book: WordBook, level: Level, chance: random.Random) -> None:
        """Think with the words of `book`."""
        self._book = book
        self._level = level
        self._chance = chance
        self._refused: set[str] = set()
        self._solvers: dict[tuple[str, int], Solver] = {}

    def refuse(self, word: str) -> None:
        """Never try this word again."""
        self._refused.add(word)
        self._solvers.clear()

    def choose(self, duel: Duel) -> str:
        """Choose a canonical word for the duel as it stands."""
        key = (duel.language, duel.length)
        if key not in self._solvers:
            self._solvers[key] = self._new_solver(*key)
        return self._solvers[key].next_guess(seen_rows(duel))

    def _new_solver(self, language: str, length: int) -> Solver:
        words = self._known(self._book.guesses(language, length))
        # Who plays easily does not know which words are likely.
        good = self._level == "good"
        likely = self._known(self._book.answers(language, length)) if good else ()
        return Solver(words, likely, strength=self._level, random=self._chance)

    def _known(self, words: tuple[str, ...]) -> tuple[str, ...]:
        if not self._refused:
            return words
        return tuple(word for word in words if word not in self._refused)


def seen_rows(duel: Duel) -> list[tuple[str, tuple[Mark, ...]]]:
    """Read the guesses of a duel in canonical spelling, with their marks."""
    language = LANGUAGES[duel.language]
    rows = []
    for row in duel.rows:
        word = canonical(language, row.word) if row.word is not None else None
        if word is not None and row.marks is not None:
            rows.append((word, row.marks))
    return rows
