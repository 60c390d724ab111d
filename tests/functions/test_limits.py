"""One connection cannot take more than its share, whatever it sends."""

from datetime import UTC, datetime, timedelta

from wordle_tournament.entry.limits import PATIENCE, ConnectionLimits, Verdict
from wordle_tournament.rules.ids import ConnectionId

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ABUSER, OTHER = ConnectionId("abuser"), ConnectionId("other")


def send(
    limits: ConnectionLimits, per_second: int, seconds: int, connection: ConnectionId = ABUSER
) -> list[Verdict]:
    """What becomes of messages sent evenly."""
    step = timedelta(seconds=1) / per_second
    return [limits.judge(connection, NOW + number * step) for number in range(per_second * seconds)]


def test_whoever_keeps_to_the_limit_is_never_held_off() -> None:
    assert set(send(ConnectionLimits(5, 10), per_second=5, seconds=600)) == {Verdict.FINE}


def test_a_burst_is_taken_and_then_only_as_much_as_the_limit_allows() -> None:
    verdicts = send(ConnectionLimits(5, 10), per_second=200, seconds=10)

    assert verdicts[:10] == [Verdict.FINE] * 10
    assert verdicts[10] is Verdict.TOO_MANY
    assert verdicts.count(Verdict.FINE) in range(10 + 5 * 10 - 1, 10 + 5 * 10 + 1)


def test_whoever_goes_on_is_shown_out_in_the_end() -> None:
    verdicts = send(ConnectionLimits(5, 10), per_second=200, seconds=6)

    assert verdicts.count(Verdict.TOO_MANY) == PATIENCE
    assert verdicts[-1] is Verdict.ENOUGH


def test_whoever_was_held_off_and_kept_silent_begins_anew() -> None:
    limits = ConnectionLimits(5, 10)
    send(limits, per_second=50, seconds=2)

    later = NOW + timedelta(minutes=1)
    verdicts = [limits.judge(ABUSER, later) for _ in range(10 + PATIENCE)]

    assert verdicts == [Verdict.FINE] * 10 + [Verdict.TOO_MANY] * PATIENCE


def test_an_abuser_takes_nothing_from_others() -> None:
    limits = ConnectionLimits(5, 10)
    send(limits, per_second=200, seconds=1)

    assert limits.judge(OTHER, NOW) is Verdict.FINE


def test_messages_that_overtake_each_other_win_no_time() -> None:
    limits = ConnectionLimits(1, 1)

    assert limits.judge(ABUSER, NOW + timedelta(seconds=5)) is Verdict.FINE
    assert limits.judge(ABUSER, NOW) is Verdict.TOO_MANY
    assert limits.judge(ABUSER, NOW + timedelta(seconds=5)) is Verdict.TOO_MANY


def test_of_very_many_connections_the_silent_ones_are_forgotten() -> None:
    limits = ConnectionLimits(1, 1)
    for number in range(20_000):
        limits.judge(ConnectionId(str(number)), NOW)

    assert limits.judge(ConnectionId("19999"), NOW) is Verdict.TOO_MANY
    assert limits.judge(ConnectionId("0"), NOW) is Verdict.FINE
