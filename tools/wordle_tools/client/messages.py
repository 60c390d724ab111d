"""The server's messages as typed values; fields that the protocol does not name are ignored."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

PROTOCOL_VERSION = 1
SERVER_FRAME_LIMIT = 32 * 1024
"""The largest frame the server sends, in bytes."""
CLIENT_FRAME_LIMIT = 4 * 1024
"""The largest frame the server accepts, in bytes."""

Mark = Literal["correct", "present", "absent"]
Phase = Literal["intro", "duels", "ended"]
Outcome = Literal["solved", "draw", "left"]


class Wire(BaseModel):
    """A part of a message: frozen, strict about types, camelCase on the wire."""

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="ignore",
        alias_generator=to_camel,
        populate_by_name=True,
        hide_input_in_errors=True,
    )


class Player(Wire):
    """Whoever plays: all that others learn of them."""

    player_id: str
    nickname: str


class Profile(Player):
    """A player's own profile."""

    rating: int
    games: int


class Alphabet(Wire):
    """The letters of a language and the rows of its keyboard, as shown."""

    letters: tuple[str, ...]
    keyboard: tuple[tuple[str, ...], ...]


class Lobby(Wire):
    """A lobby that waits for `seats` players; `rating` is that of whoever opened it."""

    lobby_id: str
    version: int
    language: str
    rating: int
    seats: int
    players: tuple[Player, ...]
    alphabet: Alphabet | None = None


class Member(Player):
    """A member of a group."""

    connected: bool
    playing: bool


class Group(Wire):
    """A group of friends; `leader` is a player's id."""

    code: str
    invite_url: str
    version: int
    language: str
    leader: str
    members: tuple[Member, ...]


class TournamentPlayer(Player):
    """A player as a tournament sees them; `rating` is that of its beginning (R5.4)."""

    rating: int
    lives: int
    connected: bool
    left: bool = False
    back_by: int | None = None
    place: int | None = None
    rating_change: int | None = None


class Pairing(Wire):
    """Two players who meet in a round; the first begins."""

    duel_id: str
    players: tuple[str, str]


class Tournament(Wire):
    """A tournament as it stands at `version`."""

    tournament_id: str
    version: int
    language: str
    round: int
    phase: Phase
    players: tuple[TournamentPlayer, ...]
    pairings: tuple[Pairing, ...] | None = None
    bye: str | None = None
    intro_ends_at: int | None = None


class Row(Wire):
    """One used turn of a duel's board."""

    turn: int
    player_id: str
    skipped: bool
    word: str | None = None
    letters: tuple[str, ...] | None = None
    marks: tuple[Mark, ...] | None = None


class Ending(Wire):
    """How a duel ended."""

    outcome: Outcome
    winner: str | None = None
    word: str
    letters: tuple[str, ...] | None = None


class Duel(Wire):
    """A duel as one may see it at `version`; `player_id` is on turn until `deadline`."""

    duel_id: str
    tournament_id: str
    version: int
    round: int
    language: str
    length: int
    players: tuple[str, str]
    turn: int | None = None
    player_id: str | None = None
    deadline: int | None = None
    rows: tuple[Row, ...]
    ended: Ending | None = None


class Next(Wire):
    """The turn that follows."""

    turn: int
    player_id: str
    deadline: int


class Standing(Wire):
    """What a round or tournament came to for one player."""

    player_id: str
    lives: int
    place: int | None = None
    rating_change: int | None = None
    rating: int | None = None


class FinalStanding(Wire):
    """The last word on one player of a tournament."""

    player_id: str
    lives: int | None = None
    place: int
    rating_change: int
    rating: int


class ReplayRow(Wire):
    """A row of a duel that is over; a skipped one has no word."""

    player_id: str
    word: str | None = None
    letters: tuple[str, ...] | None = None
    marks: tuple[Mark, ...] | None = None


class Replay(Wire):
    """A duel that is over, turn by turn."""

    duel_id: str
    round: int
    players: tuple[str, str]
    outcome: Outcome
    winner: str | None = None
    word: str
    letters: tuple[str, ...]
    rows: tuple[ReplayRow, ...]


class FinishedGame(Wire):
    """One line of a player's history; its duels only as long as they are kept."""

    tournament_id: str
    ended_at: int
    language: str
    rounds: int
    place: int
    rating_change: int
    rating: int
    duels: tuple[Replay, ...] = ()


class Ranked(Profile):
    """One line of the leaderboard."""

    rank: int


class Message(Wire):
    """Anything the server says; `request_id` marks the answer to an action."""

    type: str
    request_id: str | None = None


class Snapshot(Message):
    """Everything a player may see at this moment."""

    type: Literal["snapshot"] = "snapshot"
    server_time: int
    profile: Profile
    lobby: Lobby | None = None
    group: Group | None = None
    tournament: Tournament | None = None
    duels: tuple[Duel, ...]


class Welcome(Message):
    """The answer to `hello`: the token and a snapshot."""

    type: Literal["welcome"] = "welcome"
    protocol: int
    token: SecretStr
    server_time: int
    profile: Profile
    lobby: Lobby | None = None
    group: Group | None = None
    tournament: Tournament | None = None
    duels: tuple[Duel, ...]


class Pong(Message):
    """The answer to `ping`."""

    type: Literal["pong"] = "pong"
    server_time: int


class ProfileTold(Message):
    """The answer to `rename`."""

    type: Literal["profile"] = "profile"
    profile: Profile


class LobbyTold(Message):
    """A lobby as it now stands."""

    type: Literal["lobby"] = "lobby"
    lobby: Lobby


class Left(Message):
    """The answer to `leave`."""

    type: Literal["left"] = "left"
    origin: Literal["lobby", "tournament"] = Field(alias="from")
    id: str


class LobbyLeft(Message):
    """The seat in a lobby is gone without having been left."""

    type: Literal["lobbyLeft"] = "lobbyLeft"
    lobby_id: str
    reason: str


class GroupTold(Message):
    """A group as it now stands."""

    type: Literal["group"] = "group"
    group: Group


class GroupLeft(Message):
    """One is no longer in the group."""

    type: Literal["groupLeft"] = "groupLeft"
    code: str
    reason: str


class TournamentStarted(Message):
    """The lobby is full and the tournament begins."""

    type: Literal["tournamentStarted"] = "tournamentStarted"
    tournament: Tournament


class TournamentEvent(Message):
    """Something that happened in a tournament."""

    tournament_id: str
    version: int


class RoundIntro(TournamentEvent):
    """The pairings of a round, shown until `ends_at`."""

    type: Literal["roundIntro"] = "roundIntro"
    round: int
    pairings: tuple[Pairing, ...]
    bye: str | None = None
    ends_at: int


class PlayerDisconnected(TournamentEvent):
    """A player lost the connection and has until `back_by` to return (R7.2)."""

    type: Literal["playerDisconnected"] = "playerDisconnected"
    player_id: str
    back_by: int


class PlayerReconnected(TournamentEvent):
    """A player is back."""

    type: Literal["playerReconnected"] = "playerReconnected"
    player_id: str


class PlayerLeft(TournamentEvent):
    """A player left the tournament (R4.2)."""

    type: Literal["playerLeft"] = "playerLeft"
    player_id: str


class RoundEnded(TournamentEvent):
    """What a round came to."""

    type: Literal["roundEnded"] = "roundEnded"
    round: int
    standings: tuple[Standing, ...]


class TournamentEnded(TournamentEvent):
    """The places and rating changes of all eight."""

    type: Literal["tournamentEnded"] = "tournamentEnded"
    standings: tuple[FinalStanding, ...]


class DuelStarted(Message):
    """A duel begins: its turns can be played."""

    type: Literal["duelStarted"] = "duelStarted"
    duel: Duel


class DuelEvent(Message):
    """Something that happened in a duel."""

    duel_id: str
    version: int


class GuessMade(DuelEvent):
    """A guess that counted."""

    type: Literal["guessMade"] = "guessMade"
    turn: int
    player_id: str
    word: str
    letters: tuple[str, ...]
    marks: tuple[Mark, ...]
    received_at: int
    next: Next | None = None


class TurnSkipped(DuelEvent):
    """A turn whose time ran out (R3.3)."""

    type: Literal["turnSkipped"] = "turnSkipped"
    turn: int
    player_id: str
    next: Next | None = None


class DuelEnded(DuelEvent):
    """The end of a duel, and its word (R3.10)."""

    type: Literal["duelEnded"] = "duelEnded"
    outcome: Outcome
    winner: str | None = None
    word: str
    letters: tuple[str, ...]


class History(Message):
    """A page of one's finished games, newest first."""

    type: Literal["history"] = "history"
    games: tuple[FinishedGame, ...]
    before: str | None = None


class Leaderboard(Message):
    """The best players, and oneself."""

    type: Literal["leaderboard"] = "leaderboard"
    players: tuple[Ranked, ...]
    you: Ranked | None = None


class Replaced(Message):
    """A newer connection of the same player took over: final for this one (R7.3)."""

    type: Literal["replaced"] = "replaced"


class ErrorTold(Message):
    """A refusal; `message` is for a developer."""

    type: Literal["error"] = "error"
    code: str
    message: str
    details: dict[str, Any] | None = None


class UnknownMessage(Message):
    """A message that this client is too old to know."""


Known = (
    Welcome
    | Snapshot
    | Pong
    | ProfileTold
    | LobbyTold
    | Left
    | LobbyLeft
    | GroupTold
    | GroupLeft
    | TournamentStarted
    | RoundIntro
    | PlayerDisconnected
    | PlayerReconnected
    | PlayerLeft
    | RoundEnded
    | TournamentEnded
    | DuelStarted
    | GuessMade
    | TurnSkipped
    | DuelEnded
    | History
    | Leaderboard
    | Replaced
    | ErrorTold
)

_KNOWN: TypeAdapter[Known] = TypeAdapter(Annotated[Known, Field(discriminator="type")])
_UNKNOWN = "union_tag_invalid"


class MalformedMessageError(ValueError):
    """The server said something that the protocol does not allow; names fields, never values."""


def parse(text: str) -> Message:
    """Read one frame; raises `MalformedMessageError`."""
    try:
        return _KNOWN.validate_json(text)
    except ValidationError as problem:
        faults = problem.errors(include_input=False, include_context=False, include_url=False)
    if [fault["type"] for fault in faults] == [_UNKNOWN]:
        try:
            return UnknownMessage.model_validate_json(text)
        except ValidationError as problem:
            faults = problem.errors(include_input=False, include_context=False, include_url=False)
    raise MalformedMessageError(
        "; ".join(_explain(fault["loc"], fault["type"]) for fault in faults)
    )


def request_id_of(text: str) -> str | None:
    """Find the request id in a frame that may be malformed otherwise."""
    try:
        content = json.loads(text)
    except ValueError:
        return None
    found = content.get("requestId") if isinstance(content, dict) else None
    return found if isinstance(found, str) else None


def _explain(path: tuple[int | str, ...], fault: str) -> str:
    return f"{'.'.join(map(str, path)) or 'frame'}: {fault}"
