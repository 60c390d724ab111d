"""Quotas of an account, and how many tournaments a day it takes to reach one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

SECONDS_A_DAY = 86_400

_QUOTAS = Path(__file__).with_name("quotas.toml")


@dataclass(frozen=True, slots=True)
class Quota:
    """How much of something there is for a second; `uses` names it, `raised` how one gets more."""

    name: str
    uses: str
    allowed: float
    raised: Literal["on request", "by warming", "not"]
    source: str


@dataclass(frozen=True, slots=True)
class Reach:
    """How near so many tournaments a day come to a quota in the busiest second."""

    quota: Quota
    used: float
    reached_at: float
    """Tournaments a day."""

    @property
    def advice(self) -> str:
        """What to do about it; nothing while there is enough."""
        if self.used <= self.quota.allowed:
            return ""
        match self.quota.raised:
            case "on request":
                return f"ask for {self.used:,.0f}"
            case "by warming":
                return f"warm the table for {self.used:,.0f}, or let play grow slowly"
            case _:
                return "cannot be had"


@dataclass(frozen=True, slots=True)
class QuotaList:
    """All quotas, and when they were looked up."""

    as_of: date
    quotas: Sequence[Quota]

    def __str__(self) -> str:
        return f"quotas: looked up {self.as_of}, sources in {_QUOTAS.name}"


def read_quotas() -> QuotaList:
    """Read the list."""
    found = tomllib.loads(_QUOTAS.read_text(encoding="utf-8"))
    return QuotaList(found["as_of"], [Quota(**quota) for quota in found["quota"]])


def nearest_first(
    quotas: Sequence[Quota], of_one: Mapping[str, float], a_day: float, peak: float
) -> list[Reach]:
    """Hold tournaments a day against quotas, that which is reached first in front.

    `of_one` is what one tournament uses, `peak` how many times the mean the busiest time has.
    """
    reaches = [
        Reach(
            quota,
            used=of_one[quota.uses] * a_day * peak / SECONDS_A_DAY,
            reached_at=quota.allowed * SECONDS_A_DAY / (of_one[quota.uses] * peak),
        )
        for quota in quotas
    ]
    return sorted(reaches, key=lambda reach: reach.reached_at)
