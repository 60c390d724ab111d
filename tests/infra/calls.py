"""What functions ask of AWS while they run in memory: noted, and refused where a test says so.

That the adapters ask AWS for just these things is held in `tests/contracts/test_calls.py`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import pytest

from wordle_tournament.adapters.memory import MemoryStore
from wordle_tournament.adapters.memory_outside import MemoryPush, MemoryTimers, MemoryTokens
from wordle_tournament.ports.store import Change, Delete
from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.ids import PlayerId

Call = tuple[str, str]
"""An action of IAM, and the logical id of the resource it is for."""

STORE: dict[str, Call] = {
    "player": ("dynamodb:GetItem", "PlayersTable"),
    "room": ("dynamodb:GetItem", "RoomsTable"),
    "tournament": ("dynamodb:GetItem", "TournamentsTable"),
    "duel": ("dynamodb:GetItem", "DuelsTable"),
    "duels": ("dynamodb:Query", "DuelsTable"),
    "played": ("dynamodb:Query", "DuelsTable"),
    "group": ("dynamodb:GetItem", "GroupsTable"),
    "overdue": ("dynamodb:Query", "TournamentsTable/index/wake"),
    "results": ("dynamodb:Query", "ResultsTable"),
    "leaders": ("dynamodb:Query", "PlayersTable/index/board"),
    "count_better": ("dynamodb:Query", "PlayersTable/index/board"),
    "show": ("dynamodb:UpdateItem", "DuelsTable"),
}
"""What a method of the store asks for that does not depend on what it is given."""

LOAD_PLAYERS: Call = ("dynamodb:BatchGetItem", "PlayersTable")
PLAY: Call = ("dynamodb:UpdateItem", "DuelsTable")

POST: Call = ("execute-api:ManageConnections", "POST")
CLOSE: Call = ("execute-api:ManageConnections", "DELETE")
START_CLOCK: Call = ("states:StartExecution", "RoundClock")
START_GRACE: Call = ("states:StartExecution", "ReconnectGrace")
READ_KEYS: Call = ("secretsmanager:GetSecretValue", "SigningKeys")

SURVIVED: dict[tuple[type, str], tuple[Call, object]] = {
    (MemoryPush, "send"): (POST, frozenset()),
    (MemoryPush, "close"): (CLOSE, None),
    (MemoryTimers, "start_round_clock"): (START_CLOCK, None),
    (MemoryTimers, "start_grace"): (START_GRACE, None),
}
"""What is asked for where a refusal is logged and raises nothing, and what is returned then."""


class Denied(Exception):  # noqa: N818 - an answer of AWS
    """AWS does not let the function do this."""


class Gate:
    """What every call passes while a function works: `calls` notes who asks what.

    The one that is `denied` is refused. While `repeating`, the SDK has sent every write twice.
    """

    def __init__(self) -> None:
        self.calls: defaultdict[str, set[Call]] = defaultdict(set)
        self.denied: Call | None = None
        self.repeating = False
        self._function: str | None = None

    @contextmanager
    def working(self, function: str | None) -> Iterator[None]:
        """A function at work, unless it is part of the work of another; None is nobody's work."""
        before = self._function
        self._function = function if function is None or before is None else before
        try:
            yield
        finally:
            self._function = before

    def ask(self, call: Call) -> None:
        """Note a call of the function at work; what tests look at themselves is none."""
        if self._function is None:
            return
        self.calls[self._function].add(call)
        if call == self.denied:
            raise Denied(*call)

    def asking(self, work: Callable[..., Any], call: Call) -> Callable[..., Any]:
        """The work, which raises when it is not allowed."""

        @wraps(work)
        def done(*arguments: Any, **named: Any) -> Any:
            self.ask(call)
            return work(*arguments, **named)

        return done

    def surviving(self, work: Callable[..., Any], call: Call, instead: Any) -> Callable[..., Any]:
        """The work, which is left out when it is not allowed."""

        @wraps(work)
        def done(*arguments: Any, **named: Any) -> Any:
            try:
                self.ask(call)
            except Denied:
                return instead
            return work(*arguments, **named)

        return done

    def committing(self, commit: Callable[..., None]) -> Callable[..., None]:
        """A commit, which asks for each change."""

        @wraps(commit)
        def done(store: MemoryStore, *changes: Change) -> None:
            for change in changes:
                self.ask(call_of(change))
            commit(store, *changes)
            self._read_back(*changes)

        return done

    def loading(self, load: Callable[..., Any]) -> Callable[..., Any]:
        """A load of several players, which asks for nothing when there are none."""

        @wraps(load)
        def done(store: MemoryStore, players: Iterable[PlayerId]) -> Any:
            wanted = list(players)
            if wanted:
                self.ask(LOAD_PLAYERS)
            return load(store, wanted)

        return done

    def playing(self, play: Callable[..., Duel]) -> Callable[..., Duel]:
        """A move of a duel, which looks at what stands where it cannot tell whether it lost."""

        @wraps(play)
        def done(store: MemoryStore, before: Duel, after: Duel) -> Duel:
            self.ask(PLAY)
            played = play(store, before, after)
            if self.repeating:
                self.ask(STORE["duel"])
            return played

        return done

    def _read_back(self, *changes: Change) -> None:
        """Look at what stands after a write that lost, perhaps to itself; no transaction does."""
        if self.repeating and len(changes) == 1:
            self.ask(read_back_of(changes[0]))


def call_of(change: Change) -> Call:
    """What a change is on DynamoDB, by itself or as a part of a transaction."""
    if isinstance(change, Delete):
        return "dynamodb:DeleteItem", table_of(change)
    return f"dynamodb:{'UpdateItem' if change.before else 'PutItem'}", table_of(change)


def read_back_of(change: Change) -> Call:
    """The look at whether a change that the SDK has sent twice was made."""
    return "dynamodb:GetItem", table_of(change)


def table_of(change: Change) -> str:
    """The logical id of the table that keeps what is changed."""
    changed = change.before if isinstance(change, Delete) else change.after
    return f"{type(changed).__name__}sTable"


def build_gate(patch: pytest.MonkeyPatch) -> Gate:
    """Let all that is asked of store, push, timers and keys in memory pass a gate from now on."""
    gate = Gate()
    for name, call in STORE.items():
        patch.setattr(MemoryStore, name, gate.asking(getattr(MemoryStore, name), call))
    for (kind, name), (call, instead) in SURVIVED.items():
        patch.setattr(kind, name, gate.surviving(getattr(kind, name), call, instead))
    for name in ("mint", "read"):
        patch.setattr(MemoryTokens, name, gate.asking(getattr(MemoryTokens, name), READ_KEYS))
    patch.setattr(MemoryStore, "players", gate.loading(MemoryStore.players))
    patch.setattr(MemoryStore, "commit", gate.committing(MemoryStore.commit))
    patch.setattr(MemoryStore, "play", gate.playing(MemoryStore.play))
    return gate
