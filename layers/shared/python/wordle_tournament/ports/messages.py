"""What the server says: one class for each message type of the protocol."""

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from wordle_tournament.rules.duel import Outcome
from wordle_tournament.rules.ids import DuelId, GroupCode, LobbyId, PlayerId, TournamentId
from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.refusals import Code
from wordle_tournament.rules.views import (
    DuelView,
    GroupView,
    LanguageView,
    LobbyView,
    PairView,
    ProfileView,
    RankView,
    ResultView,
    StandingView,
    TournamentView,
    TurnView,
)
from wordle_tournament.rules.words import Mark


@immutable
class Snapshot:
    """Everything as it is for one player (R7.4)."""

    type: ClassVar[str] = "snapshot"
    server_time: datetime
    profile: ProfileView
    lobby: LobbyView | None
    group: GroupView | None
    tournament: TournamentView | None
    duels: tuple[DuelView, ...]


@immutable
class Welcome:
    """The answer to `hello`: a snapshot, the token to come back with, and the languages."""

    type: ClassVar[str] = "welcome"
    protocol: int
    server_time: datetime
    token: str
    languages: tuple[LanguageView, ...]
    profile: ProfileView
    lobby: LobbyView | None
    group: GroupView | None
    tournament: TournamentView | None
    duels: tuple[DuelView, ...]


@immutable
class Pong:
    """The answer to `ping`."""

    type: ClassVar[str] = "pong"
    server_time: datetime


@immutable
class Profile:
    """The answer to `rename`."""

    type: ClassVar[str] = "profile"
    profile: ProfileView


@immutable
class LobbyChanged:
    """A lobby as it is now."""

    type: ClassVar[str] = "lobby"
    lobby: LobbyView


@immutable
class Left:
    """The sender has left the `lobby` or `tournament` called `id`."""

    type: ClassVar[str] = "left"
    origin: str
    id: LobbyId | TournamentId


@immutable
class LobbyLeft:
    """The player's seat in a lobby was given back for them."""

    type: ClassVar[str] = "lobbyLeft"
    lobby_id: LobbyId
    reason: str


@immutable
class GroupChanged:
    """A group as it is now."""

    type: ClassVar[str] = "group"
    group: GroupView


@immutable
class GroupLeft:
    """The player is no longer in the group; `reason` is `left` or `removed`."""

    type: ClassVar[str] = "groupLeft"
    code: GroupCode
    reason: str


@immutable
class TournamentStarted:
    """A tournament has begun."""

    type: ClassVar[str] = "tournamentStarted"
    tournament: TournamentView


@immutable
class RoundIntro:
    """The pairings of a round; its turns begin at `ends_at` (R1.3)."""

    type: ClassVar[str] = "roundIntro"
    tournament_id: TournamentId
    version: int
    round: int
    pairings: tuple[PairView, ...]
    bye: PlayerId | None
    ends_at: datetime


@immutable
class DuelStarted:
    """A duel's first turn has begun."""

    type: ClassVar[str] = "duelStarted"
    duel: DuelView


@immutable
class GuessMade:
    """A guess was accepted; `next` is the turn that follows, if one does."""

    type: ClassVar[str] = "guessMade"
    duel_id: DuelId
    version: int
    turn: int
    player_id: PlayerId
    word: str
    letters: tuple[str, ...]
    marks: tuple[Mark, ...]
    received_at: datetime
    next: TurnView | None


@immutable
class TurnSkipped:
    """The time for a turn ran out (R3.3)."""

    type: ClassVar[str] = "turnSkipped"
    duel_id: DuelId
    version: int
    turn: int
    player_id: PlayerId
    next: TurnView | None


@immutable
class DuelEnded:
    """A duel is over: its outcome and its word (R3.10)."""

    type: ClassVar[str] = "duelEnded"
    duel_id: DuelId
    version: int
    outcome: Outcome
    winner: PlayerId | None
    word: str
    letters: tuple[str, ...]


@immutable
class PlayerDisconnected:
    """A player lost the connection and may come back until `back_by` (R7.2)."""

    type: ClassVar[str] = "playerDisconnected"
    tournament_id: TournamentId
    version: int
    player_id: PlayerId
    back_by: datetime


@immutable
class PlayerReconnected:
    """A player came back in time."""

    type: ClassVar[str] = "playerReconnected"
    tournament_id: TournamentId
    version: int
    player_id: PlayerId


@immutable
class PlayerLeft:
    """A player left the tournament."""

    type: ClassVar[str] = "playerLeft"
    tournament_id: TournamentId
    version: int
    player_id: PlayerId


@immutable
class RoundEnded:
    """A round is over: how everybody stands."""

    type: ClassVar[str] = "roundEnded"
    tournament_id: TournamentId
    version: int
    round: int
    standings: tuple[StandingView, ...]


@immutable
class TournamentEnded:
    """A tournament is over: all places and rating changes."""

    type: ClassVar[str] = "tournamentEnded"
    tournament_id: TournamentId
    version: int
    standings: tuple[StandingView, ...]


@immutable
class History:
    """Finished tournaments, newest first; `before` is the cursor for older ones."""

    type: ClassVar[str] = "history"
    games: tuple[ResultView, ...]
    before: str | None


@immutable
class Leaderboard:
    """The best rated players, and where the sender stands."""

    type: ClassVar[str] = "leaderboard"
    players: tuple[RankView, ...]
    you: RankView | None


@immutable
class Replaced:
    """A newer connection of the same player has taken over; this one must not come back (R7.3)."""

    type: ClassVar[str] = "replaced"


@immutable
class Error:
    """A message was refused, or something of ours is broken."""

    type: ClassVar[str] = "error"
    code: Code
    message: str
    details: Mapping[str, object] | None = None


Message = (
    Welcome
    | Snapshot
    | Pong
    | Profile
    | LobbyChanged
    | Left
    | LobbyLeft
    | GroupChanged
    | GroupLeft
    | TournamentStarted
    | RoundIntro
    | DuelStarted
    | GuessMade
    | TurnSkipped
    | DuelEnded
    | PlayerDisconnected
    | PlayerReconnected
    | PlayerLeft
    | RoundEnded
    | TournamentEnded
    | History
    | Leaderboard
    | Replaced
    | Error
)


@immutable
class Frame:
    """A message on its way; `request_id` marks the direct answer to an action."""

    message: Message
    request_id: str | None = None
