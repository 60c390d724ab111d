"""The referee's own rules against worked-out cases."""

from __future__ import annotations

import pytest

from tests.rules.cases import read_cases
from wordle_tools.referee import oracle

MARKS: dict[str, str] = {"C": "correct", "P": "present", "A": "absent"}
FATES: dict[str, oracle.Fate] = {"W": "survived", "B": "survived", "Q": "left"}


@pytest.mark.parametrize(("word", "guess", "marks"), read_cases("marks"))
def test_marks_are_those_worked_out(word: str, guess: str, marks: str) -> None:
    """R3.7"""
    assert oracle.marks(word, guess) == tuple(MARKS[mark] for mark in marks)


@pytest.mark.parametrize(("before", "outcomes", "places"), read_cases("places"))
def test_places_are_those_worked_out(before: str, outcomes: str, places: str) -> None:
    """R4.4"""
    fates: dict[str, oracle.Fate] = {}
    for seat, (lives, outcome) in enumerate(
        zip(before.split(","), outcomes.split(","), strict=True)
    ):
        lost_the_last = outcome in "LD" and lives == "1"
        fates[f"p{seat}"] = "out" if lost_the_last else FATES.get(outcome, "survived")
    fixed = oracle.places(fates)
    expected = {f"p{n}": int(p) for n, p in enumerate(places.split(",")) if p != "-"}
    assert fixed == expected


@pytest.mark.parametrize(("ratings", "places", "changes"), read_cases("ratings"))
def test_rating_changes_are_those_worked_out(ratings: str, places: str, changes: str) -> None:
    """R5.3"""
    names = [f"p{seat}" for seat in range(8)]
    before = dict(zip(names, map(int, ratings.split(",")), strict=True))
    final = dict(zip(names, map(int, places.split(",")), strict=True))
    found = [oracle.rating_change(name, before, final) for name in names]
    assert found == list(map(int, changes.split(",")))


def test_whoever_is_still_in_counts_as_better() -> None:
    """R5.5: the change is known as soon as the place is fixed."""
    ratings = dict.fromkeys((f"p{seat}" for seat in range(8)), 1000)
    assert oracle.rating_change("p0", ratings, {"p0": 8}) == -25
    assert oracle.rating_change("p0", ratings, {"p0": 7, "p1": 8}) == -18
