"""Drawn identifiers."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.examples import MS, NOW
from wordle_tournament.rules.ids import draw_id, draw_tournament_id

LOOK_ALIKES_AND_VOWELS = set("01lo" + "aeiouy" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ")


@given(st.integers(), st.integers(1, 40))
def test_an_id_can_be_read_aloud_and_spells_no_word(seed: int, length: int) -> None:
    """No look-alike characters, no vowels, no capitals."""
    drawn = draw_id(random.Random(seed), length)

    assert len(drawn) == length
    assert drawn.isascii()
    assert drawn.isalnum()
    assert not LOOK_ALIKES_AND_VOWELS & set(drawn)


def test_every_character_is_drawn_equally_often() -> None:
    """So that an id is as hard to guess as its length promises."""
    drawn = draw_id(random.Random(2), 27_000)

    assert len(set(drawn)) == 27
    assert all(abs(drawn.count(character) - 1_000) < 160 for character in set(drawn))


@pytest.mark.parametrize("later", [1, 26, 27, 1_000, 86_400_000, 10**12])
def test_ids_of_later_tournaments_sort_after_earlier_ones(later: int) -> None:
    """A millisecond apart is enough, whatever is drawn."""
    for seed in range(20):
        chance = random.Random(seed)
        earlier_id = draw_tournament_id(chance, NOW)
        assert earlier_id < draw_tournament_id(chance, NOW + later * MS)


def test_an_id_is_as_long_as_is_needed_against_guessing() -> None:
    """Twelve characters; nine for the time and eight by chance for a tournament."""
    assert len(draw_id(random.Random(1))) == 12
    assert len(draw_tournament_id(random.Random(1), NOW)) == 9 + 8


def test_tournaments_of_one_moment_differ() -> None:
    """R6.4"""
    chance = random.Random(1)

    assert len({draw_tournament_id(chance, NOW) for _ in range(1_000)}) == 1_000
