"""Opaque identifiers, told apart by the type checker."""

from datetime import datetime
from typing import NewType

from wordle_tournament.rules.chance import Chance
from wordle_tournament.rules.moments import to_ms

PlayerId = NewType("PlayerId", str)
LobbyId = NewType("LobbyId", str)
TournamentId = NewType("TournamentId", str)
DuelId = NewType("DuelId", str)
GroupCode = NewType("GroupCode", str)
ConnectionId = NewType("ConnectionId", str)

# Without vowels no word, and without 0 1 l o no look-alikes, can come up.
_READABLE = "23456789bcdfghjkmnpqrstvwxz"


def draw_id(chance: Chance, length: int = 12) -> str:
    """Draw an identifier of `length` readable characters (12 of them: 57 bits)."""
    return "".join(chance.choice(_READABLE) for _ in range(length))


def draw_tournament_id(chance: Chance, now: datetime) -> TournamentId:
    """Draw an identifier that sorts after those of earlier milliseconds."""
    rest = to_ms(now)
    time = ""
    for _ in range(9):
        rest, digit = divmod(rest, len(_READABLE))
        time = _READABLE[digit] + time
    return TournamentId(time + draw_id(chance, 8))
