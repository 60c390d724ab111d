"""What tournaments cost and where quotas end them: sums that can be done by hand."""

import pytest

from wordle_tools.capacity.quotas import SECONDS_A_DAY, Quota, nearest_first, read_quotas
from wordle_tools.cli import main

FEW = Quota("few", "apples", allowed=10, adjustable=True)
MANY = Quota("many", "pears", allowed=1000, adjustable=True)


def test_the_quota_that_is_reached_first_stands_in_front() -> None:
    reaches = nearest_first([MANY, FEW], {"apples": 2, "pears": 2}, a_day=1, peak=1)

    assert [reach.quota for reach in reaches] == [FEW, MANY]


def test_use_in_the_busiest_second_grows_with_tournaments_and_peak() -> None:
    (reach,) = nearest_first([FEW], {"apples": 2}, a_day=SECONDS_A_DAY, peak=4)

    assert reach.used == 8
    assert reach.reached_at == SECONDS_A_DAY * 10 / 8


def test_quotas_are_dated() -> None:
    quotas = read_quotas()

    assert quotas.as_of.year >= 2026
    assert all(quota.allowed > 0 for quota in quotas.quotas)


@pytest.mark.parametrize("wrong", ["0", "-1", "many", "inf", "nan"])
def test_a_number_of_tournaments_that_is_none_is_refused(
    wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["cost", "--tournaments-per-day", wrong])

    assert "is not a number above 0" in capsys.readouterr().err
