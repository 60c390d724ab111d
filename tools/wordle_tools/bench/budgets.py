"""Budgets, and what was measured against them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """One line of the design's table: what was measured, and the most that it may be."""

    what: str
    measured: float
    most: float
    unit: str = ""
    against: str = ""

    @property
    def holds(self) -> bool:
        """Whether it is within the budget."""
        return self.measured <= self.most

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "OVER"
        numbers = f"{self.measured:8.2f}  of {self.most:8.2f} {self.unit:12}"
        return f"{verdict:6}{self.what:48}{numbers}{self.against}".rstrip()
