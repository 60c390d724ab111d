"""Recent Russian words: known to a newer lexicon than the dictionary, and in use."""

from collections.abc import Mapping

from wordle_tools.words import evidence
from wordle_tools.words.vocabulary import Vocabulary

_PACKAGE = "pymorphy3-dicts-ru"
_IN_USE = 2.0


def take_recent(words: Vocabulary, frequency: Mapping[str, float]) -> None:
    """Take in words that the dictionary lacks, the newer lexicon knows and texts use."""
    for word, commonness in frequency.items():
        new = word not in words.spellings and word not in words.capitalised
        if new and commonness >= _IN_USE and evidence.is_known_common_word("ru", word):
            words.take(word, _PACKAGE)
