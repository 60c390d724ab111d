"""Values of the game are told apart by their fields alone."""

from collections.abc import Mapping
from dataclasses import field, replace

import pytest

from wordle_tournament.rules.immutable import immutable


@immutable
class Spot:
    """A value of two fields, one of which is not shown."""

    row: int
    letter: str = field(default="a", repr=False)


@immutable
class Place:
    """A value with the fields of another one."""

    row: int
    letter: str = "a"


@immutable
class Board:
    """A value with a field that cannot be hashed."""

    spots: Mapping[int, Spot]


def test_values_of_one_kind_are_equal_when_their_fields_are() -> None:
    """What is stored is compared with what was meant to be."""
    assert Spot(1, "b") == replace(Spot(1), letter="b")
    assert Spot(1, "b") != Spot(1, "c")


def test_values_of_different_kinds_are_never_equal() -> None:
    """A view is no other view that happens to look like it."""
    place: object = Place(1)
    assert Spot(1) != place


def test_equal_values_have_one_hash() -> None:
    """They find each other in sets, which hold each of them once."""
    assert {Spot(1), Spot(1), Spot(2)} == {Spot(2), Spot(1)}


def test_a_value_that_holds_a_map_has_no_hash() -> None:
    """One whose parts could change is no key."""
    with pytest.raises(TypeError, match="unhashable"):
        hash(Board({1: Spot(1)}))


def test_a_representation_keeps_back_what_it_is_told_to() -> None:
    """Hidden words are never shown by accident (R3.10)."""
    assert repr(Spot(1, "b")) == "Spot(row=1)"


def test_a_value_has_no_room_for_anything_but_its_fields() -> None:
    """A misspelt field is found at once."""
    with pytest.raises(AttributeError):
        object.__setattr__(Spot(1), "lettre", "b")


def test_a_value_is_taken_apart_by_position() -> None:
    """Matching needs no names."""
    match Spot(2, "c"):
        case Spot(row, letter):
            assert (row, letter) == (2, "c")
