"""Builds the lists of every language from the unpacked packages."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from wordle_tools.words import (
    blocklists,
    digests,
    evidence,
    indonesian,
    kazakh,
    overrides,
    selection,
    uzbek,
    vocabulary,
)
from wordle_tools.words import russian as russian_words
from wordle_tools.words.selection import Selection
from wordle_tools.words.vocabulary import Vocabulary
from wordle_tournament.rules.languages import LANGUAGES, WORD_LENGTHS


@dataclass(frozen=True, slots=True)
class Lists:
    """The finished words of one language, and what answers were kept out as offensive."""

    code: str
    guesses: frozenset[str]
    answers: frozenset[str]
    blocked: frozenset[str]


@dataclass(frozen=True, slots=True)
class Folders:
    """Where packages are unpacked, where the data layer's folder is."""

    unpacked: Path
    wordlists: Path


def build(codes: Iterable[str], folders: Folders) -> Iterator[Lists]:
    """Build the lists of languages, one after the other."""
    english = vocabulary.read("en", folders.unpacked)
    russian = vocabulary.read("ru", folders.unpacked)
    slurs = digests.read(folders.wordlists / "blocked" / "guesses.txt")
    for code in codes:
        selected = _select(code, english, russian, folders.unpacked)
        yield _finish(code, selected, slurs.get(code, frozenset()), folders)


def write(lists: Lists, folders: Folders) -> None:
    """Write the files of a language: one word a line, sorted by code point."""
    target = folders.wordlists / "python/wordlists" / lists.code
    target.mkdir(parents=True, exist_ok=True)
    for kind, words in (("guesses", lists.guesses), ("answers", lists.answers)):
        for length in WORD_LENGTHS:
            text = "".join(f"{word}\n" for word in sorted(words) if len(word) == length)
            (target / f"{kind}-{length}.txt").write_text(text, encoding="utf-8", newline="\n")


def _select(code: str, english: Vocabulary, russian: Vocabulary, unpacked: Path) -> Selection:
    match code:
        case "uz":
            return uzbek.select(unpacked)
        case "kk":
            return kazakh.select(vocabulary.read("kk", unpacked), russian, unpacked)
        case _:
            words = english if code == "en" else vocabulary.read(code, unpacked)
            if code == "ru":
                russian_words.take_recent(words, evidence.frequencies(code))
            if code == "id":
                foreign = english.spellings.keys() | english.capitalised
                indonesian.take_forms(words, evidence.frequencies(code), foreign, unpacked)
            return selection.select(code, words, selection.names_for(code, english), unpacked)


def _finish(code: str, selected: Selection, slurs: frozenset[str], folders: Folders) -> Lists:
    decisions = overrides.read(folders.wordlists / "overrides" / f"{code}.txt", LANGUAGES[code])
    named = blocklists.blocked(code, folders.unpacked).keys()
    guesses, answers = overrides.apply(decisions, selected.guesses, set(selected.answers) - named)
    guesses = {word for word in guesses if digests.digest(code, word) not in slurs}
    answers &= guesses
    return Lists(
        code=code,
        guesses=frozenset(guesses),
        answers=frozenset(answers),
        blocked=frozenset(named - answers),
    )
