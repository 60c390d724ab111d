"""What a round does to lives and places (R1, R4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.cases import read_cases
from tests.rules.oracles import oracle_places
from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.rules.places import Fate, settle_round

FATES = {"W": Fate.WON, "L": Fate.LOST, "D": Fate.DREW, "B": Fate.BYE, "Q": Fate.LEFT}

ROUNDS = st.lists(st.tuples(st.integers(1, 3), st.sampled_from(list(Fate))), min_size=2, max_size=8)


def _names(count: int) -> list[PlayerId]:
    return [PlayerId(f"player-{number}") for number in range(count)]


@pytest.mark.parametrize(("before", "outcome", "places"), read_cases("places"))
def test_places_are_those_worked_out_by_hand(before: str, outcome: str, places: str) -> None:
    """R4.4"""
    lives = [int(count) for count in before.split(",")]
    players = _names(len(lives))
    fates = [FATES[letter] for letter in outcome.split(",")]

    result = settle_round(
        dict(zip(players, lives, strict=True)), dict(zip(players, fates, strict=True))
    )

    shown = [str(result.places.get(player, "-")) for player in players]
    assert ",".join(shown) == places


@given(ROUNDS)
def test_a_duel_lost_or_drawn_costs_one_life_and_nothing_else_does(
    before: list[tuple[int, Fate]],
) -> None:
    """R1.1, R2.2: winning, a bye and leaving cost none."""
    players = _names(len(before))
    lives = {player: count for player, (count, _) in zip(players, before, strict=True)}
    fates = {player: fate for player, (_, fate) in zip(players, before, strict=True)}

    result = settle_round(lives, fates)

    for player in players:
        cost = 1 if fates[player] in {Fate.LOST, Fate.DREW} else 0
        assert result.lives[player] == lives[player] - cost


@given(ROUNDS)
def test_a_place_counts_those_who_did_better(before: list[tuple[int, Fate]]) -> None:
    """R4.2–R4.4: survivors before those put out by play before leavers."""
    players = _names(len(before))
    lives = {player: count for player, (count, _) in zip(players, before, strict=True)}
    fates = {player: fate for player, (_, fate) in zip(players, before, strict=True)}

    result = settle_round(lives, fates)

    leavers = [player for player in players if fates[player] is Fate.LEFT]
    assert dict(result.places) == oracle_places(result.lives, leavers)[0]


def test_two_leavers_of_one_round_share_the_last_place() -> None:
    """R4.3: behind those put out by play, however many lives they had."""
    anne, ben, cleo, dora = _names(4)

    result = settle_round(
        {anne: 1, ben: 1, cleo: 3, dora: 3},
        {anne: Fate.WON, ben: Fate.LOST, cleo: Fate.LEFT, dora: Fate.LEFT},
    )

    assert result.places == {anne: 1, ben: 2, cleo: 3, dora: 3}


def test_a_round_that_puts_out_everybody_has_no_sole_winner() -> None:
    """R1.5"""
    anne, ben = _names(2)

    result = settle_round({anne: 1, ben: 1}, {anne: Fate.DREW, ben: Fate.DREW})

    assert result.places == {anne: 1, ben: 1}
