"""Waiting rooms as items: hash key `language`."""

from pynamodb.attributes import ListAttribute, UnicodeAttribute

from wordle_tournament.adapters.dynamodb.attributes import Integer, Moment, Record, Texts
from wordle_tournament.adapters.dynamodb.items import Item, Kind
from wordle_tournament.rules.ids import LobbyId, PlayerId
from wordle_tournament.rules.lobby import Lobby, Party, Room


class PartyMap(Record):
    """Players who are seated together."""

    players = Texts()
    rating = Integer()


class LobbyMap(Record):
    """An open lobby."""

    id = UnicodeAttribute()
    rating = Integer()
    opened_at = Moment()
    parties = ListAttribute(of=PartyMap)
    version = Integer()


class RoomItem(Item):
    """The waiting room of a language."""

    language = UnicodeAttribute(hash_key=True)
    lobbies = ListAttribute(of=LobbyMap)


def to_item(room: Room) -> RoomItem:
    """Write a room."""
    return RoomItem(
        language=room.language,
        lobbies=[_to_map(lobby) for lobby in room.lobbies],
        revision=room.revision,
    )


def from_item(item: RoomItem) -> Room:
    """Read a room."""
    return Room(
        language=item.language,
        lobbies=tuple(_from_map(lobby) for lobby in item.lobbies),
        revision=item.revision,
    )


def _to_map(lobby: Lobby) -> LobbyMap:
    return LobbyMap(
        id=lobby.id,
        rating=lobby.rating,
        opened_at=lobby.opened_at,
        parties=[PartyMap(players=party.players, rating=party.rating) for party in lobby.parties],
        version=lobby.version,
    )


def _from_map(lobby: LobbyMap) -> Lobby:
    return Lobby(
        id=LobbyId(lobby.id),
        rating=lobby.rating,
        opened_at=lobby.opened_at,
        parties=tuple(
            Party(tuple(map(PlayerId, party.players)), party.rating) for party in lobby.parties
        ),
        version=lobby.version,
    )


ROOMS = Kind(item=RoomItem, to_item=to_item, from_item=from_item)
