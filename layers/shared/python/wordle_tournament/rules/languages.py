"""The thirteen languages: letters, keyboards and what counts as the same spelling (R9.1, R9.4)."""

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from wordle_tournament.rules.immutable import immutable

WORD_LENGTHS = (4, 5, 6)
"""The lengths of a hidden word, in letters (R9.2)."""

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_APOSTROPHES = re.compile(
    "['`\u00b4\u02b9-\u02bf\u02c8\u02ca\u02cb\u2018-\u201b\u2032\u2035\u055a\ua78b\ua78c\uff07\uff40]"
)
_APOSTROPHE = "\u02bb"
_LONGEST_RUN_OF_MARKS = 8


@immutable
class Language:
    """One language of the game.

    `alphabet` holds the canonical letters, one code point each: `len` of a canonical word is its
    length in letters. `keyboard` holds rows of letters as they are shown. `folds` are pairs of a
    regular expression and what it becomes, applied in order to lower-case text in which every
    apostrophe is U+02BB; `shown` pairs the few canonical letters that are written otherwise
    with how they are written.
    """

    code: str
    name: str
    endonym: str
    alphabet: str
    keyboard: tuple[tuple[str, ...], ...]
    folds: tuple[tuple[str, str], ...]
    drops_accents: bool = False
    misspelling: str | None = None
    shown: tuple[tuple[str, str], ...] = ()


def canonical(language: Language, typed: str) -> str | None:
    """Give the one spelling that stands for everything a player may type for the same word.

    None means that the language cannot spell it. Invisible characters, soft hyphens and
    surrounding blanks are dropped, so that of blanks the empty word is left; capitals,
    compatibility forms and decomposed letters are folded.
    """
    text = _INVISIBLE.sub("", typed).strip()
    if _floods_with_marks(text):
        return None
    text = unicodedata.normalize("NFKC", _APOSTROPHES.sub(_APOSTROPHE, text))
    text = text.replace("İ", "i").lower()
    if language.drops_accents:
        text = "".join(_without_accents(language, character) for character in text)
    for spelling, letters_meant in language.folds:
        text = re.sub(spelling, letters_meant, text)
    if any(character not in language.alphabet for character in text):
        return None
    if language.misspelling and re.search(language.misspelling, text):
        return None
    return text


def letters(language: Language, canonical: str) -> tuple[str, ...]:
    """Give the letters of a canonical word as they are shown, one per tile."""
    shown = dict(language.shown)
    return tuple(shown.get(letter, letter) for letter in canonical)


def display(language: Language, canonical: str) -> str:
    """Give a canonical word as it is shown to players."""
    return "".join(letters(language, canonical))


def _without_accents(language: Language, character: str) -> str:
    if character in language.alphabet:
        return character
    parts = unicodedata.normalize("NFD", character)
    return "".join(part for part in parts if not unicodedata.combining(part))


def _floods_with_marks(text: str) -> bool:
    run = 0
    for character in text:
        run = run + 1 if unicodedata.combining(character) else 0
        if run > _LONGEST_RUN_OF_MARKS:
            return True
    return False


def _rows(*rows: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row) for row in rows)


_LATIN = "abcdefghijklmnopqrstuvwxyz"
_QWERTY = _rows("qwertyuiop", "asdfghjkl", "zxcvbnm")
_LIGATURES = (("œ", "oe"), ("æ", "ae"), ("ı", "i"))
_STRESS = (("[\u0300\u0301]", ""), ("ѐ", "е"), ("ѝ", "и"))

_TABLE = (
    Language("en", "English", "English", _LATIN, _QWERTY, _LIGATURES, drops_accents=True),
    Language("id", "Indonesian", "Bahasa Indonesia", _LATIN, _QWERTY, _LIGATURES, True),
    Language(
        "de",
        "German",
        "Deutsch",
        alphabet=_LATIN + "äöüß",
        keyboard=_rows("qwertzuiopü", "asdfghjklöä", "yxcvbnmß"),
        folds=_LIGATURES,
        drops_accents=True,
    ),
    Language(
        "es",
        "Spanish",
        "Español",
        alphabet=_LATIN + "ñ",
        keyboard=_rows("qwertyuiop", "asdfghjklñ", "zxcvbnm"),
        folds=_LIGATURES,
        drops_accents=True,
    ),
    Language(
        "fr",
        "French",
        "Français",
        alphabet=_LATIN,
        keyboard=_rows("azertyuiop", "qsdfghjklm", "wxcvbn"),
        folds=_LIGATURES,
        drops_accents=True,
    ),
    Language(
        "it",
        "Italian",
        "Italiano",
        alphabet=_LATIN,
        keyboard=_QWERTY,
        folds=(*_LIGATURES, (f"(?<=[aeiou]){_APOSTROPHE}\\Z", "")),
        drops_accents=True,
    ),
    Language("nl", "Dutch", "Nederlands", _LATIN, _QWERTY, _LIGATURES, drops_accents=True),
    Language(
        "uz",
        "Uzbek",
        "Oʻzbekcha",
        alphabet="abcdefghijklmnopqrstuvxyzöğ",
        keyboard=(
            ("q", "e", "r", "t", "y", "u", "i", "o", "p", "oʻ"),
            ("a", "s", "d", "f", "g", "h", "j", "k", "l", "gʻ"),
            tuple("zxcvbnm"),
        ),
        folds=(
            (f"o{_APOSTROPHE}|[õóŏ]", "ö"),
            (f"g{_APOSTROPHE}|ǵ", "ğ"),
            (_APOSTROPHE, ""),
            ("[şș]", "sh"),
            ("ç", "ch"),
            ("ñ", "ng"),
            ("ı", "i"),
        ),
        misspelling="c(?!h)",
        shown=(("ö", "oʻ"), ("ğ", "gʻ")),
    ),
    Language(
        "pl",
        "Polish",
        "Polski",
        alphabet="aąbcćdeęfghijklłmnńoóprsśtuwyzźż",
        keyboard=_rows("ąćęłńóśźż", "wertyuiop", "asdfghjkl", "zcbnm"),
        folds=_LIGATURES,
        drops_accents=True,
    ),
    Language("pt", "Portuguese", "Português", _LATIN, _QWERTY, _LIGATURES, drops_accents=True),
    Language(
        "kk",
        "Kazakh",
        "Қазақша",
        alphabet="аәбвгғдежзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя",
        keyboard=_rows("әіңғүұқөһ", "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
        folds=(*_STRESS, ("ё", "е")),
    ),
    Language(
        "ru",
        "Russian",
        "Русский",
        alphabet="абвгдежзийклмнопрстуфхцчшщъыьэюя",
        keyboard=_rows("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
        folds=(*_STRESS, ("ё", "е")),
    ),
    Language(
        "uk",
        "Ukrainian",
        "Українська",
        alphabet="абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
        keyboard=_rows("йцукенгшщзхї", "фівапролджє", "ґячсмитьбю"),
        folds=(*_STRESS, (_APOSTROPHE, "")),
    ),
)

LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {language.code: language for language in _TABLE}
)
"""The languages of the game by code, in the order they are told to players (R9.1)."""
