"""Indonesian words that the dictionary leaves out: stems with one affix, as texts use them."""

import gzip
from collections.abc import Iterable, Mapping
from pathlib import Path

from wordle_tools.words import dawg
from wordle_tools.words.vocabulary import Vocabulary, fitting
from wordle_tournament.rules.languages import LANGUAGES

_PACKAGE = "tesseract.js-data-ind"
_AFTER = ("nya", "kan", "lah", "kah", "pun", "an", "ku", "mu", "i")
_BEFORE = ("ber", "ter", "di", "ke", "se")
_SHORTEST_STEM = 3


def take_forms(
    words: Vocabulary,
    frequency: Mapping[str, float],
    english: Iterable[str],
    unpacked: Path,
) -> None:
    """Take in stems with one affix or clitic if texts use them in lower case."""
    folder = unpacked / _PACKAGE / "package/4.0.0"
    data = dawg.read_trained_data(gzip.decompress((folder / "ind.traineddata.gz").read_bytes()))
    typeset = list(data.words(dawg.LEGACY_WORDS, dawg.LEGACY_UNICHARSET))
    lower = _fitting(word for word in typeset if word == word.lower())
    names = _fitting(word for word in typeset if word != word.lower()) - lower
    modern = data.words(dawg.LSTM_WORDS, dawg.LSTM_UNICHARSET)
    used = lower | _fitting(w for w in modern if w == w.lower()) | frequency.keys()
    strange = names | words.capitalised | frozenset(english)
    for word in used - strange - words.spellings.keys():
        if is_formed(word, words.headwords):
            words.take(word, _PACKAGE)


def is_formed(word: str, stems: Iterable[str]) -> bool:
    """Tell whether a word is one of the stems, three letters or longer, with one affix."""
    parts = [word.removesuffix(affix) for affix in _AFTER if word.endswith(affix)]
    parts += [word.removeprefix(affix) for affix in _BEFORE if word.startswith(affix)]
    return any(len(part) >= _SHORTEST_STEM and part in stems for part in parts)


def _fitting(spellings: Iterable[str]) -> set[str]:
    words = (fitting(LANGUAGES["id"], spelling) for spelling in spellings)
    return {word for word in words if word is not None}
