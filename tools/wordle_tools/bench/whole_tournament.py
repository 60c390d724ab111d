"""A whole tournament through the functions: `python -m wordle_tools.bench.whole_tournament SEED`.

Its players think like those of the simulation.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from wordle_tools.bench.functions import load_handler
from wordle_tools.bench.noted_aws import NotedAws, noted_aws
from wordle_tools.simulation import Habits
from wordle_tournament.rules.moments import to_ms

PLAYERS = 8

STATES_A_WAKE = 3
"""Wait, Tick and IsOver; one more, Over, ends each clock."""

AT_THE_DOOR = ("authorize", "connect")
"""Functions that a connection calls before its first message."""

FOR_EVER = timedelta(days=365)
"""How long what never expires is counted as kept: what stands there after a year."""

_LEFT_BEHIND = ("TOURNAMENTS_TABLE", "DUELS_TABLE", "RESULTS_TABLE")

_CONTEXT = SimpleNamespace(aws_request_id="b7c1f0de-0d7a-4a3f-9a6b-6f4d6f0a8a11")

Turn = tuple[str, int]
"""A duel, and a turn of it."""


class StandingClock:
    """The time in the functions, which stands until it is set."""

    def __init__(self) -> None:
        """Stand at some time."""
        self.at = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        """Tell the time it stands at."""
        return self.at

    def pause(self, attempt: int) -> None:
        """Go on at once."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a tournament has used, in units of the price list.

    `called` counts invocations by function, `reads` and `writes` units of DynamoDB by table or
    `table/index`; `arrivals` are what the gateway hands to functions, `kept_byte_days` what the
    tournament leaves behind times how long.
    """

    rounds: int
    clocks: int
    wakes: int
    called: Mapping[str, int]
    arrivals: int
    messages: int
    message_bytes: int
    connection_minutes: float
    reads: Mapping[str, float]
    writes: Mapping[str, int]
    kept_byte_days: float

    @property
    def invocations(self) -> int:
        """Invocations of all functions."""
        return sum(self.called.values())

    @property
    def read_units(self) -> float:
        """Read units of all tables and indexes."""
        return sum(self.reads.values())

    @property
    def write_units(self) -> int:
        """Write units of all tables and indexes."""
        return sum(self.writes.values())

    @property
    def transitions(self) -> int:
        """States that executions have gone through."""
        return STATES_A_WAKE * self.wakes + self.clocks


@dataclass
class Table:
    """Eight players, and the clocks of their rounds."""

    name: str
    aws: NotedAws
    clock: StandingClock
    chance: random.Random
    habits: Habits = field(default_factory=Habits)
    rounds: int = 0
    over: bool = False
    turns: dict[Turn, str] = field(default_factory=dict)
    guesses_at: dict[Turn, datetime] = field(default_factory=dict)
    clocks: list[tuple[datetime, dict[str, Any]]] = field(default_factory=list)
    called: Counter[str] = field(default_factory=Counter)
    sent: int = 0
    started: int = 0
    wakes: int = 0

    def play(self) -> Usage:
        """Play to the end of the tournament, and of its clocks."""
        aws, began = self.aws, self.clock.at
        players = [f"{self.name}-{seat}" for seat in range(PLAYERS)]
        for player in players:
            self.called.update(AT_THE_DOOR)
            self._send(player, "hello", protocol=1)
        for player in players:
            self._send(player, "join", language="en")
        while not self.over:
            self._go_on()
        ended = self.clock.at
        while self.clocks:
            self._wake()
        for player in players:
            self._call("disconnect", _event(player, self.clock.at, "DISCONNECT"))
        return Usage(
            rounds=self.rounds,
            clocks=self.started,
            wakes=self.wakes,
            called=dict(self.called),
            arrivals=self.sent + PLAYERS * len(("connect", "disconnect")),
            messages=self.sent + aws.messages,
            message_bytes=aws.message_bytes,
            connection_minutes=PLAYERS * ((ended - began) / timedelta(minutes=1)),
            reads=dict(aws.reads),
            writes=dict(aws.writes),
            kept_byte_days=sum(
                aws.kept_byte_days(table, self.clock.at, for_ever=FOR_EVER)
                for table in _LEFT_BEHIND
            ),
        )

    def _go_on(self) -> None:
        """Let happen what comes first: a guess, or a clock that wakes."""
        turn = min(self.turns, key=self.guesses_at.__getitem__, default=None)
        wake_at = min((at for at, _ in self.clocks), default=None)
        if turn is None or (wake_at is not None and wake_at <= self.guesses_at[turn]):
            self._wake()
        else:
            self._guess(turn)

    def _guess(self, turn: Turn) -> None:
        from wordle_tournament.entry.wiring import wire_game
        from wordle_tournament.rules.ids import DuelId

        duel_id, number = turn
        self.clock.at = self.guesses_at[turn]
        with self.aws.unnoted():
            duel = wire_game().store.duel(DuelId(duel_id))
        if duel is None:
            raise LookupError(duel_id)
        word = duel.word
        if self.chance.random() >= self.habits.solving:
            answers = wire_game().lexicon.answers(duel.language, len(word))
            word = next(other for other in answers if other != duel.word)
        self._send(self.turns[turn], "guess", duelId=duel_id, turn=number, word=word)

    def _wake(self) -> None:
        """Do what a state machine does when the wait of its execution is over."""
        clock = min(self.clocks, key=lambda one: one[0])
        self.clocks.remove(clock)
        wake_at, state = clock
        self.clock.at = max(self.clock.at, wake_at)
        self.wakes += 1
        told = self._call("tick", state)
        if not told["over"]:
            self.clocks.append((_read_time(told["wakeAt"]), told))

    def _send(self, player: str, action: str, **fields: object) -> None:
        self.sent += 1
        body = json.dumps({"action": action, "requestId": str(self.sent), **fields})
        self._call(action, _event(player, self.clock.at, "MESSAGE", body))

    def _call(self, function: str, event: dict[str, Any]) -> Any:
        self.called[function] += 1
        told = load_handler(function)(event, _CONTEXT)
        for state in self.aws.take_started():
            self.started += 1
            self.clocks.append((_read_time(state["wakeAt"]), state))
        for frame in self.aws.take_posted():
            self._hear(frame)
        return told

    def _hear(self, frame: dict[str, Any]) -> None:
        match frame["type"]:
            case "error":
                raise RuntimeError(frame["message"])
            case "roundIntro":
                self.rounds = frame["round"]
            case "duelStarted":
                duel = frame["duel"]
                self._plan(duel["duelId"], duel["turn"], duel["playerId"])
            case "guessMade" | "turnSkipped":
                self.turns.pop((frame["duelId"], frame["turn"]), None)
                if following := frame.get("next"):
                    self._plan(frame["duelId"], following["turn"], following["playerId"])
            case "tournamentEnded":
                self.over = True

    def _plan(self, duel: str, turn: int, player: str) -> None:
        """Let a player think about a turn; everybody who sees the duel tells of it once."""
        thinking = timedelta(seconds=self.chance.uniform(self.habits.fastest, self.habits.slowest))
        self.turns[duel, turn] = player
        self.guesses_at.setdefault((duel, turn), self.clock.at + thinking)


def _event(player: str, at: datetime, kind: str, body: str = "") -> dict[str, Any]:
    """Make what functions read of an event of the gateway."""
    milliseconds = to_ms(at)
    return {
        "requestContext": {
            "eventType": kind,
            "connectionId": f"line-of-{player}",
            "requestTimeEpoch": milliseconds,
            "authorizer": {
                "playerId": player,
                "connectedAt": "0",
                "tokenIssuedAt": str(milliseconds),
            },
        },
        "body": body,
    }


def _read_time(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


if __name__ == "__main__":
    standing = StandingClock()
    with noted_aws(standing) as noted:
        used = Table("p", noted, standing, random.Random(int(sys.argv[1]))).play()
    print(json.dumps(asdict(used)))
