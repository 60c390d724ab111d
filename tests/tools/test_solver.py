"""The solver that plays a word from the rows seen so far."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.oracles import oracle_marks
from wordle_tools.solver import Row, Solver, marks

WORDS = ["abba", "acca", "adda", "baba", "caca", "dada", "abcd", "dcba", "bbbb", "cdcd"]
NAMES = {"C": "correct", "P": "present", "A": "absent"}

words = st.sampled_from(WORDS)


@given(st.text("abc", min_size=5, max_size=5), st.text("abc", min_size=5, max_size=5))
def test_a_guess_is_marked_as_in_the_game(secret: str, guess: str) -> None:
    """R3.7"""
    assert marks(guess, secret) == tuple(NAMES[mark] for mark in oracle_marks(secret, guess))


@given(words, st.lists(words, max_size=4))
def test_candidates_are_exactly_the_words_that_fit(secret: str, guesses: list[str]) -> None:
    """R3.7"""
    rows: list[Row] = [(guess, marks(guess, secret)) for guess in guesses]
    fitting = [w for w in WORDS if all(marks(g, w) == tuple(seen) for g, seen in rows)]
    assert Solver(WORDS).candidates(rows) == fitting


@given(words)
def test_likely_words_come_first(secret: str) -> None:
    """R3.1"""
    rows: list[Row] = [("bbbb", marks("bbbb", secret))]
    likely = Solver(WORDS, [secret]).candidates(rows)
    assert likely == [secret]


@pytest.mark.parametrize("strength", ["easy", "good"])
@given(secret=words, seed=st.integers())
def test_a_listed_word_is_found_within_twelve_rows(strength: str, secret: str, seed: int) -> None:
    """R3.2"""
    solver = Solver(WORDS, strength="easy" if strength == "easy" else "good", random=Random(seed))
    rows: list[Row] = []
    while len(rows) < 12:
        guess = solver.next_guess(rows)
        assert guess in WORDS
        rows.append((guess, marks(guess, secret)))
        if guess == secret:
            break
    assert rows[-1][0] == secret


def test_some_allowed_word_is_guessed_when_none_fits() -> None:
    """R3.6"""
    impossible: list[Row] = [("abba", ("correct",) * 4), ("adda", ("correct",) * 4)]
    assert Solver(WORDS, random=Random(1)).next_guess(impossible) in WORDS
