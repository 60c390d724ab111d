"""The machine's clock."""

from datetime import UTC, datetime, timedelta

import pytest

from wordle_tournament.adapters.clock import SystemClock
from wordle_tournament.adapters.memory_outside import MemoryClock
from wordle_tournament.ports.outside import Clock


@pytest.mark.parametrize("clock", [SystemClock(), MemoryClock()], ids=["system", "memory"])
def test_a_clock_tells_whole_milliseconds_of_utc_and_never_goes_back(clock: Clock) -> None:
    times = [clock.now() for _ in range(50)]
    assert times == sorted(times)
    assert {now.microsecond % 1000 for now in times} == {0}
    assert {now.tzinfo for now in times} == {UTC}


def test_the_machines_clock_is_told_rounded_down() -> None:
    before = datetime.now(UTC)
    told = SystemClock().now()
    assert before - timedelta(milliseconds=1) < told <= datetime.now(UTC)


def test_pauses_are_random_longer_with_each_attempt_and_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    longest = {}
    for attempt in (0, 1, 2, 3, 4, 60):
        pauses.clear()
        for _ in range(200):
            SystemClock().pause(attempt)
        assert min(pauses) >= 0
        assert len(set(pauses)) > 100
        longest[attempt] = max(pauses)
    assert longest[0] <= 0.02 < longest[2] <= 0.08
    assert 0.16 < longest[60] <= 0.3
