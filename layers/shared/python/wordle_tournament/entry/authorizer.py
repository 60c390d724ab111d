"""The authorizer of `$connect`: who comes, by the signed token, or as a new player."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from wordle_tournament.entry.events import Event
from wordle_tournament.entry.observability import logger
from wordle_tournament.entry.wiring import BadToken, draw_player_id, wire_tokens
from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.rules.moments import from_ms, to_ms

Policy = dict[str, object]


def authorizer() -> Callable[[Event, Any], Policy]:
    """Make the handler: its context carries the identity to every later event."""

    def handle(event: Event, _context: Any) -> Policy:
        now = from_ms(event["requestContext"]["requestTimeEpoch"])
        arn = event["methodArn"]
        token = find_token(event)
        if token is None:
            logger.info("new player")
            return _allow(arn, draw_player_id(), now, now)
        try:
            identity = wire_tokens().read(token)
        except BadToken as bad:
            logger.info("refused", reason=str(bad))
            return _policy("Deny", arn, "nobody")
        logger.info("returning player", player=identity.player)
        return _allow(arn, identity.player, now, identity.issued_at)

    return handle


def find_token(event: Event) -> str | None:
    """Find the token in the header `Authorization: Bearer …` or in the URL; None for neither.

    One that is there but empty, or of another scheme, is a damaged one.
    """
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    header = headers.get("authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""
    token = (event.get("queryStringParameters") or {}).get("token")
    return None if token is None else str(token)


def _allow(arn: str, player: PlayerId, now: datetime, issued_at: datetime) -> Policy:
    return {
        **_policy("Allow", arn, player),
        "context": {
            "playerId": player,
            "connectedAt": str(to_ms(now)),
            "tokenIssuedAt": str(to_ms(issued_at)),
        },
    }


def _policy(effect: str, arn: str, principal: str) -> Policy:
    return {
        "principalId": principal,
        "policyDocument": {
            "Version": "2012-10-17",
            "Statement": [{"Action": "execute-api:Invoke", "Effect": effect, "Resource": arn}],
        },
    }
