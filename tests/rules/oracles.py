"""Slow second opinions on the rules, written from their text and not from the code."""

from collections.abc import Collection, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from itertools import permutations

from wordle_tournament.rules.ids import PlayerId

OraclePairing = tuple[frozenset[frozenset[str]], str | None]
"""Who meets whom, and who has the bye."""


def oracle_rating_changes(ratings: Sequence[int], places: Sequence[int]) -> list[int]:
    """Compute the changes of all from final places, to fifty digits (R5.2, R5.3)."""
    changes = []
    with localcontext() as context:
        context.prec = 50
        for me, (mine, my_place) in enumerate(zip(ratings, places, strict=True)):
            total = Decimal(0)
            for you, (yours, your_place) in enumerate(zip(ratings, places, strict=True)):
                if you == me:
                    continue
                score = {-1: Decimal(1), 0: Decimal("0.5"), 1: Decimal(0)}[
                    (my_place > your_place) - (my_place < your_place)
                ]
                expected = 1 / (1 + Decimal(10) ** (Decimal(yours - mine) / 400))
                total += score - expected
            change = 50 * total / 7
            changes.append(int(change.quantize(Decimal(1), rounding=ROUND_HALF_UP)))
    return changes


def oracle_places(
    lives_after: Mapping[PlayerId, int], leavers: Collection[PlayerId]
) -> tuple[dict[PlayerId, int], bool]:
    """Place those whom a round put out, given all lives after it; tell if it was the last (R4.4).

    A place is one more than the number of those who did better.
    """

    def merit(player: PlayerId) -> int:
        if player in leavers:
            return 0
        return 2 if lives_after[player] > 0 else 1

    places = {}
    survivors = [player for player in lives_after if merit(player) == 2]
    for player in lives_after:
        better = sum(merit(other) > merit(player) for other in lives_after)
        if merit(player) < 2 or len(survivors) == 1:
            places[player] = better + 1
    return places, len(survivors) <= 1


def oracle_legal_pairings(
    players: Sequence[str], previous: Sequence[Sequence[str]], previous_bye: str | None
) -> set[OraclePairing]:
    """Find all legal pairings by writing the players down in every order (R2.2–R2.4)."""
    everything: set[OraclePairing] = set()
    for order in permutations(players):
        duels = frozenset(frozenset(order[at : at + 2]) for at in range(0, len(order) - 1, 2))
        everything.add((duels, order[-1] if len(order) % 2 else None))
    rested = {one for one in everything if one[1] is None or one[1] != previous_bye}
    met = {frozenset(duel) for duel in previous}
    fresh = {one for one in rested if not one[0] & met}
    return fresh or rested


def oracle_marks(word: str, guess: str) -> str:
    """Mark a guess by counting, one letter of the alphabet after the other (R3.7)."""
    marks: dict[int, str] = {}
    for letter in set(guess):
        tried = [at for at, one in enumerate(guess) if one == letter]
        right = [at for at in tried if word[at] == letter]
        wrong = [at for at in tried if word[at] != letter]
        elsewhere = word.count(letter) - len(right)
        marks |= dict.fromkeys(right, "C")
        marks |= dict.fromkeys(wrong[:elsewhere], "P")
        marks |= dict.fromkeys(wrong[elsewhere:], "A")
    return "".join(marks[at] for at in range(len(guess)))
