"""Plays a duel's word from the rows seen so far, well or at random."""

import re
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Literal

Marks = Sequence[str]
Row = tuple[str, Marks]
Strength = Literal["easy", "good"]

_POOL = 25
_SAMPLE = 120
_SCORED = 1500


def marks(guess: str, secret: str) -> tuple[str, ...]:
    """Mark a guess letter by letter as `correct`, `present` or `absent` (R3.7)."""
    left = [theirs for mine, theirs in zip(guess, secret, strict=True) if mine != theirs]
    found: list[str] = []
    for mine, theirs in zip(guess, secret, strict=True):
        if mine == theirs:
            found.append("correct")
        elif mine in left:
            left.remove(mine)
            found.append("present")
        else:
            found.append("absent")
    return tuple(found)


class Solver:
    """Chooses guesses of one language and length.

    `words` are all allowed guesses, `likely` those that may be hidden, if the player knows them.
    An easy solver takes any word that fits the rows; a good one the word that is expected to leave
    the fewest others. Both are repeatable with a seeded `random`.
    """

    def __init__(
        self,
        words: Sequence[str],
        likely: Sequence[str] = (),
        *,
        strength: Strength = "good",
        random: Random | None = None,
    ) -> None:
        """Prepare to play; all words are canonical and of one length."""
        self._words = words
        self._text = "\n".join(words)
        self._likely_text = "\n".join(likely)
        self._strength = strength
        self._random = random or Random()

    def candidates(self, rows: Sequence[Row]) -> list[str]:
        """Give the words that fit all rows: likely ones, else any allowed guess."""
        return _fitting(self._likely_text, rows) or _fitting(self._text, rows)

    def next_guess(self, rows: Sequence[Row]) -> str:
        """Give the next guess; if no word fits, any allowed one."""
        fitting = self.candidates(rows)
        if not fitting:
            return self._random.choice(self._words)
        if self._strength == "easy":
            return self._random.choice(fitting)
        if len(fitting) <= 2:
            return fitting[0]
        looked_at = _spread(fitting, _SCORED)
        secrets = _spread(fitting, _SAMPLE)
        pool = _promising(looked_at, looked_at, _POOL)
        could_win = set(pool)
        if rows:
            pool += _promising(_spread(self._words, _SCORED), looked_at, _POOL)
        return min(pool, key=lambda guess: (_expected_left(guess, secrets), guess not in could_win))


def _fitting(text: str, rows: Sequence[Row]) -> list[str]:
    if not text:
        return []
    if not rows:
        return text.split("\n")
    found: list[str] = re.findall(_pattern(rows), text, re.MULTILINE)
    return [
        word for word in found if all(marks(guess, word) == tuple(seen) for guess, seen in rows)
    ]


def _pattern(rows: Sequence[Row]) -> str:
    length = len(rows[0][0])
    known: dict[int, str] = {}
    excluded: list[set[str]] = [set() for _ in range(length)]
    needed: set[str] = set()
    for guess, seen in rows:
        in_word = {letter for letter, mark in zip(guess, seen, strict=True) if mark != "absent"}
        for at, (letter, mark) in enumerate(zip(guess, seen, strict=True)):
            if mark == "correct":
                known[at] = letter
                continue
            excluded[at].add(letter)
            if mark == "present":
                needed.add(letter)
            elif letter not in in_word:
                for others in excluded:
                    others.add(letter)
    tiles = "".join(
        known[at] if at in known else f"[^\n{''.join(sorted(excluded[at]))}]"
        for at in range(length)
    )
    ahead = "".join(f"(?=.*{letter})" for letter in sorted(needed))
    return f"^{ahead}{tiles}$"


def _spread(words: Sequence[str], most: int) -> Sequence[str]:
    return words if len(words) <= most else words[:: -(-len(words) // most)]


def _promising(words: Sequence[str], fitting: Sequence[str], most: int) -> list[str]:
    seen_in = Counter(letter for word in fitting for letter in set(word))
    half = len(fitting) / 2
    worth = {letter: half - abs(half - count) for letter, count in seen_in.items()}
    score = {word: sum(worth.get(letter, 0.0) for letter in set(word)) for word in words}
    return sorted(words, key=lambda word: -score[word])[:most]


def _expected_left(guess: str, secrets: Sequence[str]) -> int:
    groups = Counter(marks(guess, secret) for secret in secrets)
    return sum(size * size for size in groups.values())
