"""What each function asks of AWS: noted while players do anything in any order, in memory."""

from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from typing import Any

import pytest

from tests.usecases import table
from tests.usecases.table import Table
from wordle_tournament.adapters.memory import MemoryStore
from wordle_tournament.adapters.memory_outside import MemoryPush, MemoryTimers, MemoryTokens
from wordle_tournament.ports.store import Aggregate, Change, Delete
from wordle_tournament.usecases import grouping, profiles, ranking, snapshots, watching
from wordle_tournament.usecases.presence import drain_losses

Call = tuple[str, str]
"""An action of IAM, and the logical id of the resource it is for."""

READS: dict[str, Call] = {
    "player": ("dynamodb:GetItem", "PlayersTable"),
    "players": ("dynamodb:BatchGetItem", "PlayersTable"),
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
    "play": ("dynamodb:UpdateItem", "DuelsTable"),
    "show": ("dynamodb:UpdateItem", "DuelsTable"),
}
OUTSIDE: dict[tuple[type, str], Call] = {
    (MemoryPush, "send"): ("execute-api:ManageConnections", "POST"),
    (MemoryPush, "close"): ("execute-api:ManageConnections", "DELETE"),
    (MemoryTimers, "start_round_clock"): ("states:StartExecution", "RoundClock"),
    (MemoryTimers, "start_grace"): ("states:StartExecution", "ReconnectGrace"),
    (MemoryTokens, "mint"): ("secretsmanager:GetSecretValue", "SigningKeys"),
}
USE_CASES: dict[tuple[Any, str], str] = {
    (table, "greet"): "hello",
    (snapshots, "sync"): "sync",
    (profiles, "ping"): "ping",
    (profiles, "rename"): "rename",
    (table, "join_lobby"): "join",
    (table, "leave"): "leave",
    (table, "guess_word"): "guess",
    (watching, "watch"): "watch",
    (watching, "unwatch"): "unwatch",
    (grouping, "create_group"): "createGroup",
    (grouping, "join_group"): "joinGroup",
    (grouping, "leave_group"): "leaveGroup",
    (grouping, "remove_member"): "removeFromGroup",
    (grouping, "set_group_language"): "setGroupLanguage",
    (grouping, "start_group"): "startGroup",
    (table, "lose"): "disconnect",
    (table, "tick"): "tick",
    (table, "expire_grace"): "expireGrace",
    (table, "sweep"): "sweep",
    (profiles, "show_history"): "history",
    (ranking, "show_leaderboard"): "leaderboard",
}


class Notes:
    """Who asks what, for as long as a use case or the losses that it has found are dealt with."""

    def __init__(self) -> None:
        self.calls: defaultdict[str, set[Call]] = defaultdict(set)
        self._function = ""
        self._depth = 0

    def note(self, call: Call) -> None:
        """Note a call of the function at work; what tests look at themselves is none."""
        if self._depth:
            self.calls[self._function].add(call)

    def working(self, work: Callable[..., Any], function: str | None) -> Callable[..., Any]:
        """The work, done as a function, or as the one that worked last."""

        @wraps(work)
        def done(*arguments: Any, **named: Any) -> Any:
            if function is not None and not self._depth:
                self._function = function
            self._depth += 1
            try:
                return work(*arguments, **named)
            finally:
                self._depth -= 1

        return done

    def asking(self, work: Callable[..., Any], call: Call) -> Callable[..., Any]:
        """The work, noted as a call."""

        @wraps(work)
        def done(*arguments: Any, **named: Any) -> Any:
            self.note(call)
            return work(*arguments, **named)

        return done

    def committing(self, commit: Callable[..., None]) -> Callable[..., None]:
        """A commit, each change of which is noted."""

        @wraps(commit)
        def done(store: MemoryStore, *changes: Change) -> None:
            for change in changes:
                self.note(call_of(change))
            commit(store, *changes)

        return done


def call_of(change: Change) -> Call:
    """What a change is on DynamoDB."""
    if isinstance(change, Delete):
        return "dynamodb:DeleteItem", table_of(change.before)
    action = "dynamodb:PutItem" if change.before is None else "dynamodb:UpdateItem"
    return action, table_of(change.after)


def table_of(aggregate: Aggregate) -> str:
    """The logical id of the table that keeps a thing."""
    return f"{type(aggregate).__name__}sTable"


def take_notes(patch: pytest.MonkeyPatch) -> Notes:
    """Note from now on what use cases ask of store, push, timers and keys."""
    notes = Notes()
    for name, call in READS.items():
        patch.setattr(MemoryStore, name, notes.asking(getattr(MemoryStore, name), call))
    for (kind, name), call in OUTSIDE.items():
        patch.setattr(kind, name, notes.asking(getattr(kind, name), call))
    patch.setattr(MemoryStore, "commit", notes.committing(MemoryStore.commit))
    for (module, name), function in USE_CASES.items():
        patch.setattr(module, name, notes.working(getattr(module, name), function))
    patch.setattr(table, "drain_losses", notes.working(drain_losses, None))
    return notes


def ask_for_lists(game_table: Table) -> None:
    """Ask for history and leaderboard as every player."""
    for client in game_table.clients:
        sender = client.sender()
        profiles.show_history(game_table.game, sender, before=None, limit=5)
        ranking.show_leaderboard(game_table.game, sender, limit=5)
