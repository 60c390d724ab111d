"""Decisions by hand about single words, applied after everything else."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wordle_tournament.rules.languages import WORD_LENGTHS, Language, canonical

_LINE = re.compile(r"([+-])(guess|answer) ([^:#]+): (\S.*)")


@dataclass(frozen=True, slots=True)
class Override:
    """One decision: a canonical word is put into a list or taken out of it, and why."""

    adds: bool
    kind: str
    word: str
    reason: str


def parse(text: str, language: Language) -> Iterator[Override]:
    """Read lines such as `-answer word, word: reason`; blank lines and `#` comments are skipped."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise ValueError(f"{language.code}, line {number}: not an override: {line}")
        sign, kind, spellings, reason = match.groups()
        for spelling in spellings.split(","):
            word = canonical(language, spelling)
            if word is None or len(word) not in WORD_LENGTHS:
                raise ValueError(f"{language.code}, line {number}: no word of the game: {spelling}")
            yield Override(sign == "+", kind, word, reason)


def read(path: Path, language: Language) -> tuple[Override, ...]:
    """Read the overrides of a language; two that contradict each other are an error."""
    found = tuple(parse(path.read_text(encoding="utf-8"), language)) if path.is_file() else ()
    added = {(o.kind, o.word) for o in found if o.adds}
    dropped = {(o.kind, o.word) for o in found if not o.adds}
    needless = {("answer", word) for kind, word in dropped if kind == "guess"}
    contradicted = added & (dropped | needless)
    if contradicted:
        raise ValueError(f"{language.code}: both added and dropped: {sorted(contradicted)}")
    return found


def apply(
    overrides: tuple[Override, ...], guesses: set[str], answers: set[str]
) -> tuple[set[str], set[str]]:
    """Give guesses and answers with the overrides applied; every answer is a guess (R9.5)."""
    words: dict[tuple[bool, str], set[str]] = {}
    for override in overrides:
        words.setdefault((override.adds, override.kind), set()).add(override.word)
    none: set[str] = set()
    added = words.get((True, "answer"), none)
    guesses = guesses | words.get((True, "guess"), none) | added
    guesses = guesses - words.get((False, "guess"), none)
    answers = (answers | added) - words.get((False, "answer"), none)
    return guesses, answers & guesses
