"""Nicknames, made up and chosen."""

import random
import unicodedata
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wordle_tournament.rules.nicknames import (
    ADJECTIVES,
    MOST_CODE_POINTS,
    NOUNS,
    NUMBERS,
    check_nickname,
    make_nickname,
)
from wordle_tournament.rules.refusals import Code, Refusal

# Fragments that two innocent words, written together, must not spell by accident.
FRAGMENTS = """
    anal anus arse bitch boob cock crap cum cunt damn dick dumb dyke fag fat fuck gay hell hoe
    homo idiot jew jap kkk kill lesb loser moron nazi negro nigg paki penis piss poop porn pube
    rape rapist retard satan scum semen sex shit slut spic stupid suck tit turd twat ugly vagina
    wank whore
"""
UNWANTED = tuple(FRAGMENTS.split())


def refused(text: str) -> str:
    with pytest.raises(Refusal) as refusal:
        check_nickname(text)
    assert refusal.value.code is Code.BAD_NICKNAME
    return refusal.value.message


@given(st.randoms(use_true_random=False))
def test_a_nickname_made_up_is_one_that_could_be_chosen(chance: random.Random) -> None:
    """R10.1, R10.2."""
    made = make_nickname(chance)
    assert check_nickname(made) == made


def test_every_nickname_that_can_be_made_up_is_short_enough() -> None:
    """R10.2."""
    for adjective, noun in product(ADJECTIVES, NOUNS):
        longest = f"{adjective} {noun} {max(NUMBERS)}"
        assert check_nickname(longest) == longest


def test_no_two_words_spell_an_insult_between_them() -> None:
    for adjective, noun in product(ADJECTIVES, NOUNS):
        text = f"{adjective}{noun}".lower()
        words = (adjective.lower(), noun.lower())
        assert not [
            part for part in UNWANTED if part in text and not any(part in word for word in words)
        ], text


def test_no_word_is_an_insult_or_holds_one_at_its_beginning() -> None:
    for word in (*ADJECTIVES, *NOUNS):
        assert not word.lower().startswith(UNWANTED)


def test_nicknames_are_many_and_no_word_comes_twice() -> None:
    words = (*ADJECTIVES, *NOUNS)
    assert len(set(words)) == len(words)
    assert len(ADJECTIVES) * len(NOUNS) * len(NUMBERS) > 200_000
    chance = random.Random(7)
    assert len({make_nickname(chance) for _ in range(1000)}) > 990


@pytest.mark.parametrize(
    "name",
    [
        "Zoë-9_x",
        "a b",
        "12",
        "Анна 7",
        "Oʻtkir",
        "Сім'я".replace("'", "\u02bc"),
        "Nguyễn Phương",
        "Ἀθηνᾶ",
        "देवनागरी",
        "क्षत्रिय",
        "தொலைபேசி",
        "น้ำใจ",
        "ພາສາລາວ",
        "မြှောင့်",
        "ខ្មែរ",
        "שָׁלוֹם",
        "مُحَمَّد",
        "١٢٣",
        "さくらーサクラ々桜",
        "한글",
        "ㅋㅋ",
        "Kim민수",
        "ქართული",
        "አማርኛ",
        "Ба\u0301ба",
    ],
)
def test_letters_and_digits_of_any_script_make_a_nickname(name: str) -> None:
    """R10.2."""
    assert check_nickname(name) == unicodedata.normalize("NFC", name)


def test_a_nickname_is_trimmed_and_composed() -> None:
    """R10.2."""
    assert check_nickname("  Zoe\u0308 ") == "Zo\u00eb"


@pytest.mark.parametrize("name", ["", " ", "a", " a ", "கோ", "x" * 21, "é" * 21])
def test_a_nickname_has_two_to_twenty_characters(name: str) -> None:
    """R10.2."""
    assert refused(name) == "A nickname has 2 to 20 characters."


@pytest.mark.parametrize("name", ["ab", "x" * 20, "é" * 20, "e\u0301" * 20, "กี" * 20])
def test_marks_do_not_count_as_characters(name: str) -> None:
    """R10.2."""
    assert check_nickname(name) == unicodedata.normalize("NFC", name)


def test_a_nickname_has_a_bound_for_its_marks_too() -> None:
    assert len(check_nickname("ก" + "กี" * 19)) == 39
    assert "code points" in refused("กี้" * 20)


@pytest.mark.parametrize("name", ["a  b", "a   b"])
def test_spaces_are_single(name: str) -> None:
    """R10.2."""
    assert "two spaces" in refused(name)


@pytest.mark.parametrize("name", ["--", "__", "- _", "-_-"])
def test_a_nickname_has_something_to_read(name: str) -> None:
    assert "a letter or a digit" in refused(name)


@pytest.mark.parametrize(
    "name",
    [
        "a\nb",
        "ab\n",
        "a\tb",
        "a\u00a0b",
        "a\u3000b",
        "a\x00b",
        "a\u200bb",
        "a\u200db",
        "a\u202eb",
        "a\u2066b",
        "\ufeffab",
        "a\u00adb",
        "a.b",
        "a@b",
        "<b>",
        "ab!",
        "O'Hara",
        "O\u2019Hara",
        "🙂🙂",
        "★★",
        "ⓐⓑ",
        "Ⅳ x",
        "½ x",
        "x²",
        "\ue000\ue000",
        "\ud800\ud800",
        "\u0378\u0378",
    ],
)
def test_anything_but_letters_digits_spaces_hyphens_and_underscores_is_refused(name: str) -> None:
    """R10.2."""
    assert "letters, digits" in refused(name)


@pytest.mark.parametrize(
    "name",
    ["𝓗𝓲", "ＡＢ", "ﬁx", "xª", "\u3164\u3164", "\uffa0x", "\u115f\u1160", "ˇˇ", "ˈab", "𝟙𝟚", "Ǆa"],
)
def test_characters_that_only_look_plain_and_those_that_look_like_nothing_are_refused(
    name: str,
) -> None:
    assert "plain letters" in refused(name)


@pytest.mark.parametrize("name", ["Аnna", "pаypal", "Αnna", "さくらа", "abגד", "กa", "1a2б", "١a"])
def test_letters_of_scripts_that_nobody_writes_together_are_refused(name: str) -> None:
    assert "one script" in refused(name)


@pytest.mark.parametrize(
    "name",
    [
        "z\u0300\u0301a",
        "z\u0338\u0335a",
        "s\u0336t\u0336",
        "ส็็็็ab",
        "a\u20ddb",
        "\u0301ab",
        " \u0301ab",
        "1\u0301a",
        "_\u0301a",
        "कa\u093e",
        "a\u093eb",
        "ក\u17b4ក",
        "ab\ufe0f",
        "a\u034fb",
    ],
)
def test_marks_stand_only_where_a_script_has_them(name: str) -> None:
    assert "marks" in refused(name) or "letters, digits" in refused(name)


@pytest.mark.parametrize("name", ["\u02bbab", "a\u02bb\u02bb", "1\u02bbb", "桜\u02bb桜"])
def test_a_letter_apostrophe_follows_a_letter_that_takes_one(name: str) -> None:
    assert "apostrophe" in refused(name)


@given(st.text(max_size=30) | st.text(st.characters(categories=["L", "M", "Zs"]), max_size=24))
@example("Ångström")
@example("\u212b\u0345\u0300 b")
def test_whatever_is_typed_is_taken_in_a_form_that_stays_or_refused(text: str) -> None:
    """R10.2."""
    try:
        name = check_nickname(text)
    except Refusal as refusal:
        name = None
        code = refusal.code
    if name is None:
        assert code is Code.BAD_NICKNAME
    else:
        assert check_nickname(name) == name
        assert unicodedata.is_normalized("NFC", name)
        assert 2 <= len(name) <= MOST_CODE_POINTS
        assert name.encode()


@given(st.text(st.sampled_from("abéяжא中かカ한 -_09\u0301\u093eक\u200b"), max_size=22))
def test_every_nickname_keeps_the_rule_as_it_is_written(text: str) -> None:
    """R10.2."""
    try:
        name = check_nickname(text)
    except Refusal:
        return
    assert name == name.strip()
    assert "  " not in name
    assert all(
        one in " -_" or unicodedata.category(one)[0] in "LM" or one.isdigit() for one in name
    )
