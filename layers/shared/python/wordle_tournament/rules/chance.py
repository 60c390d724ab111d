"""Randomness, handed in from outside; `random.Random` and its secure sibling are such."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Chance(Protocol):
    """A source of chance."""

    def random(self) -> float:
        """Draw evenly from 0 to 1, 1 excluded."""

    def choice(self, seq: Sequence[T], /) -> T:
        """Draw one, each equally likely."""
