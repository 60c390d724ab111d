"""What can go wrong between a client and the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ERROR_CODES = frozenset(
    {
        "bad_message",
        "unknown_action",
        "message_too_large",
        "unsupported_protocol",
        "too_many_requests",
        "try_again",
        "internal",
        "bad_nickname",
        "player_erased",
        "unknown_language",
        "already_playing",
        "not_playing",
        "not_in_lobby",
        "no_such_duel",
        "not_your_duel",
        "not_your_turn",
        "stale_turn",
        "duel_over",
        "not_started",
        "deadline_passed",
        "wrong_length",
        "wrong_letters",
        "not_in_word_list",
        "still_playing",
        "no_such_group",
        "group_full",
        "already_in_group",
        "not_in_group",
        "not_leader",
        "members_not_ready",
    }
)
"""Every code of protocol version 1."""


class ClientError(Exception):
    """Anything that this library raises."""


class RefusedError(ClientError):
    """The server answered an action with an error: its code, message and details."""

    def __init__(self, action: str, code: str, message: str, details: Mapping[str, Any]) -> None:
        """Keep what the server said about `action`."""
        super().__init__(f"{action}: {code}: {message}")
        self.action = action
        self.code = code
        self.message = message
        self.details = details


class NotAnsweredError(ClientError):
    """An action stayed without an answer although it was sent again."""


class FinalError(ClientError):
    """The client has ended for good and will not connect again."""


class ClosedError(FinalError):
    """The client was closed by its owner."""


class TakenOverError(FinalError):
    """A newer connection of the same player replaced this one (R7.3)."""


class TokenRefusedError(FinalError):
    """The handshake was refused: the token is forged, damaged or expired."""


class UnreachableError(FinalError):
    """No connection came about in the number of attempts allowed."""


class BreachError(ClientError):
    """An answer that the protocol does not allow."""
