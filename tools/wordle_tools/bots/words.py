"""The word lists as a player may know them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Protocol

import wordlists
from wordle_tournament.rules.languages import LANGUAGES, canonical


class WordBook(Protocol):
    """Knows words; all are canonical, one code point a letter, and sorted."""

    def guesses(self, language: str, length: int) -> tuple[str, ...]:
        """Words that may be guessed."""

    def answers(self, language: str, length: int) -> tuple[str, ...]:
        """Words that are likely to be hidden."""


class ListedWords:
    """The word book of the list files."""

    def guesses(self, language: str, length: int) -> tuple[str, ...]:
        """Words that may be guessed."""
        return _read(language, "guesses", length)

    def answers(self, language: str, length: int) -> tuple[str, ...]:
        """Words that are likely to be hidden."""
        return _read(language, "answers", length)


@lru_cache(maxsize=8)
def _read(language: str, kind: str, length: int) -> tuple[str, ...]:
    path = Path(wordlists.__file__).parent / language / f"{kind}-{length}.txt"
    return tuple(path.read_text(encoding="utf-8").split())


def allows(language: str, told: str) -> bool:
    """Tell whether a word, written as players see it, is in the list of guesses (R9.5)."""
    word = canonical(LANGUAGES[language], told)
    return word is not None and word in _read(language, "guesses", len(word))
