"""The gateway's events: the few fields that the game reads of them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from wordle_tournament.rules.ids import ConnectionId, PlayerId
from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.moments import from_ms

Event = Mapping[str, Any]
"""An event as Lambda hands it over."""


@immutable
class Arrival:
    """A message, or the end of a connection, and whose it is.

    `received_at` is the gateway's time of receipt (R3.8). Identity comes from the authorizer: no
    read is spent on it, and its context holds nothing but strings.
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
        connected_at=from_ms(int(identity["connectedAt"])),
        token_issued_at=from_ms(int(identity["tokenIssuedAt"])),
        received_at=from_ms(context["requestTimeEpoch"]),
        body=event.get("body") or "",
    )
