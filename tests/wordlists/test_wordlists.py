"""The word lists as they are shipped (R9)."""

from functools import cache
from pathlib import Path

import pytest

import wordlists
from wordle_tools.words import digests, notice, overrides
from wordle_tools.words.sources import sources
from wordle_tournament.rules.languages import LANGUAGES, WORD_LENGTHS, canonical, display

SHIPPED = Path(wordlists.__file__).parent
FOLDER = SHIPPED.parents[1]

FEWEST_GUESSES = {
    "en": (5349, 11782, 20784),
    "id": (2335, 6705, 6905),
    "de": (2418, 6559, 13221),
    "es": (2858, 10195, 23936),
    "fr": (2423, 7357, 17149),
    "it": (2114, 6442, 15239),
    "nl": (2935, 5938, 12408),
    "uz": (3367, 8150, 12289),
    "pl": (8860, 29754, 66541),
    "pt": (4674, 18266, 47625),
    "kk": (3353, 9209, 13579),
    "ru": (6475, 20002, 43487),
    "uk": (7237, 26961, 67142),
}
FEWEST_ANSWERS = 300

MODERN = {
    "en": "selfie emoji drone vegan chat blog meme tweet",
    "id": "selfie emoji drone vegan chat blog meme surel admin input fitur",
    "de": "selfie emoji drohne vegan chat blog meme tweet",
    "es": "selfie selfi emoji dron drones vegano chat blog meme tuit",
    "fr": "selfie emoji drone vegan tchat chat blog meme tweet",
    "it": "selfie emoji drone vegano chat blog meme tweet",
    "nl": "selfie emoji drone vegan chat blog meme tweet",
    "uz": "selfi emoji dron vegan chat blog tvit",
    "pl": "selfie emoji dron wege czat blog memy lajk hejt",
    "pt": "selfie emoji drone vegano chat blog meme tuite",
    "kk": "селфи эмодзи дрон веган чатта блог лайк",
    "ru": "селфи эмодзи дрон веган чаты блог лайк хайп смузи коуч фитнес",
    "uk": "селфі емодзі дрон веган чати блог лайк хайп",
}

CELLS = [(code, length) for code in LANGUAGES for length in WORD_LENGTHS]
cells = pytest.mark.parametrize(("code", "length"), CELLS)
each_language = pytest.mark.parametrize("code", list(LANGUAGES))


@cache
def listed(code: str, kind: str, length: int) -> tuple[str, ...]:
    """The lines of a list file."""
    text = (SHIPPED / code / f"{kind}-{length}.txt").read_bytes().decode("utf-8")
    assert "\r" not in text
    assert text.endswith("\n")
    return tuple(text.removesuffix("\n").split("\n"))


def every(code: str, kind: str) -> set[str]:
    """All words of a language, whatever their length."""
    return {word for length in WORD_LENGTHS for word in listed(code, kind, length)}


@cells
def test_there_are_enough_words(code: str, length: int) -> None:
    """R9.2"""
    assert len(listed(code, "answers", length)) >= FEWEST_ANSWERS
    assert len(listed(code, "guesses", length)) >= FEWEST_GUESSES[code][length - WORD_LENGTHS[0]]


@cells
def test_every_answer_is_a_guess(code: str, length: int) -> None:
    """R9.5"""
    assert set(listed(code, "answers", length)) <= set(listed(code, "guesses", length))


@cells
@pytest.mark.parametrize("kind", ["guesses", "answers"])
def test_words_are_sorted_canonical_and_as_long_as_they_should_be(
    code: str, kind: str, length: int
) -> None:
    """R9.4"""
    words = listed(code, kind, length)
    alphabet = set(LANGUAGES[code].alphabet)
    assert list(words) == sorted(set(words))
    assert all(len(word) == length and set(word) <= alphabet for word in words)


@cells
def test_every_word_can_be_typed_as_it_is_shown(code: str, length: int) -> None:
    """R9.4"""
    language = LANGUAGES[code]
    words = listed(code, "answers", length) + listed(code, "guesses", length)[::7]
    assert all(canonical(language, display(language, word)) == word for word in words)


@each_language
def test_words_of_today_can_be_guessed(code: str) -> None:
    """R9.5"""
    words = {canonical(LANGUAGES[code], typed) for typed in MODERN[code].split()}
    assert words <= every(code, "guesses")


@each_language
def test_no_slur_can_be_guessed(code: str) -> None:
    """R3.6"""
    slurs = digests.read(FOLDER / "blocked/guesses.txt").get(code, frozenset())
    found = [word for word in every(code, "guesses") if digests.digest(code, word) in slurs]
    assert found == []


@each_language
def test_no_offensive_word_is_hidden(code: str) -> None:
    """R9.5"""
    blocked = digests.read(FOLDER / "blocked/answers.txt")[code]
    found = [word for word in every(code, "answers") if digests.digest(code, word) in blocked]
    assert found == []


def test_every_language_without_packaged_blocklist_has_one_of_its_own() -> None:
    """R3.6"""
    slurs = digests.read(FOLDER / "blocked/guesses.txt")
    for code, language in LANGUAGES.items():
        by_hand = overrides.read(FOLDER / "overrides" / f"{code}.txt", language)
        abuse = [decision for decision in by_hand if decision.reason == "abuse"]
        assert len(abuse) + len(slurs.get(code, ())) >= 15, code


@each_language
def test_overrides_were_applied(code: str) -> None:
    """R9.5"""
    guesses, answers = every(code, "guesses"), every(code, "answers")
    for decision in overrides.read(FOLDER / "overrides" / f"{code}.txt", LANGUAGES[code]):
        place = guesses if decision.kind == "guess" else answers
        assert (decision.word in place) == decision.adds, decision


def test_uzbek_and_ukrainian_answers_are_spelled_without_a_mark_that_is_no_tile() -> None:
    """R9.4"""
    assert "sanat" in every("uz", "guesses") - every("uz", "answers")
    assert "сімя" in every("uk", "guesses") - every("uk", "answers")


@each_language
def test_the_report_tells_the_sizes_of_the_lists_as_they_are(code: str) -> None:
    """The report is evidence only as long as it is about these lists."""
    report = (FOLDER / "REPORT.md").read_text(encoding="utf-8")
    sizes = [
        str(len(listed(code, kind, length)))
        for kind in ("guesses", "answers")
        for length in WORD_LENGTHS
    ]
    assert f"| {code} | {' | '.join(sizes)} |" in report


def test_every_source_is_credited_with_its_licence() -> None:
    """The lists go out only with the notices that their licences ask for."""
    text = (SHIPPED / "NOTICE.md").read_text(encoding="utf-8")
    assert text == notice.notice(sources()) == (FOLDER / "NOTICE.md").read_text(encoding="utf-8")
    for source in sources():
        assert f"`{source.package}` {source.version}" in text
        assert source.licence in text
        assert source.copyright in text


def test_the_licences_travel_with_the_lists() -> None:
    """Every licence that the lists stand under is in the layer in full."""
    texts = {path.stem for path in (SHIPPED / "LICENSES").iterdir()}
    assert texts >= {
        "Apache-2.0",
        "BSD-3-Clause",
        "CC-BY-SA-4.0",
        "GPL-3.0-only",
        "Lebedev",
        "MIT",
        "SCOWL",
        "Unicode-3.0",
    }
