"""The rules once more, written apart from the server's and as plainly as possible, to check it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Literal

from wordle_tools.client.messages import Mark

_PRECISION = 60


def marks(word: Sequence[str], guess: Sequence[str]) -> tuple[Mark, ...]:
    """Mark each letter of a guess by counting letters (R3.7)."""
    return tuple(_mark(word, guess, place) for place in range(len(guess)))


def _mark(word: Sequence[str], guess: Sequence[str], place: int) -> Mark:
    letter = guess[place]
    if word[place] == letter:
        return "correct"
    in_place = sum(a == b == letter for a, b in zip(word, guess, strict=True))
    elsewhere = sum(one == letter for one in word) - in_place
    earlier = sum(guess[n] == letter and word[n] != letter for n in range(place))
    return "present" if earlier < elsewhere else "absent"


Fate = Literal["survived", "out", "left"]


def places(fates: Mapping[str, Fate]) -> dict[str, int]:
    """Give the places that a round fixes; `fates` holds all who were in at its start (R4.4)."""
    survivors = [player for player, fate in fates.items() if fate == "survived"]
    put_out = [player for player, fate in fates.items() if fate == "out"]
    fixed = dict.fromkeys(put_out, len(survivors) + 1)
    for player, fate in fates.items():
        if fate == "left":
            fixed[player] = len(survivors) + len(put_out) + 1
    if len(survivors) == 1:
        fixed[survivors[0]] = 1
    return fixed


def rating_change(player: str, ratings: Mapping[str, int], final: Mapping[str, int]) -> int:
    """Compute the change of one player's rating from the places of all (R5.3).

    `ratings` are those of the beginning (R5.4); who is missing in `final` is still in, and better.
    """
    with localcontext() as context:
        context.prec = _PRECISION
        total = Decimal(0)
        for other in ratings:
            if other == player:
                continue
            exponent = Decimal(ratings[other] - ratings[player]) / 400
            expected = 1 / (1 + Decimal(10) ** exponent)
            total += _score(final.get(player, 0), final.get(other, 0)) - expected
        change = Decimal(50) / 7 * total
        return int(change.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def _score(mine: int, theirs: int) -> Decimal:
    if mine == theirs:
        return Decimal("0.5")
    return Decimal(1 if mine < theirs else 0)
