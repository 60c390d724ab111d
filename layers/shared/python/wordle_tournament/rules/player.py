"""A player between and during games: identity, connection and where they are (R6.4, R7, R10)."""

from dataclasses import replace
from datetime import datetime

from wordle_tournament.rules.ids import (
    ConnectionId,
    GroupCode,
    LobbyId,
    PlayerId,
    TournamentId,
)
from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.rating import INITIAL_RATING

ERASED_NICKNAME = "Former Player"
"""What erased players are called in tournaments of others."""


@immutable
class Connection:
    """A connection to the gateway; events go to it once it has been `greeted` with `welcome`.

    `since` is the time of its handshake, the same for all its messages: it tells which of two
    connections is the newer (R7.3).
    """

    id: ConnectionId
    since: datetime
    greeted: bool = False


@immutable
class LobbySeat:
    """A seat in a lobby of the waiting room of `language`."""

    id: LobbyId
    language: str


@immutable
class TournamentSeat:
    """A place in a tournament; once `placed` the player only watches or has gone (R6.6)."""

    id: TournamentId
    placed: bool = False


Seat = LobbySeat | TournamentSeat


@immutable
class Player:
    """A player as stored.

    `losses` counts lost connections, `lost_at` is the time of the last one; `lost_lobby` is the
    lobby whose seat went with it, until the player has been told (R6.5). An `erased` player is
    nobody any more: what is left keeps their tokens from making a new player of that id.
    """

    id: PlayerId
    nickname: str
    rating: int = INITIAL_RATING
    games: int = 0
    connection: Connection | None = None
    seat: Seat | None = None
    group: GroupCode | None = None
    losses: int = 0
    lost_at: datetime | None = None
    lost_lobby: LobbyId | None = None
    erased: bool = False
    revision: int = 0

    @property
    def lobby(self) -> LobbySeat | None:
        """The lobby the player sits in."""
        return self.seat if isinstance(self.seat, LobbySeat) else None

    @property
    def tournament(self) -> TournamentSeat | None:
        """The tournament the player is in or was put out of."""
        return self.seat if isinstance(self.seat, TournamentSeat) else None

    def sits_in(self, tournament: TournamentId) -> bool:
        """Whether the player's seat is in this tournament, placed or not."""
        return self.tournament is not None and self.tournament.id == tournament

    @property
    def playing(self) -> bool:
        """Whether the player is in a lobby, or in a tournament without a place yet (R6.4, R8.4)."""
        return self.lobby is not None or (
            self.tournament is not None and not self.tournament.placed
        )

    @property
    def ear(self) -> ConnectionId | None:
        """The connection on which the player hears events."""
        return self.connection.id if self.connection and self.connection.greeted else None


def take_connection(player: Player, connection: Connection) -> Player | None:
    """Make `connection` the current one; None when a newer one already is (R7.3)."""
    current = player.connection
    if current is None:
        return replace(player, connection=connection, lost_at=None)
    if current.id == connection.id:
        greeted = current.greeted or connection.greeted
        return replace(player, connection=replace(connection, greeted=greeted))
    if current.since > connection.since:
        return None
    return replace(player, connection=connection)


def lose_connection(player: Player, connection: ConnectionId, now: datetime) -> Player | None:
    """Note the loss of the current connection; None when it is another one (R7.2, R7.3)."""
    if player.connection is None or player.connection.id != connection:
        return None
    return replace(
        player,
        connection=None,
        losses=player.losses + 1,
        lost_at=now,
        lost_lobby=player.lobby.id if player.lobby else player.lost_lobby,
    )


def erase(player: Player) -> Player:
    """Leave nothing of a player but the id."""
    return Player(id=player.id, nickname=ERASED_NICKNAME, erased=True, revision=player.revision)
