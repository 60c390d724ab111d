"""What one connection may send: an abuser costs little, is told so, and is shown out.

Counted in the memory of one instance of one function. An abuser who keeps several instances busy
has the limit once in each; the gateway spreads one connection over more than one instance only
while messages arrive faster than they are answered.
"""

from datetime import datetime, timedelta
from enum import Enum

from wordle_tournament.rules.ids import ConnectionId

_REMEMBERED = 10_000
"""Connections, of which the one that has been silent longest is forgotten first."""

PATIENCE = 1000
"""How many messages too many are answered before the connection is closed."""

Bucket = tuple[float, datetime, int]
"""Messages still allowed, as of when, and how many were refused since it was last full."""


class Verdict(Enum):
    """What becomes of a message."""

    FINE = "fine"
    TOO_MANY = "too many"
    ENOUGH = "enough"


class ConnectionLimits:
    """A bucket of messages for each connection, which fills again with time."""

    def __init__(self, per_second: int, burst: int) -> None:
        """Allow `burst` messages at once, and `per_second` in the long run."""
        self._per_second = per_second
        self._burst = burst
        self._buckets: dict[ConnectionId, Bucket] = {}

    @property
    def retry_after(self) -> timedelta:
        """How long an emptied bucket takes to allow one message."""
        return timedelta(seconds=1) / self._per_second

    def judge(self, connection: ConnectionId, received_at: datetime) -> Verdict:
        """Count a message of a connection, by the gateway's time of receipt."""
        left, counted_at, refused = self._buckets.pop(
            connection, (float(self._burst), received_at, 0)
        )
        # Messages can overtake each other on their way here: time never runs backwards.
        passed = max(timedelta(), received_at - counted_at)
        left = min(self._burst, left + passed.total_seconds() * self._per_second)
        counted_at = max(counted_at, received_at)
        if left == self._burst:
            refused = 0
        fine = left >= 1
        self._buckets[connection] = (
            (left - 1, counted_at, refused) if fine else (left, counted_at, refused + 1)
        )
        if len(self._buckets) > _REMEMBERED:
            del self._buckets[next(iter(self._buckets))]
        if fine:
            return Verdict.FINE
        return Verdict.TOO_MANY if refused < PATIENCE else Verdict.ENOUGH
