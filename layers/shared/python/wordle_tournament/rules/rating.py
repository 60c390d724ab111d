"""Rating: a final place counts like one duel against each of the others (R5)."""

import math
from collections.abc import Iterable

INITIAL_RATING = 1000
"""The rating everybody starts with (R5.1)."""

_FULL_STAKE = 50
_POINTS_PER_DECADE = 400


def rating_change(rating: int, place: int, others: Iterable[tuple[int, int | None]]) -> int:
    """Compute the change for a fixed `place` against the seven `others` (R5.2, R5.3).

    `others` are (rating at the start, place); a place of None is still open, and then better.
    """
    rivals = list(others)
    surplus = sum(
        _score(place, their_place) - _expected(rating, their_rating)
        for their_rating, their_place in rivals
    )
    return round_half_away(_FULL_STAKE / len(rivals) * surplus)


def round_half_away(value: float) -> int:
    """Round to the nearest integer, halves away from zero."""
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


def mean_rating(ratings: Iterable[int]) -> int:
    """Compute the rating by which a party of players is looked for (R8.3)."""
    members = list(ratings)
    return round_half_away(sum(members) / len(members))


def _score(place: int, their_place: int | None) -> float:
    if their_place is None or their_place < place:
        return 0.0
    return 0.5 if their_place == place else 1.0


def _expected(rating: int, their_rating: int) -> float:
    return float(1 / (1 + 10 ** ((their_rating - rating) / _POINTS_PER_DECADE)))
