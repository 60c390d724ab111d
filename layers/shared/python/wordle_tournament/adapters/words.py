"""The word lists of the data layer as a lexicon."""

from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path

import wordlists


class FileLexicon:
    """Answers what may be guessed and hidden from the list files, each read when first needed.

    Every list is sorted and its words are equally long, so the text of a file is searched as it
    stands: reading the largest takes a few milliseconds and about a megabyte, a set of its words
    several times both.
    """

    def __init__(self, root: Path | None = None) -> None:
        """Read lists below `root`, by default those of the package `wordlists`."""
        self._root = root or Path(wordlists.__file__).parent
        self._guesses: dict[tuple[str, int], str] = {}
        self._answers: dict[tuple[str, int], tuple[str, ...]] = {}

    def allows(self, language: str, length: int, word: str) -> bool:
        """Tell whether a canonical word of `length` letters is an allowed guess (R3.6)."""
        text = self._guesses.get((language, length))
        if text is None:
            text = self._guesses.setdefault(
                (language, length), self._read(language, "guesses", length)
            )
        return len(word) == length and _holds(text, word)

    def answers(self, language: str, length: int) -> Sequence[str]:
        """Give the canonical words of `length` letters that may be hidden, sorted (R9.5)."""
        found = self._answers.get((language, length))
        if found is None:
            words = tuple(self._read(language, "answers", length).split())
            found = self._answers.setdefault((language, length), words)
        return found

    def _read(self, language: str, kind: str, length: int) -> str:
        return (self._root / language / f"{kind}-{length}.txt").read_text(encoding="utf-8")


def _holds(text: str, word: str) -> bool:
    step = len(word) + 1
    at = step * bisect_left(
        range(len(text) // step), word, key=lambda row: text[row * step : row * step + step - 1]
    )
    return text[at : at + step - 1] == word
