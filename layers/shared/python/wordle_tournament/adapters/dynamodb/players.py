"""Players as items: hash key `id`."""

from datetime import timedelta

from pynamodb.attributes import BooleanAttribute, UnicodeAttribute

from wordle_tournament.adapters.dynamodb.attributes import Integer, Moment
from wordle_tournament.adapters.dynamodb.items import Item, Kind
from wordle_tournament.rules.ids import ConnectionId, GroupCode, LobbyId, PlayerId, TournamentId
from wordle_tournament.rules.player import Connection, LobbySeat, Player, Seat, TournamentSeat


class PlayerItem(Item):
    """A player; a seat is `lobby` with `lobby_language`, or `tournament` with `placed`."""

    id = UnicodeAttribute(hash_key=True)
    nickname = UnicodeAttribute()
    rating = Integer()
    games = Integer()
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


def to_item(player: Player) -> PlayerItem:
    """Write a player."""
    connection, lobby, tournament = player.connection, player.lobby, player.tournament
    return PlayerItem(
        id=player.id,
        nickname=player.nickname,
        rating=player.rating,
        games=player.games,
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
        revision=item.revision,
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
)
