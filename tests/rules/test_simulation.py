"""Many tournaments of equal players come to what R1.6 says.

The suite plays a few hundred; `wordle-tournament simulate --solving 0.5` plays ten thousand.
"""

from statistics import fmean

import pytest

from wordle_tools.simulation import Course, Habits, simulate

MOST_DUELS = 23
MOST_TURNS = 276


@pytest.fixture(scope="module")
def without_draws() -> list[Course]:
    """Who solves with every other guess draws one duel in four thousand."""
    return list(simulate(600, seed=16, habits=Habits(solving=0.5)))


@pytest.fixture(scope="module")
def with_few_draws() -> list[Course]:
    """Who solves with two guesses of nine draws one duel in twenty."""
    return list(simulate(300, seed=16, habits=Habits()))


def test_a_tournament_without_draws_lasts_8_7_rounds(without_draws: list[Course]) -> None:
    """R1.6"""
    assert fmean(course.rounds for course in without_draws) == pytest.approx(8.7, abs=0.1)


def test_with_few_draws_it_lasts_8_to_10_rounds(with_few_draws: list[Course]) -> None:
    """R1.6"""
    assert 8 <= fmean(course.rounds for course in with_few_draws) <= 10


def test_no_tournament_has_more_than_23_duels_and_276_turns(
    without_draws: list[Course], with_few_draws: list[Course]
) -> None:
    """R1.6: 24 lives, of which the winner keeps one; twelve turns to a duel."""
    courses = [*without_draws, *with_few_draws]

    assert max(course.duels for course in courses) == MOST_DUELS
    assert max(course.turns for course in courses) <= MOST_TURNS


def test_every_life_is_lost_in_a_duel_or_kept_by_a_winner(
    without_draws: list[Course], with_few_draws: list[Course]
) -> None:
    """R1.1: a duel costs one life, a drawn one two."""
    for course in [*without_draws, *with_few_draws]:
        lives_lost = course.duels + course.draws
        assert 21 <= lives_lost <= 24
        assert (lives_lost == 24) == (course.winners > 1)


def test_a_finalist_plays_15_to_20_minutes(with_few_draws: list[Course]) -> None:
    """R1.6: with 8 to 28 seconds for a guess."""
    minutes = fmean(course.lasted.total_seconds() / 60 for course in with_few_draws)

    assert 15 <= minutes <= 20


def test_all_eight_are_rated_and_equal_players_win_nothing_on_the_whole(
    without_draws: list[Course],
) -> None:
    """R5.3: of equals the changes of a tournament cancel out, but for rounding."""
    assert all(len(course.changes) == 8 for course in without_draws)
    assert all(abs(sum(course.changes)) <= 4 for course in without_draws)


def test_the_same_seed_plays_the_same_tournaments() -> None:
    """Whatever a simulation shows can be looked at again."""
    assert list(simulate(3, 7, Habits())) == list(simulate(3, 7, Habits()))
