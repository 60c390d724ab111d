"""Rating changes (R5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.cases import read_cases
from tests.rules.oracles import oracle_rating_changes
from wordle_tournament.rules.rating import (
    INITIAL_RATING,
    mean_rating,
    rating_change,
    round_half_away,
)

RATINGS = st.lists(st.integers(-500, 4000), min_size=8, max_size=8)


def _final_places(merits: list[int]) -> list[int]:
    return [1 + sum(other > merit for other in merits) for merit in merits]


PLACES = st.lists(st.integers(0, 7), min_size=8, max_size=8).map(_final_places)


def _changes(ratings: list[int], places: list[int]) -> list[int]:
    everybody = list(zip(ratings, places, strict=True))
    return [
        rating_change(rating, place, everybody[:at] + everybody[at + 1 :])
        for at, (rating, place) in enumerate(everybody)
    ]


@pytest.mark.parametrize(("ratings", "places", "changes"), read_cases("ratings"))
def test_changes_are_those_worked_out_by_hand(ratings: str, places: str, changes: str) -> None:
    """R5.3"""
    computed = _changes(
        [int(rating) for rating in ratings.split(",")], [int(place) for place in places.split(",")]
    )

    assert computed == [int(change) for change in changes.split(",")]


def test_everybody_starts_at_1000() -> None:
    """R5.1"""
    assert INITIAL_RATING == 1000


@given(RATINGS, PLACES)
def test_changes_agree_with_fifty_digits(ratings: list[int], places: list[int]) -> None:
    """R5.3: rounded once, on the sum, halves away from zero."""
    assert _changes(ratings, places) == oracle_rating_changes(ratings, places)


@given(RATINGS, PLACES)
def test_places_still_open_count_as_better(ratings: list[int], places: list[int]) -> None:
    """R5.2, R5.5: the change at the moment the place is fixed is the one of the very end."""
    for at, (rating, place) in enumerate(zip(ratings, places, strict=True)):
        others = [
            (theirs, None if their_place < place else their_place)
            for number, (theirs, their_place) in enumerate(zip(ratings, places, strict=True))
            if number != at
        ]
        assert rating_change(rating, place, others) == _changes(ratings, places)[at]


@given(RATINGS, PLACES)
def test_nobody_gains_what_nobody_loses(ratings: list[int], places: list[int]) -> None:
    """R5.3: each comparison is a zero-sum duel; only the eight roundings are left over."""
    assert abs(sum(_changes(ratings, places))) <= 4


@given(RATINGS, PLACES)
def test_no_change_exceeds_the_stake(ratings: list[int], places: list[int]) -> None:
    """R5.3"""
    assert all(-50 <= change <= 50 for change in _changes(ratings, places))


@given(RATINGS, PLACES)
def test_a_better_place_never_pays_less(ratings: list[int], places: list[int]) -> None:
    """R5.2"""
    others = list(zip(ratings, places, strict=True))[1:]
    changes = [rating_change(ratings[0], place, others) for place in range(1, 9)]

    assert changes == sorted(changes, reverse=True)


@pytest.mark.parametrize(
    ("value", "rounded"),
    [(0.5, 1), (-0.5, -1), (1.5, 2), (-1.5, -2), (2.5, 3), (-2.5, -3), (0.49, 0), (-0.49, 0)],
)
def test_halves_are_rounded_away_from_zero(value: float, rounded: int) -> None:
    """R5.3"""
    assert round_half_away(value) == rounded


@pytest.mark.parametrize(
    ("ratings", "mean"),
    [([1000], 1000), ([1000, 1001], 1001), ([1000, 1000, 1001], 1000), ([700, 1300, 1001], 1000)],
)
def test_a_party_is_looked_for_by_its_rounded_mean(ratings: list[int], mean: int) -> None:
    """R8.3"""
    assert mean_rating(ratings) == mean


def test_members_of_a_party_may_be_far_apart() -> None:
    """R8.3"""
    assert mean_rating([400, 1900]) == 1150
