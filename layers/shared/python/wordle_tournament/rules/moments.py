"""Times as whole milliseconds since the epoch: on the wire, in the store, in events and ids."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def to_ms(at: datetime) -> int:
    """Count the whole milliseconds from the epoch to an aware time."""
    return (at - _EPOCH) // _MILLISECOND


def from_ms(ms: int) -> datetime:
    """Tell the time that lies `ms` milliseconds after the epoch."""
    return _EPOCH + ms * _MILLISECOND
