"""Languages, their letters and the one spelling of a word (R9.1, R9.4)."""

import re
import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.cases import read_cases
from wordle_tournament.rules.languages import LANGUAGES, Language, canonical, display, letters

CODES = ["en", "id", "de", "es", "fr", "it", "nl", "uz", "pl", "pt", "kk", "ru", "uk"]
LATIN = [code for code in CODES if code not in ("kk", "ru", "uk")]
APOSTROPHES = "'`´ʹʻʼʽʾʿˈˊˋ‘’‛′‵ꞌ＇｀"
INVISIBLE = (
    "\u00ad\u034f\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2066\u2069\ufe0f\ufeff"
)

FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")

languages = st.sampled_from(list(LANGUAGES.values()))


@st.composite
def spelled(draw: st.DrawFn) -> tuple[Language, str]:
    """A language and a word of its letters, as it is shown."""
    language = draw(languages)
    word = draw(st.text(language.alphabet, min_size=1, max_size=8))
    if language.misspelling:
        word = re.sub(language.misspelling, "k", word)
    return language, display(language, word)


def _typed(text: str) -> str:
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), text)


def _shown(code: str, typed: str) -> str | None:
    word = canonical(LANGUAGES[code], typed)
    return None if word is None else display(LANGUAGES[code], word)


@pytest.mark.parametrize(("code", "typed", "shown", "length"), read_cases("words"))
def test_what_is_typed_becomes_what_is_shown(
    code: str, typed: str, shown: str, length: str
) -> None:
    """R9.4"""
    word = canonical(LANGUAGES[code], _typed(typed))
    if shown == "REFUSED":
        assert word is None
    else:
        assert word is not None
        assert (display(LANGUAGES[code], word), len(word)) == (shown, int(length))


def test_there_are_thirteen_languages() -> None:
    """R9.1"""
    assert list(LANGUAGES) == CODES
    assert all(language.code == code for code, language in LANGUAGES.items())


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda language: language.code)
def test_the_keyboard_has_every_letter_once(language: Language) -> None:
    """R9.4"""
    keys = [key for row in language.keyboard for key in row]
    assert sorted(keys) == sorted(letters(language, language.alphabet))


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda language: language.code)
def test_a_letter_is_one_lower_case_code_point(language: Language) -> None:
    """R9.4"""
    assert len(set(language.alphabet)) == len(language.alphabet)
    assert language.alphabet == language.alphabet.lower()
    assert unicodedata.is_normalized("NFC", language.alphabet)


@pytest.mark.parametrize("apostrophe", APOSTROPHES)
def test_every_apostrophe_makes_the_same_uzbek_letter(apostrophe: str) -> None:
    """R9.4"""
    assert _shown("uz", f"O{apostrophe}zbek") == "oʻzbek"
    assert _shown("uz", f"g{apostrophe}isht") == "gʻisht"
    assert _shown("uz", f"san{apostrophe}at") == "sanat"


@pytest.mark.parametrize("apostrophe", APOSTROPHES)
def test_an_apostrophe_is_nothing_in_ukrainian_and_an_accent_at_an_italian_end(
    apostrophe: str,
) -> None:
    """R9.4"""
    assert _shown("uk", f"м{apostrophe}яч") == "мяч"
    assert _shown("it", f"citta{apostrophe}") == "citta"
    assert _shown("it", f"l{apostrophe}ora") is None


@pytest.mark.parametrize("apostrophe", APOSTROPHES)
@pytest.mark.parametrize("code", ["en", "id", "de", "es", "fr", "nl", "pl", "pt", "kk", "ru"])
def test_no_other_language_spells_words_with_an_apostrophe(code: str, apostrophe: str) -> None:
    """R3.6"""
    letter = LANGUAGES[code].alphabet[0]
    assert _shown(code, f"{letter}{apostrophe}{letter}") is None


def test_uzbek_tiles_are_told_one_by_one() -> None:
    """R9.4"""
    word = canonical(LANGUAGES["uz"], "O‘zbek")
    assert word is not None
    assert letters(LANGUAGES["uz"], word) == ("oʻ", "z", "b", "e", "k")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("Õzbek", "oʻzbek"), ("ğisht", "gʻisht"), ("ǵisht", "gʻisht"), ("çoy", "choy")],
)
def test_the_reformed_uzbek_alphabets_are_understood(typed: str, shown: str) -> None:
    """R9.4"""
    assert _shown("uz", typed) == shown
    assert _shown("uz", unicodedata.normalize("NFD", typed)) == shown


def test_uzbek_has_no_c_without_h() -> None:
    """R3.6"""
    assert _shown("uz", "chang") == "chang"
    assert _shown("uz", "cang") is None


@given(spelled())
def test_what_is_shown_can_be_typed(case: tuple[Language, str]) -> None:
    """R9.4"""
    language, shown = case
    word = canonical(language, shown)
    assert word is not None
    assert display(language, word) == shown


@given(spelled())
def test_there_are_as_many_tiles_as_letters(case: tuple[Language, str]) -> None:
    """R9.4"""
    language, shown = case
    word = canonical(language, shown)
    assert word is not None
    assert len(letters(language, word)) == len(word)


@given(spelled())
def test_a_canonical_word_is_canonical(case: tuple[Language, str]) -> None:
    """R9.4"""
    language, shown = case
    word = canonical(language, shown)
    assert word is not None
    assert canonical(language, word) == word


@given(spelled(), st.sampled_from(FORMS))
def test_composed_and_decomposed_letters_are_the_same(
    case: tuple[Language, str], form: Literal["NFC", "NFD", "NFKC", "NFKD"]
) -> None:
    """R9.4"""
    language, shown = case
    assert canonical(language, unicodedata.normalize(form, shown)) == canonical(language, shown)


@given(spelled())
def test_capitals_are_the_same_letters(case: tuple[Language, str]) -> None:
    """R9.4"""
    language, shown = case
    capitals = shown.replace("ß", "ẞ").upper()
    assert canonical(language, capitals) == canonical(language, shown)


@given(spelled(), st.sampled_from(INVISIBLE), st.integers(0, 8))
def test_what_cannot_be_seen_is_not_there(
    case: tuple[Language, str], invisible: str, at: int
) -> None:
    """R9.4"""
    language, shown = case
    assert canonical(language, f" {shown[:at]}{invisible}{shown[at:]}\n") == canonical(
        language, shown
    )


@given(st.sampled_from(LATIN), st.text("abdehiklmnoprstu", min_size=1, max_size=6))
def test_full_width_letters_are_the_same(code: str, word: str) -> None:
    """R9.4"""
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in word)
    assert canonical(LANGUAGES[code], wide) == word


@pytest.mark.parametrize("code", LATIN)
@pytest.mark.parametrize("alike", "аеорсухіј")
def test_a_cyrillic_letter_that_looks_latin_is_refused(code: str, alike: str) -> None:
    """R3.6"""
    assert canonical(LANGUAGES[code], f"ban{alike}") is None


@pytest.mark.parametrize("code", ["kk", "ru", "uk"])
@pytest.mark.parametrize("alike", "aeopcyxih")
def test_a_latin_letter_that_looks_cyrillic_is_refused(code: str, alike: str) -> None:
    """R3.6"""
    assert canonical(LANGUAGES[code], f"кот{alike}") is None


@pytest.mark.parametrize("code", ["kk", "ru", "uk"])
@pytest.mark.parametrize("stress", ["\u0300", "\u0301"])
def test_a_stress_mark_is_dropped_on_every_vowel(code: str, stress: str) -> None:
    """R9.4"""
    vowels = [letter for letter in LANGUAGES[code].alphabet if letter in "аеиоуюя"]
    for vowel in vowels:
        assert canonical(LANGUAGES[code], f"к{vowel}{stress}т") == f"к{vowel}т"


@given(languages, st.text(st.characters(), max_size=60))
def test_whatever_is_typed_gives_a_word_of_the_alphabet_or_nothing(
    language: Language, typed: str
) -> None:
    """R3.6"""
    word = canonical(language, typed)
    assert word is None or set(word) <= set(language.alphabet)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " \n\t",
        "\x00",
        "\ud800",
        "a\udfffb",
        "\u202e",
        "\u0301" * 4000,
        "a" + "\u0301\u0316" * 2000,
        "\ufdfa" * 1300,
        "🟩🟨⬛",
        "c" * 4000,
    ],
)
@pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda language: language.code)
def test_nothing_that_is_sent_breaks_the_spelling(language: Language, typed: str) -> None:
    """R3.6"""
    word = canonical(language, typed)
    assert word in (None, "", "c" * 4000)
