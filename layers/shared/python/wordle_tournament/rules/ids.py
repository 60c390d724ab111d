"""Opaque identifiers, told apart by the type checker."""

import random
from typing import NewType

PlayerId = NewType("PlayerId", str)
LobbyId = NewType("LobbyId", str)
TournamentId = NewType("TournamentId", str)
DuelId = NewType("DuelId", str)
GroupCode = NewType("GroupCode", str)
ConnectionId = NewType("ConnectionId", str)

# Without vowels no word, and without 0 1 l o no look-alikes, can come up.
_READABLE = "23456789bcdfghjkmnpqrstvwxz"


def draw_id(chance: random.Random, length: int = 12) -> str:
    """Draw an identifier of `length` readable characters (12 of them: 57 bits)."""
    return "".join(chance.choices(_READABLE, k=length))
