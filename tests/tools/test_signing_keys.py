"""Rotating keys shuts nobody out, whenever it is cut off."""

from datetime import UTC, datetime, timedelta

import pytest

from wordle_tools.signing_keys import (
    RefusedError,
    Ring,
    age_of_next,
    signing_with_next,
    with_next,
    without,
)

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
FIRST = Ring("k1", {"k1": "x" * 64})


def test_a_new_key_does_not_sign_before_all_functions_know_it() -> None:
    ring = with_next(FIRST, NOW)

    assert ring.current == "k1"
    assert list(ring.keys) == ["k1", "k20260101T120000Z"]
    assert len(ring.keys["k20260101T120000Z"]) == 64
    assert age_of_next(ring, NOW + timedelta(seconds=70)) == timedelta(seconds=70)


def test_the_new_key_signs_and_the_earlier_ones_stay_trusted() -> None:
    ring = signing_with_next(with_next(FIRST, NOW))

    assert ring.current == "k20260101T120000Z"
    assert ring.keys["k1"] == FIRST.keys["k1"]
    later = signing_with_next(with_next(ring, NOW + timedelta(days=90)))
    assert list(later.keys) == ["k1", "k20260101T120000Z", "k20260401T120000Z"]
    assert later.current == "k20260401T120000Z"


def test_a_rotation_that_was_cut_off_goes_on_with_the_key_it_added() -> None:
    cut_off = with_next(FIRST, NOW)

    assert with_next(cut_off, NOW + timedelta(hours=1)) == cut_off


def test_a_key_is_removed_unless_it_signs() -> None:
    ring = signing_with_next(with_next(FIRST, NOW))

    assert list(without(ring, "k1").keys) == ["k20260101T120000Z"]
    with pytest.raises(RefusedError, match="signs"):
        without(ring, ring.current)
    with pytest.raises(RefusedError, match="no key k2"):
        without(ring, "k2")


def test_no_key_is_told_by_the_ring() -> None:
    assert "x" * 64 not in repr(FIRST)
