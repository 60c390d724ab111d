"""Which words of a vocabulary may be guessed, and which are common enough to be hidden."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from wordle_tools.words import evidence, vocabulary
from wordle_tools.words.blocklists import CYRILLIC
from wordle_tools.words.vocabulary import Vocabulary

_VOWEL = re.compile("[aeiouyäöüąęóаеиоуыэюяєіїәөұү]")
_THREE_IN_A_ROW = re.compile(r"(.)\1\1")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How answers of a language are chosen.

    `commonness` is the least Zipf frequency, by word length where one differs; a word in a
    `core` package, or in two packages, is beyond doubt a word.
    """

    commonness: float = 3.3
    commonness_of_length: Mapping[int, float] = field(default_factory=dict)
    core: str | None = None
    packages_needed: int = 1
    packages_needed_of_length: Mapping[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class Selection:
    """The canonical words that may be guessed, and a score of commonness for each answer."""

    guesses: set[str]
    answers: dict[str, float]


RECIPES = {
    "en": Recipe(core="wamerican"),
    "id": Recipe(),
    "de": Recipe(),
    "es": Recipe(packages_needed=2),
    "fr": Recipe(packages_needed=2),
    "it": Recipe(
        packages_needed=2, commonness_of_length={4: 3.0}, packages_needed_of_length={4: 1}
    ),
    "nl": Recipe(),
    "pl": Recipe(),
    "pt": Recipe(packages_needed=2),
    "ru": Recipe(),
    "uk": Recipe(packages_needed=2),
}

_FREQUENT_DESPITE_CAPITAL = 5.0
_FREQUENT_DESPITE_ENGLISH_NAME = 3.8


def select(
    code: str, words: Vocabulary, english_names: frozenset[str], unpacked: Path
) -> Selection:
    """Choose guesses and answers of a language whose word frequencies are known."""
    frequency = evidence.frequencies(code)
    everyday = evidence.keywords(code, unpacked)
    is_headword = evidence.headword_test(code, words.headwords, unpacked)
    recipe = RECIPES[code]
    core = _core(recipe, unpacked)
    answers: dict[str, float] = {}
    for word, spellings in words.spellings.items():
        commonness = frequency.get(word.replace("ß", "ss"), 0.0)
        least = recipe.commonness_of_length.get(len(word), recipe.commonness)
        if commonness < least or looks_abbreviated(word):
            continue
        if not any(is_headword(spelling) for spelling in spellings):
            continue
        needed = recipe.packages_needed_of_length.get(len(word), recipe.packages_needed)
        sure = (
            not (word in words.capitalised and commonness < _FREQUENT_DESPITE_CAPITAL)
            and not (word in english_names and commonness < _FREQUENT_DESPITE_ENGLISH_NAME)
            and (not core or not core.isdisjoint(spellings))
            and len(words.packages(word)) >= needed
        )
        if sure or word in everyday:
            answers[word] = commonness
    return Selection(set(words.spellings), answers)


def looks_abbreviated(word: str) -> bool:
    """Tell whether a word has no vowel or one letter three times running."""
    return not _VOWEL.search(word) or _THREE_IN_A_ROW.search(word) is not None


def names_for(code: str, english: Vocabulary) -> frozenset[str]:
    """Give the English names to be kept out of answers, where case and script do not tell them."""
    told_apart = code in CYRILLIC or code in ("en", "de")
    return frozenset() if told_apart else frozenset(english.capitalised)


def _core(recipe: Recipe, unpacked: Path) -> frozenset[str]:
    if recipe.core is None:
        return frozenset()
    (path,) = (unpacked / recipe.core / "usr/share/dict").glob("*-english")
    return frozenset(vocabulary.lines(path))
