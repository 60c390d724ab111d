"""Marks of a guess (R3.7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.cases import read_cases
from tests.rules.oracles import oracle_marks
from wordle_tournament.rules.words import Mark, score_guess

LETTER_OF = {Mark.CORRECT: "C", Mark.PRESENT: "P", Mark.ABSENT: "A"}

WORD_AND_GUESS = st.integers(4, 6).flatmap(
    lambda length: st.tuples(
        st.text("abcд", min_size=length, max_size=length),
        st.text("abcдz", min_size=length, max_size=length),
    )
)


def _marked(word: str, guess: str) -> str:
    return "".join(LETTER_OF[mark] for mark in score_guess(word, guess))


@pytest.mark.parametrize(("word", "guess", "marks"), read_cases("marks"))
def test_marks_are_those_worked_out_by_hand(word: str, guess: str, marks: str) -> None:
    """R3.7"""
    assert _marked(word, guess) == marks


@given(WORD_AND_GUESS)
def test_marks_agree_with_counting_letter_by_letter(words: tuple[str, str]) -> None:
    """R3.7"""
    assert _marked(*words) == oracle_marks(*words)


@given(WORD_AND_GUESS)
def test_a_letter_is_marked_as_often_as_both_words_have_it(words: tuple[str, str]) -> None:
    """R3.7: never more often than the hidden word has it, and never less than it could be."""
    word, guess = words
    marks = score_guess(word, guess)
    for letter in set(guess):
        found = sum(
            mark is not Mark.ABSENT
            for tried, mark in zip(guess, marks, strict=True)
            if tried == letter
        )
        assert found == min(word.count(letter), guess.count(letter))


@given(WORD_AND_GUESS)
def test_correct_means_the_letter_in_its_place_and_nothing_else(words: tuple[str, str]) -> None:
    """R3.7"""
    word, guess = words
    for hidden, tried, mark in zip(word, guess, score_guess(word, guess), strict=True):
        assert (mark is Mark.CORRECT) == (hidden == tried)


@given(WORD_AND_GUESS)
def test_of_equal_misplaced_letters_the_left_ones_are_present(words: tuple[str, str]) -> None:
    """R3.7: after an absent letter the same letter is present nowhere further right."""
    word, guess = words
    marks = score_guess(word, guess)
    for letter in set(guess):
        own = [mark for tried, mark in zip(guess, marks, strict=True) if tried == letter]
        misplaced = [mark for mark in own if mark is not Mark.CORRECT]
        assert misplaced == sorted(misplaced, key=lambda mark: mark is Mark.ABSENT)


def test_words_of_different_lengths_are_a_fault() -> None:
    """R3.7: marks exist only letter against letter."""
    with pytest.raises(ValueError, match="zip"):
        score_guess("crane", "cranes")
