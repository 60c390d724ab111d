"""Players as items: hash key `id`; the index `board` holds those with a rated game by rating."""

from datetime import timedelta
from typing import Any
from zlib import crc32

from pynamodb.attributes import BooleanAttribute, UnicodeAttribute

from wordle_tournament.adapters.dynamodb.attributes import Integer, Moment
from wordle_tournament.adapters.dynamodb.items import Item, Kind
from wordle_tournament.rules.ids import ConnectionId, GroupCode, LobbyId, PlayerId, TournamentId
from wordle_tournament.rules.leaderboard import Leader
from wordle_tournament.rules.player import Connection, LobbySeat, Player, Seat, TournamentSeat

BOARD_INDEX = "board"
"""The index of players by rating; those without a rated game are not in it."""

BOARD_SHARDS = ("0", "1", "2", "3", "4", "5", "6", "7")
"""Hash keys of the index `board`: a partition takes 1,000 writes a second, a new rating is two."""


class PlayerItem(Item):
    """A player; a seat is `lobby` with `lobby_language`, or `tournament` with `placed`."""

    id = UnicodeAttribute(hash_key=True)
    nickname = UnicodeAttribute()
    rating = Integer()
    games = Integer()
    board_shard = UnicodeAttribute(null=True)
    connection = UnicodeAttribute(null=True)
    connected_at = Moment(null=True)
    greeted = BooleanAttribute(null=True)
    lobby = UnicodeAttribute(null=True)
    lobby_language = UnicodeAttribute(null=True)
    tournament = UnicodeAttribute(null=True)
    placed = BooleanAttribute(null=True)
    group = UnicodeAttribute(null=True)
    losses = Integer()
    lost_at = Moment(null=True)
    lost_lobby = UnicodeAttribute(null=True)
    erased = BooleanAttribute(null=True)


def to_item(player: Player) -> PlayerItem:
    """Write a player."""
    connection, lobby, tournament = player.connection, player.lobby, player.tournament
    return PlayerItem(
        id=player.id,
        nickname=player.nickname,
        rating=player.rating,
        games=player.games,
        board_shard=board_shard(player.id) if player.games else None,
        connection=connection and connection.id,
        connected_at=connection and connection.since,
        greeted=connection and connection.greeted,
        lobby=lobby and lobby.id,
        lobby_language=lobby and lobby.language,
        tournament=tournament and tournament.id,
        placed=tournament and tournament.placed,
        group=player.group,
        losses=player.losses,
        lost_at=player.lost_at,
        lost_lobby=player.lost_lobby,
        erased=player.erased or None,
        revision=player.revision,
    )


def from_item(item: PlayerItem) -> Player:
    """Read a player."""
    return Player(
        id=PlayerId(item.id),
        nickname=item.nickname,
        rating=item.rating,
        games=item.games,
        connection=_connection(item),
        seat=_seat(item),
        group=GroupCode(item.group) if item.group else None,
        losses=item.losses,
        lost_at=item.lost_at,
        lost_lobby=LobbyId(item.lost_lobby) if item.lost_lobby else None,
        erased=bool(item.erased),
        revision=item.revision,
    )


def board_shard(player: PlayerId) -> str:
    """Choose the part of the index in which a player stands."""
    return BOARD_SHARDS[crc32(player.encode()) % len(BOARD_SHARDS)]


def read_leader(item: dict[str, dict[str, Any]]) -> Leader:
    """Read what the index holds of a player."""
    return Leader(
        player=PlayerId(item["id"]["S"]),
        nickname=item["nickname"]["S"],
        rating=int(item["rating"]["N"]),
        games=int(item["games"]["N"]),
    )


def _connection(item: PlayerItem) -> Connection | None:
    if item.connection is None:
        return None
    return Connection(ConnectionId(item.connection), item.connected_at, item.greeted)


def _seat(item: PlayerItem) -> Seat | None:
    if item.lobby is not None:
        return LobbySeat(LobbyId(item.lobby), item.lobby_language)
    if item.tournament is not None:
        return TournamentSeat(TournamentId(item.tournament), item.placed)
    return None


PLAYERS = Kind(
    item=PlayerItem,
    to_item=to_item,
    from_item=from_item,
    # A little over a year: who plays once every year stays who they are.
    lifetime=timedelta(days=400),
    renewed=True,
    counted=frozenset({"rating", "games"}),
    indexes={BOARD_INDEX: ("board_shard", "rating")},
)
