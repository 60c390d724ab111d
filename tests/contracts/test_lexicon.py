"""The lexicon on files is held to its port (R3.6, R9.5)."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from wordle_tournament.adapters.words import FileLexicon
from wordle_tournament.ports.outside import Lexicon

GUESSES = ["ähre", "änne", "aber", "haus", "zoll", "über"]


@pytest.fixture
def lexicon(tmp_path: Path) -> Lexicon:
    folder = tmp_path / "de"
    folder.mkdir()
    (folder / "guesses-4.txt").write_text("".join(f"{w}\n" for w in sorted(GUESSES)), "utf-8")
    (folder / "answers-4.txt").write_text("haus\nüber\n", "utf-8")
    (folder / "guesses-5.txt").write_text("", "utf-8")
    return FileLexicon(tmp_path)


def test_every_listed_word_is_allowed(lexicon: Lexicon) -> None:
    """R3.6"""
    assert all(lexicon.allows("de", 4, word) for word in GUESSES)


@pytest.mark.parametrize("word", ["", "aaaa", "zzzz", "hau", "hauss", "au\nh", "ber\n", "ßßßß"])
def test_no_other_word_is_allowed(lexicon: Lexicon, word: str) -> None:
    """R3.6"""
    assert not lexicon.allows("de", 4, word)


def test_an_empty_list_allows_nothing(lexicon: Lexicon) -> None:
    """R3.6"""
    assert not lexicon.allows("de", 5, "hause")


def test_answers_come_sorted(lexicon: Lexicon) -> None:
    """R9.5"""
    assert list(lexicon.answers("de", 4)) == ["haus", "über"]


def test_a_list_that_does_not_exist_is_a_fault(lexicon: Lexicon) -> None:
    """R9.1"""
    with pytest.raises(FileNotFoundError):
        lexicon.allows("xx", 4, "haus")


def test_the_first_use_may_come_from_many_threads_at_once() -> None:
    """R3.6"""
    lexicon = FileLexicon()
    words = list(lexicon.answers("en", 5))[:50]
    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(lambda word: lexicon.allows("en", 5, word), words))


def test_the_shipped_lists_are_found_without_being_told_where() -> None:
    """R9.5"""
    lexicon = FileLexicon()
    assert lexicon.allows("uz", 5, "özbek") or lexicon.answers("uz", 5)
    assert not lexicon.allows("en", 5, "zzzzz")
