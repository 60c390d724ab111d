"""What tells an everyday word: how often it is used, and whether it is a dictionary form."""

import csv
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from wordle_tools.words.vocabulary import fitting
from wordle_tournament.rules.languages import LANGUAGES, Language, canonical

_NOT_COMMON_NOUN = re.compile("Name|Surn|Patr|Geox|Orgn|Trad|Abbr|Init|Erro|Arch|Dist")
_HEADWORD_CLASSES = {"NOUN", "ADJF", "INFN", "ADVB", "NUMR", "PRED"}
_NAMES_IN_GERMAN_NOUNS = {"Vorname", "Nachname", "Toponym", "Eigenname", "Deklinierte Form"}


def zipf(share: float) -> float:
    """Give the base-10 logarithm of uses per thousand million words; 0 for a word never seen."""
    return math.log10(share) + 9 if share > 0 else 0.0


def frequencies(code: str) -> dict[str, float]:
    """Give the Zipf frequency of canonical words, spellings of one word taken together.

    The frequency data write ß as ss, so German words with ß are to be looked up with ss.
    """
    wordfreq: Any = import_module("wordfreq")
    shares: Counter[str] = Counter()
    for token, share in wordfreq.get_frequency_dict(code, "best").items():
        word = canonical(LANGUAGES[code], token)
        if word is not None:
            shares[word] += share
    return {word: zipf(share) for word, share in shares.items()}


def keywords(code: str, unpacked: Path) -> frozenset[str]:
    """Give the single words by which people search for emoji: everyday words of the language."""
    path = unpacked / "cldr-annotations-full/package/annotations" / code / "annotations.json"
    annotations = json.loads(path.read_text(encoding="utf-8"))["annotations"]["annotations"]
    found: set[str | None] = set()
    for entry in annotations.values():
        for spelling in (*entry.get("default", ()), *entry.get("tts", ())):
            if code == "de" or spelling == spelling.lower():
                found.add(fitting(LANGUAGES[code], spelling))
    return frozenset(word for word in found if word is not None)


def headword_test(code: str, headwords: set[str], unpacked: Path) -> Callable[[str], bool]:
    """Give the test whether a spelling is the form under which a dictionary lists a word."""
    if code == "de":
        return _german_headword(_german_nouns(unpacked))
    if code in ("ru", "uk"):
        return _slavic_headword(LANGUAGES[code])
    simplemma: Any = import_module("simplemma")

    def is_headword(spelling: str) -> bool:
        known = spelling in headwords or simplemma.is_known(spelling, lang=code)
        return bool(known and simplemma.lemmatize(spelling, lang=code) == spelling)

    return is_headword


@cache
def slavic_analyser(code: str) -> Any:
    """Give the morphological analyser of Russian or Ukrainian."""
    pymorphy: Any = import_module("pymorphy3")
    return pymorphy.MorphAnalyzer(lang=code)


def is_known_common_word(code: str, spelling: str) -> bool:
    """Tell whether the analyser's dictionary has a spelling as anything but a name or the like."""
    known = [parse for parse in slavic_analyser(code).parse(spelling) if parse.is_known]
    return bool(known) and not _NOT_COMMON_NOUN.search(str(known[0].tag))


def _slavic_headword(language: Language) -> Callable[[str], bool]:
    def is_headword(spelling: str) -> bool:
        if fitting(language, spelling) != spelling.replace("ё", "е"):
            return False
        parse = slavic_analyser(language.code).parse(spelling)[0]
        return (
            parse.is_known
            and not _NOT_COMMON_NOUN.search(str(parse.tag))
            and parse.tag.POS in _HEADWORD_CLASSES
            and parse.normal_form.replace("ё", "е") == spelling.replace("ё", "е")
        )

    return is_headword


def _german_nouns(unpacked: Path) -> dict[str, set[str]]:
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    path = unpacked / "german-nouns/german_nouns/nouns.csv"
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            kinds[row["lemma"]].update(row["pos"].split(","))
    return kinds


def _german_headword(nouns: dict[str, set[str]]) -> Callable[[str], bool]:
    simplemma: Any = import_module("simplemma")

    def is_headword(spelling: str) -> bool:
        lemma = simplemma.lemmatize(spelling, lang="de")
        if spelling[0].isupper():
            kinds = nouns.get(spelling, set())
            common = "Substantiv" in kinds and not kinds & _NAMES_IN_GERMAN_NOUNS
            return bool(common and lemma == spelling)
        return bool(simplemma.is_known(spelling, lang="de") and lemma.lower() == spelling)

    return is_headword
