"""The gateway's events: the few fields that the game reads of them."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from wordle_tournament.rules.ids import ConnectionId, PlayerId
from wordle_tournament.rules.immutable import immutable

Event = Mapping[str, Any]
"""An event as Lambda hands it over."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@immutable
class Arrival:
    """A message, or the end of a connection, and whose it is.

    `received_at` is the gateway's time of receipt (R3.8). Identity comes from the authorizer: no
    read is spent on it.
    """

    kind: str
    player: PlayerId
    connection: ConnectionId
    connected_at: datetime
    token_issued_at: datetime
    received_at: datetime
    body: str


def read_arrival(event: Event) -> Arrival:
    """Read an event of a connection that the authorizer let in."""
    context = event["requestContext"]
    identity = context["authorizer"]
    return Arrival(
        kind=context["eventType"],
        player=PlayerId(identity["playerId"]),
        connection=ConnectionId(context["connectionId"]),
        connected_at=from_milliseconds(identity["connectedAt"]),
        token_issued_at=from_milliseconds(identity["tokenIssuedAt"]),
        received_at=from_milliseconds(context["requestTimeEpoch"]),
        body=event.get("body") or "",
    )


def from_milliseconds(value: str | int) -> datetime:
    """Read a time in milliseconds since the epoch; the authorizer's context holds strings."""
    return _EPOCH + timedelta(milliseconds=int(value))


def to_milliseconds(at: datetime) -> int:
    """Write a time in milliseconds since the epoch."""
    return (at - _EPOCH) // timedelta(milliseconds=1)
