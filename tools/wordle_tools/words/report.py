"""The report on the finished lists: sizes, samples, letters, and how hard the words are."""

import random
from collections.abc import Sequence
from pathlib import Path

from wordle_tools.solver import Row, Solver, marks
from wordle_tournament.rules.languages import (
    LANGUAGES,
    WORD_LENGTHS,
    Language,
    display,
)

_SAMPLE = 30
_PLAYED = 60
_ROWS = 12
_ROWS_OF_ONE = 6
_VOWELS = frozenset("aeiouyäöüąęóаеиоуыэюяєіїәөұү")


def write(wordlists: Path) -> None:
    """Write the report on the lists that lie in the folder now."""
    (wordlists / "REPORT.md").write_text(report(wordlists), encoding="utf-8", newline="\n")


def report(wordlists: Path) -> str:
    """Give the text of the report; it depends on nothing but the lists."""
    cells = {
        (language.code, length, kind): _words(wordlists, language.code, kind, length)
        for language in LANGUAGES.values()
        for length in WORD_LENGTHS
        for kind in ("guesses", "answers")
    }
    lines = [
        "# The lists in numbers",
        "",
        "Generated from the lists by `python -m wordle_tools.words`; do not edit.",
        "",
        "## Sizes",
        "",
        "| language | guesses 4 | 5 | 6 | answers 4 | 5 | 6 | vowels in answers |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for code in LANGUAGES:
        sizes = [
            len(cells[code, length, kind])
            for kind in ("guesses", "answers")
            for length in WORD_LENGTHS
        ]
        vowels = _share_of_vowels([w for n in WORD_LENGTHS for w in cells[code, n, "answers"]])
        lines.append(f"| {code} | {' | '.join(map(str, sizes))} | {vowels:.0%} |")
    lines += [
        "",
        "## How hard the words are",
        "",
        f"Up to {_PLAYED} answers per cell, evenly spaced, played alone by the good solver of",
        "`tools/wordle_tools/solver.py`: once knowing all answers, once knowing the guesses only.",
        f"Shares solved within {_ROWS_OF_ONE} and {_ROWS} rows, and the mean number of rows.",
        "",
        "| language | length | knows answers: 6 | 12 | mean | knows guesses: 6 | 12 | mean |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for code in LANGUAGES:
        for length in WORD_LENGTHS:
            answers = cells[code, length, "answers"]
            guesses = cells[code, length, "guesses"]
            figures = [*_played(guesses, answers, answers), *_played(guesses, (), answers)]
            lines.append(f"| {code} | {length} | {' | '.join(figures)} |")
    lines += ["", "## Letters that no answer uses", ""]
    for language in LANGUAGES.values():
        used = {
            letter
            for length in WORD_LENGTHS
            for word in cells[language.code, length, "answers"]
            for letter in word
        }
        unused = [display(language, letter) for letter in language.alphabet if letter not in used]
        lines.append(f"- {language.code}: {' '.join(unused) or 'none'}")
    lines += ["", "## Samples", "", "Thirty answers of each cell, drawn with a fixed seed.", ""]
    for language in LANGUAGES.values():
        for length in WORD_LENGTHS:
            words = _sample(language, cells[language.code, length, "answers"])
            lines.append(f"- {language.code} {length}: {', '.join(words)}")
    return "\n".join(lines) + "\n"


def rows_needed(solver: Solver, secret: str, memory: dict[tuple[Row, ...], str]) -> int:
    """Count the rows until a solver finds a word; one more than 12 if it does not.

    `memory` keeps the guesses made after the same rows, for words of the same solver.
    """
    rows: tuple[Row, ...] = ()
    while len(rows) < _ROWS:
        if rows not in memory:
            memory[rows] = solver.next_guess(rows)
        guess = memory[rows]
        rows = (*rows, (guess, marks(guess, secret)))
        if guess == secret:
            return len(rows)
    return _ROWS + 1


def _played(guesses: Sequence[str], likely: Sequence[str], answers: Sequence[str]) -> list[str]:
    solver = Solver(guesses, likely, random=random.Random(0))
    memory: dict[tuple[Row, ...], str] = {}
    step = max(1, len(answers) // _PLAYED)
    needed = [rows_needed(solver, secret, memory) for secret in answers[::step]]
    solved_alone = sum(rows <= _ROWS_OF_ONE for rows in needed) / len(needed)
    solved = [rows for rows in needed if rows <= _ROWS]
    return [
        f"{solved_alone:.0%}",
        f"{len(solved) / len(needed):.0%}",
        f"{sum(solved) / len(solved):.1f}",
    ]


def _words(wordlists: Path, code: str, kind: str, length: int) -> tuple[str, ...]:
    path = wordlists / "python/wordlists" / code / f"{kind}-{length}.txt"
    return tuple(path.read_text(encoding="utf-8").split())


def _share_of_vowels(words: Sequence[str]) -> float:
    letters = "".join(words)
    return sum(letter in _VOWELS for letter in letters) / len(letters)


def _sample(language: Language, words: Sequence[str]) -> list[str]:
    drawn = random.Random(0).sample(sorted(words), min(_SAMPLE, len(words)))
    return [display(language, word) for word in sorted(drawn)]
