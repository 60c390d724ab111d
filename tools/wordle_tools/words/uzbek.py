"""Uzbek words: a Cyrillic dictionary in Latin letters, two lexicons and the forms texts attest."""

import csv
import gzip
import json
import math
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from wordle_tools.words import dawg, evidence
from wordle_tools.words.agglutination import UZBEK, is_derived, stems
from wordle_tools.words.selection import Selection, looks_abbreviated
from wordle_tools.words.vocabulary import lines
from wordle_tournament.rules.languages import LANGUAGES, WORD_LENGTHS, canonical

_LANGUAGE = LANGUAGES["uz"]

_LETTERS = dict(zip("абвгджзийклмнопрстуфхэқҳы", "abvgdjziyklmnoprstufxeqhi", strict=True)) | {
    "ч": "ch",
    "ш": "sh",
    "щ": "sh",
    "ъ": "ʼ",
    "ь": "",
    "ю": "yu",
    "я": "ya",
    "ё": "yo",
    "ў": "oʻ",
    "ғ": "gʻ",
}
_YE_AFTER = frozenset("аоуиеўэюяёъь")
_TS_AFTER = frozenset("аоуиеўэюяё")

_SEEN_OFTEN_ENOUGH = 5
_SEEN_IF_TYPESET = 3
_COMMON_IN_TEXTS = 100
_VERY_COMMON_IN_TEXTS = 300
_LEAST_SCORE = 3.5


def latin(cyrillic: str) -> str | None:
    """Spell a word of the Cyrillic alphabet in the Latin one; None for a foreign letter."""
    spelled = ""
    before = ""
    for letter in cyrillic.lower():
        match letter:
            case "е":
                spelled += "ye" if not before or before in _YE_AFTER else "e"
            case "ц":
                spelled += "ts" if before and before in _TS_AFTER else "s"
            case "ъ" if before == "ў":
                pass
            case _ if letter in _LETTERS:
                spelled += _LETTERS[letter]
            case _:
                return None
        before = letter
    return spelled


def select(unpacked: Path) -> Selection:
    """Choose Uzbek guesses and answers: answers by texts, school books and emoji keywords."""
    cyrillic = _hunspell(unpacked)
    names = _canonical(latin(w) for w in cyrillic if w != w.lower())
    dictionary = _canonical(latin(w) for w in cyrillic if w == w.lower())
    names -= dictionary
    tagger = _canonical(_tagger(unpacked))
    uses, with_mark = _uses(unpacked)
    typeset, typeset_legacy = _typeset(unpacked)
    morph_lemmas, morph_forms = _morph(unpacked)
    attested = {
        word
        for word in morph_lemmas | morph_forms
        if uses[word] >= _SEEN_IF_TYPESET or word in typeset
    }
    listed = dictionary | tagger | attested
    known = stems(UZBEK, listed)
    formed = {
        word
        for word, count in uses.items()
        if len(word) in WORD_LENGTHS
        and (count >= _SEEN_OFTEN_ENOUGH or (count >= _SEEN_IF_TYPESET and word in typeset))
        and word not in names
        and is_derived(UZBEK, known, word)
    }
    guesses = {word for word in listed | formed if len(word) in WORD_LENGTHS}

    everyday = evidence.keywords("uz", unpacked)
    grades = _school_grades(unpacked)
    marked = _canonical(row[0] for row in _morph_rows(unpacked) if _has_dropped_mark(row[0]))
    answers: dict[str, float] = {}
    for word in guesses - names:
        mark_dropped = 2 * with_mark[word] > uses[word] or word in marked
        lexicons = sum(word in lexicon for lexicon in (dictionary, tagger, morph_lemmas))
        signs = (
            (grades[word] >= 1)
            + (uses[word] >= _COMMON_IN_TEXTS)
            + (word in everyday)
            + (word in typeset_legacy)
        )
        common = grades[word] > 1 or word in everyday or uses[word] >= _VERY_COMMON_IN_TEXTS
        score = math.log10(uses[word] + 1) + 0.35 * grades[word] + 0.7 * (word in everyday)
        if (
            not mark_dropped
            and lexicons > 1
            and signs > 1
            and common
            and score >= _LEAST_SCORE
            and not looks_abbreviated(word)
        ):
            answers[word] = score
    return Selection(guesses, answers)


def _canonical(spellings: Iterable[str | None]) -> set[str]:
    words = (canonical(_LANGUAGE, spelling) for spelling in spellings if spelling)
    return {word for word in words if word is not None}


def _has_dropped_mark(spelling: str) -> bool:
    word = canonical(_LANGUAGE, spelling)
    marks = sum(not letter.isalpha() or letter in "ʻʼ" for letter in spelling)
    return word is not None and marks > word.count("ö") + word.count("ğ")


def _hunspell(unpacked: Path) -> list[str]:
    path = unpacked / "hunspell-uz/usr/share/hunspell/uz_UZ.dic"
    return [line.split("/")[0] for line in lines(path)][1:]


def _tagger(unpacked: Path) -> list[str]:
    path = unpacked / "uzbektagger/UzbekTagger/word.xml"
    words = (element.text or "" for element in ElementTree.parse(path).getroot().iter("word"))
    return [word for word in words if word == word.lower()]


def _uses(unpacked: Path) -> tuple[Counter[str], Counter[str]]:
    path = unpacked / "uzbek-text-tools/uzbek_text_tools/data/word_freq.json"
    uses: Counter[str] = Counter()
    with_mark: Counter[str] = Counter()
    for spelling, count in json.loads(path.read_text(encoding="utf-8")).items():
        word = canonical(_LANGUAGE, spelling) if spelling == spelling.lower() else None
        if word is not None:
            uses[word] += count
            if _has_dropped_mark(spelling):
                with_mark[word] += count
    return uses, with_mark


def _typeset(unpacked: Path) -> tuple[set[str], set[str]]:
    folder = unpacked / "tesseract.js-data-uzb/package/4.0.0"
    data = dawg.read_trained_data(gzip.decompress((folder / "uzb.traineddata.gz").read_bytes()))
    legacy = _lower(data.words(dawg.LEGACY_WORDS, dawg.LEGACY_UNICHARSET))
    return legacy | _lower(data.words(dawg.LSTM_WORDS, dawg.LSTM_UNICHARSET)), legacy


def _lower(words: Iterable[str]) -> set[str]:
    return _canonical(word for word in words if word == word.lower())


def _morph_rows(unpacked: Path) -> list[list[str]]:
    path = unpacked / "uzbek-morph/uzbek_morph/dataset/uzbek_unified.txt"
    return [line.split("\t") for line in lines(path)]


def _morph(unpacked: Path) -> tuple[set[str], set[str]]:
    rows = _morph_rows(unpacked)
    return _canonical(row[0] for row in rows), _canonical(r[1] for r in rows if len(r) > 1)


def _school_grades(unpacked: Path) -> Counter[str]:
    grades: Counter[str] = Counter()
    for path in sorted((unpacked / "UzEduCorpus/UzEduCorpus").glob("*.csv")):
        with path.open(encoding="utf-8-sig", newline="") as file:
            grades.update(_canonical(cell for row in csv.reader(file) for cell in row))
    return grades
