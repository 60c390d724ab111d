"""The waiting room of a language and the seats in its open lobbies (R6, R8.2)."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime

from wordle_tournament.rules.chance import Chance
from wordle_tournament.rules.ids import LobbyId, PlayerId, draw_id
from wordle_tournament.rules.immutable import immutable

SEATS = 8
"""Players of a tournament, and so seats of a lobby (R1.1, R6.1)."""

RATING_WINDOW = 200
"""How far a party's rating may be from a lobby's; just so far is still inside (R6.2)."""


@immutable
class Party:
    """Players who are seated together: a group, or one player alone (R8.2)."""

    players: tuple[PlayerId, ...]
    rating: int


@immutable
class Lobby:
    """An open lobby; `rating` is that of whoever opened it (R6.2)."""

    id: LobbyId
    rating: int
    opened_at: datetime
    parties: tuple[Party, ...]
    version: int = 1

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Everybody seated, in the order of coming."""
        return tuple(player for party in self.parties for player in party.players)

    @property
    def free(self) -> int:
        """How many seats are free."""
        return SEATS - len(self.players)

    def suits(self, party: Party) -> bool:
        """Tell whether the party's rating is near enough (R6.2)."""
        return abs(self.rating - party.rating) <= RATING_WINDOW


@immutable
class Room:
    """The waiting room of one language: its lobbies with free seats, oldest first."""

    language: str
    lobbies: tuple[Lobby, ...] = ()
    revision: int = 0

    def lobby(self, lobby: LobbyId) -> Lobby | None:
        """Find an open lobby."""
        return next((one for one in self.lobbies if one.id == lobby), None)


@immutable
class Seating:
    """A change of a room: the room after it, who changed, and the lobbies that filled up.

    `changed` are lobbies still open whose players are no longer the same; `filled` are no longer
    in the room: each is a tournament that begins (R6.4).
    """

    room: Room
    changed: tuple[Lobby, ...] = ()
    filled: tuple[Lobby, ...] = ()


def seat(room: Room, party: Party, *, now: datetime, chance: Chance) -> Seating:
    """Seat a party in the fullest lobby that fits, then the oldest; else open one (R6.2, R6.3)."""
    fitting = [one for one in room.lobbies if one.suits(party) and one.free >= len(party.players)]
    if fitting:
        chosen = min(fitting, key=lambda lobby: (lobby.free, lobby.opened_at))
        seated = replace(chosen, parties=(*chosen.parties, party))
    else:
        seated = Lobby(_draw_lobby_id(chance), party.rating, opened_at=now, parties=(party,))
    return _combine(room, seated, chance)


def unseat(room: Room, player: PlayerId, *, chance: Chance, starting: bool) -> Seating:
    """Give a player's seat back; the rest of their party keeps its seats (R6.5).

    Without `starting` nobody starts, even if those who are left add up to a full lobby.
    """
    for lobby in room.lobbies:
        if player in lobby.players:
            parties = (_without(party, player) for party in lobby.parties)
            left = replace(lobby, parties=tuple(party for party in parties if party.players))
            return _combine(room, left, chance, starting=starting)
    return Seating(room)


def _combine(room: Room, changed: Lobby, chance: Chance, *, starting: bool = True) -> Seating:
    """Start full lobbies, if any may start, as long as parties of one or several add up to one.

    So nobody waits for ever next to players who would do: a lobby of a group of five and one of
    four single players start together, with one left waiting. A lobby that empties is gone.
    """
    lobbies = {lobby.id: lobby for lobby in room.lobbies} | {changed.id: changed}
    filled = []
    while starting and (
        found := _find_full([lobby for lobby in lobbies.values() if lobby.players])
    ):
        lobby, parties = found
        if set(lobby.parties) <= set(parties):
            full = _counted(room, replace(lobby, parties=parties))
        else:
            full = Lobby(_draw_lobby_id(chance), lobby.rating, lobby.opened_at, parties)
        filled.append(full)
        for one in lobbies.values():
            staying = tuple(party for party in one.parties if party not in parties)
            lobbies[one.id] = replace(one, parties=staying)
    still_open = sorted(
        (_counted(room, lobby) for lobby in lobbies.values() if lobby.players),
        key=lambda lobby: lobby.opened_at,
    )
    return Seating(
        room=replace(room, lobbies=tuple(still_open)),
        changed=tuple(lobby for lobby in still_open if lobby != room.lobby(lobby.id)),
        filled=tuple(filled),
    )


def _counted(room: Room, lobby: Lobby) -> Lobby:
    """Count a change of a lobby of `room` as one version, in however many steps it came about."""
    before = room.lobby(lobby.id)
    if before is None or before.parties == lobby.parties:
        return lobby
    return replace(lobby, version=before.version + 1)


def _find_full(lobbies: Collection[Lobby]) -> tuple[Lobby, tuple[Party, ...]] | None:
    """Find eight players who suit one lobby: its own parties first, then the longest waiting."""
    for lobby in sorted(lobbies, key=lambda lobby: (lobby.free, lobby.opened_at)):
        elsewhere = sorted(
            (one for one in lobbies if one is not lobby), key=lambda one: one.opened_at
        )
        others = [party for one in elsewhere for party in one.parties if lobby.suits(party)]
        if parties := _exactly(SEATS, [*lobby.parties, *others]):
            return lobby, parties
    return None


def _exactly(seats: int, parties: Iterable[Party]) -> tuple[Party, ...] | None:
    """Choose parties that take exactly `seats`, earlier ones before later ones."""
    chosen: dict[int, tuple[Party, ...]] = {0: ()}
    for party in parties:
        for taken, before in list(chosen.items()):
            together = taken + len(party.players)
            if together <= seats:
                chosen.setdefault(together, (*before, party))
    return chosen.get(seats)


def _draw_lobby_id(chance: Chance) -> LobbyId:
    return LobbyId(draw_id(chance))


def _without(party: Party, player: PlayerId) -> Party:
    return replace(party, players=tuple(one for one in party.players if one != player))
