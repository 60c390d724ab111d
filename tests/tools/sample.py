"""Parts of server messages as a client hears them, seen by player p0; tests vary single fields."""

from __future__ import annotations

import json
from typing import Any

from tests.tools.made_up import PLAYERS
from wordle_tools.client.messages import Message, parse
from wordle_tools.client.state import GameState, apply

Content = dict[str, Any]

FAR_OFF = 9_999_999_999_999
"""A deadline that never comes."""


def message(content: Content) -> Message:
    """Read a message."""
    return parse(json.dumps(content))


def state(**fields: object) -> GameState:
    """All that a player knows after one snapshot."""
    return apply(GameState(), message(snapshot(**fields)))


def profile() -> Content:
    """The player's own profile."""
    return {"playerId": "p0", "nickname": "Zero", "rating": 1000, "games": 0}


def snapshot(**fields: object) -> Content:
    """The answer to `sync`."""
    return {"type": "snapshot", "serverTime": 1_000, "profile": profile(), "duels": [], **fields}


def welcome(**fields: object) -> Content:
    """The answer to `hello`."""
    return {**snapshot(), "type": "welcome", "protocol": 1, "token": "hush", **fields}


def lobby(version: int = 1, players: tuple[str, ...] = ("p0",), **fields: object) -> Content:
    """A lobby."""
    return {
        "lobbyId": "l1",
        "version": version,
        "language": "en",
        "rating": 1000,
        "seats": 8,
        "players": [{"playerId": one, "nickname": f"N{one}"} for one in players],
        **fields,
    }


def group(leader: str = "p0", **of_p1: bool) -> Content:
    """A group of p0 and p1."""
    free = {"connected": True, "playing": False}
    return {
        "code": "bcdf",
        "inviteUrl": "https://example.org/bcdf",
        "version": 1,
        "language": "en",
        "leader": leader,
        "members": [
            {"playerId": "p0", "nickname": "Zero", **free},
            {"playerId": "p1", "nickname": "One", **free, **of_p1},
        ],
    }


def tournament(**fields: object) -> Content:
    """A tournament of p0 to p7 whose second round is being played: p0 – p1, p2 – p3, …"""
    return {
        "tournamentId": "t1",
        "version": 5,
        "language": "en",
        "round": 2,
        "phase": "duels",
        "players": [
            {"playerId": one, "nickname": f"N{one}", "rating": 1000, "lives": 2, "connected": True}
            for one in PLAYERS
        ],
        "pairings": [
            {"duelId": f"d{n}", "players": [PLAYERS[2 * n], PLAYERS[2 * n + 1]]} for n in range(4)
        ],
        "introEndsAt": FAR_OFF,
        **fields,
    }


def with_a_bye(**fields: object) -> Content:
    """A tournament in which p0 sits the round out."""
    return tournament(pairings=tournament()["pairings"][1:], bye="p0", **fields)


def duel(**fields: object) -> Content:
    """The duel of p0 and p1 in the second round, at its first turn."""
    return {
        "duelId": "d0",
        "tournamentId": "t1",
        "version": 1,
        "round": 2,
        "language": "en",
        "length": 4,
        "players": ["p0", "p1"],
        "turn": 1,
        "playerId": "p0",
        "deadline": FAR_OFF,
        "rows": [],
        **fields,
    }


def others_duel(**fields: object) -> Content:
    """A duel to watch."""
    return duel(duelId="d1", players=["p2", "p3"], playerId="p2", **fields)


def guess_made(**fields: object) -> Content:
    """The first turn of the duel, played by p0."""
    return {
        "type": "guessMade",
        "duelId": "d0",
        "version": 2,
        "turn": 1,
        "playerId": "p0",
        "word": "some",
        "letters": list("some"),
        "marks": ["correct", "present", "absent", "absent"],
        "receivedAt": 2_000,
        "next": {"turn": 2, "playerId": "p1", "deadline": FAR_OFF},
        **fields,
    }


def turn_skipped(version: int, turn: int) -> Content:
    """A turn of the duel that its player let pass."""
    players = ("p0", "p1")
    return {
        "type": "turnSkipped",
        "duelId": "d0",
        "version": version,
        "turn": turn,
        "playerId": players[(turn - 1) % 2],
        "next": {"turn": turn + 1, "playerId": players[turn % 2], "deadline": FAR_OFF + turn},
    }


def skipped_rows(turns: int) -> list[Content]:
    """The rows of a duel that began with skipped turns."""
    return [
        {"turn": turn, "playerId": ("p1", "p0")[turn % 2], "skipped": True}
        for turn in range(1, turns + 1)
    ]
