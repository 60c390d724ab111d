"""What one player's connections say and hear: frames, fields, answers, and nothing lost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from wordle_tools.client.errors import ERROR_CODES
from wordle_tools.client.messages import (
    SERVER_FRAME_LIMIT,
    Duel,
    DuelEnded,
    DuelEvent,
    DuelStarted,
    ErrorTold,
    GroupLeft,
    GroupTold,
    Left,
    LobbyTold,
    MalformedMessageError,
    Message,
    RoundEnded,
    RoundIntro,
    Snapshot,
    Tournament,
    TournamentEvent,
    TournamentStarted,
    Welcome,
    parse,
)
from wordle_tools.referee.evidence import Evidence

ANSWERS = {
    "hello": "welcome",
    "sync": "snapshot",
    "ping": "pong",
    "rename": "profile",
    "join": "lobby",
    "leave": "left",
    "guess": "guessMade",
    "watch": "snapshot",
    "unwatch": "snapshot",
    "createGroup": "group",
    "joinGroup": "group",
    "leaveGroup": "groupLeft",
    "removeFromGroup": "group",
    "setGroupLanguage": "group",
    "startGroup": "lobby",
    "history": "history",
    "leaderboard": "leaderboard",
}
"""The type of the direct answer to each action."""

FAULTS = ("internal", "bad_message", "unknown_action", "unsupported_protocol", "message_too_large")
"""Errors that neither a sound server nor a sound client gives cause for."""

DETAILS = {
    "too_many_requests": ("retryAfterMs",),
    "deadline_passed": ("lateByMs",),
    "wrong_length": ("expected", "got"),
}
"""What the details of an error must hold."""

PATIENCE_SECONDS = 30.0
"""How long after its action an answer may come at the latest."""

RATING_WINDOW = 200
"""How far from a lobby's rating a player who joins alone may be (R6.2)."""

_CAMEL_CASE = re.compile(r"[a-z][A-Za-z0-9]*")


@dataclass(slots=True)
class _Versions:
    """The versions of one thing that came as events, and those that snapshots stood at."""

    events: set[int] = field(default_factory=set)
    views: set[int] = field(default_factory=set)

    def lost(self) -> list[int]:
        """Those that should have come as events since the thing was first heard of (R7.4)."""
        heard = self.events | self.views
        return [one for one in range(min(heard) + 1, max(heard) + 1) if one not in self.events]


Heard = dict[tuple[str, str], _Versions]
"""What was heard, by kind and id of the thing."""


@dataclass(slots=True)
class _Line:
    """One connection: what was sent and not yet answered, and which versions came.

    `announced` are one's own duels in the pairings told here, each with its tournament and round;
    `begun`, `played` and `ended` the duels whose start, turns and end were told; `over` the rounds
    whose end was.
    """

    unanswered: dict[str, list[float]] = field(default_factory=dict)
    heard: Heard = field(default_factory=dict)
    announced: dict[str, tuple[str, int]] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    played: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    over: set[tuple[str, int]] = field(default_factory=set)
    greeted: bool = False
    open: bool = True


@dataclass(slots=True)
class Seen:
    """A duel event as one player heard it; `order` counts what that player heard."""

    order: int
    duel_id: str
    ended: bool


class Witness:
    """Hears one player's frames and puts what they show into evidence."""

    def __init__(self, name: str, evidence: Evidence, clock: Callable[[], float]) -> None:
        """Listen for the player that breaches call `name`; `clock` counts seconds."""
        self.name = name
        self.player_id: str | None = None
        self.rating: int | None = None
        self.secrets: set[str] = set()
        self.texts: list[str] = []
        self.loose_strings: set[str] = set()
        self.seen: list[Seen] = []
        self.ratings_met: list[tuple[str, int]] = []
        self._evidence = evidence
        self._clock = clock
        self._lines: dict[int, _Line] = {}
        self._actions: dict[str, str] = {}
        self.ever_watched = False

    def opened(self, connection: int) -> None:
        """A handshake succeeded."""
        self._lines[connection] = _Line()

    def sent(self, connection: int, text: str) -> None:
        """The player sent a frame."""
        content = json.loads(text)
        action, request_id = content["action"], content["requestId"]
        line = self._lines[connection]
        line.unanswered.setdefault(request_id, []).append(self._clock())
        self._actions[request_id] = action
        if action == "hello":
            line.greeted = True
        if action == "watch":
            self.ever_watched = True
        if action in ("unwatch", "leave", "join", "startGroup"):
            self._forget_foreign_duels(line)

    def received(self, connection: int, text: str) -> None:
        """The player heard a frame."""
        line = self._lines[connection]
        size = len(text.encode())
        self._check(size <= SERVER_FRAME_LIMIT, "frames", f"a frame of {size} bytes")
        try:
            message = parse(text)
        except MalformedMessageError as fault:
            self._breach("fields", str(fault))
            return
        self._check(line.greeted, "hello", f"{message.type} before hello was sent")
        content = json.loads(text)
        for fault_found in _faults_of_form(content):
            self._breach("fields", f"{message.type}: {fault_found}")
        self.loose_strings |= set(_loose_strings(content))
        if not isinstance(message, Welcome):
            self.texts.append(text)
        self._check_answer(line, message)
        self._file(line, message)

    def closed(self, connection: int) -> None:
        """The connection is gone."""
        self._lines[connection].open = False
        self._check_silence(self._lines[connection])

    def finish(self) -> None:
        """Nothing more will come: judge what must be complete."""
        for line in self._lines.values():
            if line.open:
                self._check_silence(line)
            for duel_id, its_round in line.announced.items():
                begun = duel_id in line.begun or duel_id not in line.played
                self._check(begun, "messages", f"the start of duel {duel_id} did not come")
                told = duel_id in line.ended or its_round not in line.over
                self._check(told, "messages", f"the end of duel {duel_id} did not come")
            for (kind, name), versions in line.heard.items():
                lost = versions.lost()
                what = f"{kind} {name}: version {lost[0] if lost else 0} did not come"
                self._check(not lost, "versions", what)

    def _check_silence(self, line: _Line) -> None:
        now = self._clock()
        for request_id, times in line.unanswered.items():
            silent = any(now - sent_at > PATIENCE_SECONDS for sent_at in times)
            self._check(not silent, "answers", f"{self._actions[request_id]} stayed unanswered")

    def _check_answer(self, line: _Line, message: Message) -> None:
        if message.request_id is None:
            return
        action = self._actions.get(message.request_id)
        if action is None:
            self._breach("answers", f"{message.type} answers nothing that was asked")
            return
        waiting = line.unanswered.get(message.request_id, [])
        self._check(bool(waiting), "answers", f"{action} was answered twice ({message.type})")
        if waiting:
            waiting.pop(0)
        if isinstance(message, ErrorTold):
            self._check_error(action, message)
        else:
            right = message.type == ANSWERS[action]
            self._check(right, "answers", f"{action} was answered by {message.type}")
        if action == "join" and isinstance(message, LobbyTold) and self.rating is not None:
            apart = abs(message.lobby.rating - self.rating)
            self._check(apart <= RATING_WINDOW, "R6.2", f"a lobby {apart} points away")

    def _check_error(self, action: str, error: ErrorTold) -> None:
        self._check(error.code in ERROR_CODES, "errors", f"unknown code {error.code}")
        self._check(error.code not in FAULTS, "errors", f"{action} was answered by {error.code}")
        self._check(bool(error.message), "errors", f"{error.code} without a message")
        details = error.details or {}
        for name in DETAILS.get(error.code, ()):
            self._check(type(details.get(name)) is int, "errors", f"{error.code} without {name}")

    def _file(self, line: _Line, message: Message) -> None:
        match message:
            case Welcome() | Snapshot():
                self._file_snapshot(line, message)
            case LobbyTold():
                _hear(line, "lobby", message.lobby.lobby_id, message.lobby.version)
                self._evidence.add_lobby(message.lobby)
            case Left():
                line.heard.pop((message.origin, message.id), None)
            case GroupTold():
                _hear(line, "group", message.group.code, message.group.version)
                self._evidence.add_group(message.group)
            case GroupLeft():
                line.heard.pop(("group", message.code), None)
            case TournamentStarted():
                self._file_tournament_started(line, message.tournament)
            case TournamentEvent():
                _hear(line, "tournament", message.tournament_id, message.version)
                self._evidence.add_tournament_event(message)
                if isinstance(message, RoundIntro):
                    its_round = (message.tournament_id, message.round)
                    line.announced |= dict.fromkeys(self._own_duels(message), its_round)
                if isinstance(message, RoundEnded):
                    line.over.add((message.tournament_id, message.round))
                    self._note_rating(message)
            case DuelStarted():
                line.begun.add(message.duel.duel_id)
                self._hear_duel(line, message.duel.duel_id, message.duel.version, ended=False)
                self._evidence.add_duel_started(message.duel)
            case DuelEvent():
                ended = isinstance(message, DuelEnded)
                (line.ended if ended else line.played).add(message.duel_id)
                self._hear_duel(line, message.duel_id, message.version, ended=ended)
                self._evidence.add_duel_event(message)
            case _:
                pass

    def _own_duels(self, intro: RoundIntro) -> set[str]:
        return {one.duel_id for one in intro.pairings if self.player_id in one.players}

    def _note_rating(self, event: RoundEnded) -> None:
        for standing in event.standings:
            if standing.player_id == self.player_id and standing.rating is not None:
                self.rating = standing.rating

    def _file_snapshot(self, line: _Line, snapshot: Welcome | Snapshot) -> None:
        if isinstance(snapshot, Welcome):
            self.secrets.add(snapshot.token.get_secret_value())
            known = self.player_id in (None, snapshot.profile.player_id)
            self._check(known, "token", "came back as somebody else")
            self.player_id = snapshot.profile.player_id
        self.rating = snapshot.profile.rating
        if snapshot.lobby:
            _see(line, "lobby", snapshot.lobby.lobby_id, snapshot.lobby.version)
            self._evidence.add_lobby(snapshot.lobby)
        if snapshot.group:
            _see(line, "group", snapshot.group.code, snapshot.group.version)
            self._evidence.add_group(snapshot.group)
        if snapshot.tournament:
            tournament = snapshot.tournament
            _see(line, "tournament", tournament.tournament_id, tournament.version)
            self._evidence.add_tournament_view(tournament)
        own = [duel for duel in snapshot.duels if self.player_id in duel.players]
        self._check(len(own) <= 1, "snapshot", "two duels of one's own")
        self._check(
            len(snapshot.duels) == len(own) or not own, "watch", "sees others while playing"
        )
        for duel in snapshot.duels:
            self._file_duel_view(line, duel)

    def _file_duel_view(self, line: _Line, duel: Duel) -> None:
        line.begun.add(duel.duel_id)
        _see(line, "duel", duel.duel_id, duel.version)
        self._evidence.add_duel_view(duel)
        if duel.ended is None:
            complete = duel.turn is not None and duel.player_id and duel.deadline is not None
            self._check(bool(complete), "snapshot", "a running duel without a turn")

    def _file_tournament_started(self, line: _Line, tournament: Tournament) -> None:
        _hear(line, "tournament", tournament.tournament_id, tournament.version)
        self._evidence.add_tournament_started(tournament)
        players = {player.player_id: player.rating for player in tournament.players}
        self._check(self.player_id in players, "R6.4", "hears of a tournament of others")
        if self.player_id in players:
            self.ratings_met.append((tournament.tournament_id, players[self.player_id]))

    def _hear_duel(self, line: _Line, duel_id: str, version: int, *, ended: bool) -> None:
        _hear(line, "duel", duel_id, version)
        self.seen.append(Seen(len(self.seen), duel_id, ended))

    def _forget_foreign_duels(self, line: _Line) -> None:
        """A duel that is watched again later may rightly have a gap."""
        for kind, name in list(line.heard):
            if kind == "duel":
                del line.heard[kind, name]

    def _check(self, holds: bool, rule: str, what: str) -> None:
        if not holds:
            self._breach(rule, what)

    def _breach(self, rule: str, what: str) -> None:
        self._evidence.breach(rule, f"{self.name}: {what}")


def _hear(line: _Line, kind: str, name: str, version: int) -> None:
    line.heard.setdefault((kind, name), _Versions()).events.add(version)


def _see(line: _Line, kind: str, name: str, version: int) -> None:
    line.heard.setdefault((kind, name), _Versions()).views.add(version)


def _faults_of_form(content: object) -> Iterator[str]:
    """Find names that are not camelCase and fields that are null instead of left out."""
    if isinstance(content, list):
        for item in content:
            yield from _faults_of_form(item)
    if not isinstance(content, dict):
        return
    for name, value in content.items():
        if not _CAMEL_CASE.fullmatch(name):
            yield f"field {name!r} is not camelCase"
        if value is None:
            yield f"field {name!r} is null"
        if name != "details":
            yield from _faults_of_form(value)


# Where words, and strings that may equal one by chance, have their place.
_NO_LEAK = frozenset({"nickname", "alphabet", "languages", "message", "type", "token", "code"})
_WORD_FIELDS = frozenset({"word", "letters"})
_WORD_MESSAGES = frozenset({"guessMade", "duelEnded"})
_WORD_PARENTS = frozenset({"rows", "ended"})
_FREE_OF_WORDS = frozenset(
    {"playerId", "duelId", "tournamentId", "lobbyId", "requestId", "winner", "leader", "inviteUrl"}
    | {"outcome", "reason", "from", "phase", "language", "marks", "before", "id", "bye"}
)


def _loose_strings(content: Mapping[str, Any]) -> Iterator[str]:
    """Give the strings that stand where the protocol has no word: none may be a hidden word."""
    may_tell = content.get("type") in _WORD_MESSAGES
    yield from _strings(content, "", may_tell=may_tell)


def _strings(content: object, parent: str, *, may_tell: bool) -> Iterator[str]:
    if isinstance(content, str):
        yield content.casefold()
    elif isinstance(content, list):
        if parent == "letters":
            yield "".join(map(str, content)).casefold()
        for item in content:
            yield from _strings(item, parent, may_tell=may_tell)
    elif isinstance(content, dict):
        for name, value in content.items():
            if name in _NO_LEAK or name in _FREE_OF_WORDS:
                continue
            if name in _WORD_FIELDS and (may_tell or parent in _WORD_PARENTS):
                continue
            yield from _strings(value, name, may_tell=False)
