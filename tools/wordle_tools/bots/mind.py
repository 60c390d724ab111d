"""How a bot thinks: which words are left, which to try, what to do now. Pure but for chance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from wordle_tools.bots.words import WordBook
from wordle_tools.client.messages import Duel, Group, Row
from wordle_tools.client.state import GameState
from wordle_tournament.rules.languages import LANGUAGES, canonical
from wordle_tournament.rules.words import score_guess

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


@dataclass(slots=True)
class Ideas:
    """The words that may still be hidden in one duel, as far as its rows have been looked at."""

    duel_id: str
    likely: tuple[str, ...]
    allowed: tuple[str, ...]
    rows_seen: int = 0


class Mind:
    """Chooses words: consistent ones at random (`easy`), telling ones (`good`)."""

    def __init__(self, book: WordBook, level: Level, chance: random.Random) -> None:
        """Think with the words of `book`."""
        self._book = book
        self._level = level
        self._chance = chance
        self._ideas: Ideas | None = None
        self._refused: set[str] = set()

    def refuse(self, word: str) -> None:
        """Never try this word again."""
        self._refused.add(word)

    def choose(self, duel: Duel) -> str | None:
        """Choose a word for the duel as it stands; None when none is left."""
        ideas = self._look_at(duel)
        likely = _except(ideas.likely, self._refused)
        allowed = _except(ideas.allowed, self._refused)
        if self._level == "good":
            return most_telling(likely or allowed, self._chance)
        return self._chance.choice(allowed) if allowed else None

    def _look_at(self, duel: Duel) -> Ideas:
        ideas = self._ideas
        if ideas is None or ideas.duel_id != duel.duel_id:
            ideas = Ideas(
                duel.duel_id,
                likely=self._book.answers(duel.language, duel.length),
                allowed=self._book.guesses(duel.language, duel.length),
            )
            self._ideas = ideas
        for row in duel.rows[ideas.rows_seen :]:
            ideas.likely = consistent(ideas.likely, row, duel.language)
            ideas.allowed = consistent(ideas.allowed, row, duel.language)
        ideas.rows_seen = len(duel.rows)
        return ideas


def consistent(words: Iterable[str], row: Row, language: str) -> tuple[str, ...]:
    """Keep the words that would have given the row its marks."""
    if row.word is None or row.marks is None:
        return tuple(words)
    tried = canonical(LANGUAGES[language], row.word)
    if tried is None:
        return tuple(words)
    may_be = _filter(tried, tuple(row.marks))
    return tuple(word for word in words if may_be(word))


def _filter(tried: str, marks: tuple[str, ...]) -> Callable[[str], bool]:
    """Rule most words out by their letters in place before marking them in full."""
    places = [(place, tried[place]) for place, mark in enumerate(marks) if mark == "correct"]

    def may_be(word: str) -> bool:
        if any(word[place] != letter for place, letter in places):
            return False
        return score_guess(word, tried) == marks

    return may_be


def most_telling(words: Sequence[str], chance: random.Random) -> str | None:
    """Choose the word whose different letters are the most frequent in their places and at all."""
    if not words:
        return None
    anywhere = Counter(letter for word in words for letter in set(word))
    in_place = Counter(pair for word in words for pair in enumerate(word))

    def worth(word: str) -> float:
        found_at_all = sum(anywhere[letter] for letter in set(word))
        return found_at_all + sum(in_place[pair] for pair in enumerate(word))

    best = max(map(worth, words))
    return chance.choice([word for word in words if worth(word) == best])


def _except(words: tuple[str, ...], refused: set[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in refused) if refused else words
