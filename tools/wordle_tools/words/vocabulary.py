"""What the dictionaries of a language hold, brought to canonical spelling."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from wordle_tools.words import hunspell
from wordle_tournament.rules.languages import LANGUAGES, WORD_LENGTHS, Language, canonical

_LONGEST_SPELLING = 9

_HUNSPELL = {
    "en": (("hunspell-en-us", "en_US"), ("hunspell-en-gb", "en_GB")),
    "id": (("hunspell-id", "id_ID"),),
    "de": (("hunspell-de-de-frami", "de_DE_frami"), ("hunspell-de-de", "de_DE")),
    "es": (("hunspell-es", "es_ES"),),
    "fr": (("hunspell-fr-comprehensive", "fr"),),
    "it": (("hunspell-it", "it_IT"),),
    "nl": (("hunspell-nl", "nl"),),
    "pl": (("hunspell-pl", "pl_PL"),),
    "pt": (("hunspell-pt-br", "pt_BR"), ("hunspell-pt-pt", "pt_PT")),
    "kk": (("hunspell-kk", "kk_KZ"),),
    "ru": (("hunspell-ru", "ru_RU"),),
    "uk": (("hunspell-uk", "uk_UA"),),
}
_LISTS = {
    "en": (("wamerican-huge", "american-english-huge"), ("wbritish-huge", "british-english-huge")),
    "de": (("wngerman", "ngerman"),),
    "es": (("wspanish", "spanish"),),
    "fr": (("wfrench", "french"),),
    "it": (("witalian", "italian"),),
    "nl": (("wdutch", "dutch"),),
    "pl": (("wpolish", "polish"),),
    "pt": (("wportuguese", "portuguese"),),
    "uk": (("wukrainian", "ukrainian"),),
}


@dataclass(slots=True)
class Vocabulary:
    """The words of a language that fit the game.

    `spellings` maps a canonical word to the ways it is written and the packages that write it so;
    `headwords` are spellings that a dictionary lists itself; `capitalised` are canonical words
    that some dictionary writes with a capital, where common nouns are not written so.
    """

    language: Language
    spellings: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    headwords: set[str] = field(default_factory=set)
    capitalised: set[str] = field(default_factory=set)

    def take(self, spelling: str, package: str) -> bool:
        """Take a spelling in if it fits the game, and tell whether it did."""
        word = fitting(self.language, spelling)
        if word is None:
            return False
        if not _may_be_written(self.language, spelling):
            if not _capitalises_nouns(self.language):
                self.capitalised.add(word)
            return False
        self.spellings.setdefault(word, {}).setdefault(spelling, set()).add(package)
        return True

    def packages(self, word: str) -> set[str]:
        """Give the packages that hold a canonical word in any spelling."""
        return set().union(*self.spellings.get(word, {}).values())


def fitting(language: Language, spelling: str) -> str | None:
    """Give the canonical form of a spelling if it is as long as a word of the game must be."""
    word = canonical(language, spelling)
    return word if word is not None and len(word) in WORD_LENGTHS else None


def read(code: str, unpacked: Path) -> Vocabulary:
    """Read all dictionaries of a language from the unpacked packages."""
    vocabulary = Vocabulary(LANGUAGES[code])
    for package, name in _HUNSPELL.get(code, ()):
        base = unpacked / package / "usr/share/hunspell" / name
        for stem, forms in expanded(base):
            for form in forms:
                if vocabulary.take(form, package) and form == stem.word:
                    vocabulary.headwords.add(form)
    for package, name in _LISTS.get(code, ()):
        for spelling in lines(unpacked / package / "usr/share/dict" / name):
            vocabulary.take(spelling, package)
    return vocabulary


def expanded(base: Path) -> Iterator[tuple[hunspell.Stem, list[str]]]:
    """Give the stems of a dictionary, each with its forms, without what the dictionary forbids."""
    affixes = hunspell.read_affixes(base.with_name(base.name + ".aff"))
    stems = list(hunspell.read_stems(base.with_name(base.name + ".dic"), affixes))
    forbidden = hunspell.forbidden(stems, affixes)
    for stem in stems:
        forms = set(hunspell.forms(stem, affixes, _LONGEST_SPELLING)) - forbidden
        yield stem, sorted(forms)


def lines(path: Path) -> Iterable[str]:
    """Give the lines of a UTF-8 text that are not blank, trimmed."""
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        if line.strip():
            yield line.strip()


def _may_be_written(language: Language, spelling: str) -> bool:
    if _capitalises_nouns(language):
        return spelling[1:] == spelling[1:].lower()
    return spelling == spelling.lower()


def _capitalises_nouns(language: Language) -> bool:
    return language.code == "de"
