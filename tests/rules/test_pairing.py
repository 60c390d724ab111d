"""Pairing and byes (R2), held against a brute-force oracle."""

import random
from collections import Counter
from itertools import combinations

import pytest

from tests.rules.oracles import OraclePairing, oracle_legal_pairings
from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.rules.pairing import Pairing, legal_pairings, pair

PLAYERS = tuple(PlayerId(name) for name in "abcdefgh")
FIRST = Pairing()


def _previous_round(size: int) -> Pairing:
    """Pair neighbours, the last one resting: any other previous round is this one renamed."""
    return Pairing(
        duels=tuple((PLAYERS[at], PLAYERS[at + 1]) for at in range(0, size - 1, 2)),
        bye=PLAYERS[size - 1] if size % 2 else None,
    )


def _shape(pairing: Pairing) -> OraclePairing:
    return frozenset(frozenset(duel) for duel in pairing.duels), pairing.bye


ROUNDS = [
    pytest.param(_previous_round(size), survivors, id=f"{size}-{''.join(survivors)}")
    for size in range(2, 9)
    for count in range(2, size + 1)
    for survivors in combinations(PLAYERS[:size], count)
] + [pytest.param(FIRST, PLAYERS[:count], id=f"first-{count}") for count in range(2, 9)]


@pytest.mark.parametrize(("previous", "survivors"), ROUNDS)
def test_the_legal_pairings_are_those_of_the_oracle(
    previous: Pairing, survivors: tuple[PlayerId, ...]
) -> None:
    """R2.1–R2.4, after every previous round and whoever survived it; none is listed twice."""
    pairings = legal_pairings(survivors, previous)

    shapes = [_shape(pairing) for pairing in pairings]
    assert len(shapes) == len(set(shapes))
    assert set(shapes) == oracle_legal_pairings(survivors, previous.duels, previous.bye)


@pytest.mark.parametrize(("previous", "survivors"), ROUNDS)
def test_only_two_who_have_just_met_meet_again(
    previous: Pairing, survivors: tuple[PlayerId, ...]
) -> None:
    """R2.3, R2.4: with three or more both can be kept, always."""
    met = {frozenset(duel) for duel in previous.duels}
    for pairing in legal_pairings(survivors, previous):
        playing = [player for duel in pairing.duels for player in duel]
        resting = [] if pairing.bye is None else [pairing.bye]
        assert sorted(playing + resting) == sorted(survivors)
        assert len(resting) == len(survivors) % 2
        assert previous.bye is None or pairing.bye != previous.bye
        if len(survivors) > 2:
            assert not met & {frozenset(duel) for duel in pairing.duels}


@pytest.mark.parametrize(
    ("previous", "survivors"),
    [
        pytest.param(FIRST, PLAYERS[:6], id="first of six"),
        pytest.param(_previous_round(6), PLAYERS[:6], id="six again"),
        pytest.param(_previous_round(7), PLAYERS[2:7], id="five, one just rested"),
        pytest.param(_previous_round(3), PLAYERS[:3], id="three, one just rested"),
        pytest.param(_previous_round(4), PLAYERS[:4], id="four again"),
    ],
)
def test_every_legal_pairing_is_equally_likely(
    previous: Pairing, survivors: tuple[PlayerId, ...]
) -> None:
    """R2.1: chi-square of seeded draws stays within five deviations of its mean."""
    legal = oracle_legal_pairings(survivors, previous.duels, previous.bye)
    chance = random.Random(20)
    each = 300
    drawn = Counter(_shape(pair(survivors, previous, chance)) for _ in range(each * len(legal)))

    assert set(drawn) == legal
    chi_square = sum((count - each) ** 2 / each for count in drawn.values())
    freedom = len(legal) - 1
    assert chi_square < freedom + 5 * (2 * freedom) ** 0.5


def test_chance_decides_who_begins_each_duel_by_itself() -> None:
    """R3.1: all four ways of beginning two duels are equally likely, for the same pairs."""
    chance = random.Random(31)
    begins: Counter[tuple[bool, bool]] = Counter()
    for _ in range(4_000):
        drawn = pair(PLAYERS[:4], FIRST, chance)
        first, second = sorted(drawn.duels, key=min)
        begins[first[0] < first[1], second[0] < second[1]] += 1

    assert len(begins) == 4
    assert all(abs(count - 1_000) < 150 for count in begins.values())


def test_two_survivors_who_have_just_met_meet_again() -> None:
    """R2.4: there it cannot be avoided."""
    anne, ben = PLAYERS[:2]

    drawn = pair([anne, ben], Pairing(duels=((anne, ben),)), random.Random(1))

    assert _shape(drawn) == (frozenset({frozenset({anne, ben})}), None)


def test_a_rest_long_ago_does_not_forbid_one_now() -> None:
    """R2.3: only the round before counts."""
    anne, ben, cleo = PLAYERS[:3]
    previous = Pairing(duels=((anne, ben),), bye=cleo)

    assert {pairing.bye for pairing in legal_pairings([anne, ben, cleo], previous)} == {anne, ben}
