"""Every function holds exactly what it asks for, and breaks without any of it.

What it asks for is shown in situations (`tests.infra.situations`), each of them once more with
every write sent twice by the SDK. Ten players who do anything in any order ask for nothing else.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from io import StringIO
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.functions.conftest import wire
from tests.infra.calls import (
    CLOSE,
    POST,
    START_CLOCK,
    START_GRACE,
    Call,
    Denied,
    Gate,
    build_gate,
)
from tests.infra.situations import SITUATIONS, Act, Situation, Stage
from tests.infra.test_names import folders, function_id
from tests.usecases import table as tables
from tests.usecases import test_any_order
from tests.usecases.table import Table
from wordle_tools.packaging.template import Template
from wordle_tournament.adapters.memory_outside import Grace, RoundClock
from wordle_tournament.entry.observability import logger
from wordle_tournament.entry.wakeups import WakeUpFailedError
from wordle_tournament.rules.ids import ConnectionId
from wordle_tournament.usecases import grouping, profiles, ranking, snapshots, watching
from wordle_tournament.usecases.game import Game
from wordle_tournament.usecases.presence import drain_losses

CONNECTIONS = re.compile(r"/(POST|DELETE)/@connections/\*$")
MACHINES = {"round-clock": "RoundClock", "reconnect-grace": "ReconnectGrace"}

OUTSIDE = {POST, CLOSE, START_CLOCK, START_GRACE}
"""What a function goes on without."""

RAISING = {"authorize", "tick", "expireGrace", "sweep"}
"""Functions that have nobody to answer."""

GAMES = 120
USE_CASES: dict[tuple[Any, str], str] = {
    (tables, "greet"): "hello",
    (snapshots, "sync"): "sync",
    (profiles, "ping"): "ping",
    (profiles, "rename"): "rename",
    (tables, "join_lobby"): "join",
    (tables, "leave"): "leave",
    (tables, "guess_word"): "guess",
    (watching, "watch"): "watch",
    (watching, "unwatch"): "unwatch",
    (grouping, "create_group"): "createGroup",
    (grouping, "join_group"): "joinGroup",
    (grouping, "leave_group"): "leaveGroup",
    (grouping, "remove_member"): "removeFromGroup",
    (grouping, "set_group_language"): "setGroupLanguage",
    (grouping, "start_group"): "startGroup",
    (tables, "lose"): "disconnect",
    (tables, "tick"): "tick",
    (tables, "expire_grace"): "expireGrace",
    (tables, "sweep"): "sweep",
    (profiles, "show_history"): "history",
    (ranking, "show_leaderboard"): "leaderboard",
}
"""The function of each use case, by where the players of a table find it."""


def pieces(template: Template, function: str) -> Mapping[str, frozenset[Call]]:
    """What each piece of a function's grants allows."""
    properties = template["Resources"][function_id(function)]["Properties"]
    return {
        policy["Ref"]: frozenset(allowed(template["Resources"][policy["Ref"]]["Properties"]))
        for policy in properties["Policies"]
    }


def granted(template: Template, function: str) -> frozenset[Call]:
    """All that a function may do."""
    return frozenset().union(*pieces(template, function).values())


def allowed(policy: Mapping[str, Any]) -> Iterator[Call]:
    for statement in policy["PolicyDocument"]["Statement"]:
        for action in statement["Action"]:
            for resource in statement["Resource"]:
                yield action, named(resource)


def named(resource: Mapping[str, Any]) -> str:
    """What a resource of a statement is called in `tests.infra.calls`."""
    if "Fn::GetAtt" in resource:
        return str(resource["Fn::GetAtt"][0])
    text = resource["Fn::Sub"]
    if not isinstance(text, str):
        text = text[0].removesuffix("${Alias}")
    if connections := CONNECTIONS.search(text):
        return connections[1]
    if text.endswith(tuple(MACHINES)):
        return next(name for end, name in MACHINES.items() if text.endswith(end))
    return re.sub(r"\$\{(\w+)\.Arn\}", r"\1", text)


@dataclass(frozen=True)
class Shown:
    """What came of the one call that a situation is about.

    `done` counts what was done outside of the store by the call that allows it.
    """

    calls: frozenset[Call]
    logged: bool
    raised: bool
    done: Counter[Call]

    @property
    def failed(self) -> bool:
        """Whether operators see that something broke."""
        return self.logged or self.raised


class Showing:
    """A situation of a function, which can be shown again and again."""

    def __init__(self, stage: Stage, act: Act, log: StringIO) -> None:
        self._stage, self._act, self._log = stage, act, log
        self._bring_back = stage.table.remember()

    def show(self, *, denied: Call | None = None, repeating: bool = False) -> Shown:
        """Call the function, with a grant taken away, or with writes sent twice by the SDK."""
        stage, gate = self._stage, self._stage.gate
        self._bring_back()
        self._log.seek(0)
        self._log.truncate()
        gate.calls.clear()
        gate.denied, gate.repeating = denied, repeating
        before = done_outside(stage.table)
        raised = False
        try:
            with gate.working(stage.function):
                self._act()
        except (WakeUpFailedError, Denied):
            raised = True
        finally:
            gate.denied, gate.repeating = None, False
        levels = [json.loads(line)["level"] for line in self._log.getvalue().splitlines()]
        return Shown(
            calls=frozenset(gate.calls[stage.function]),
            logged="ERROR" in levels,
            raised=raised,
            done=done_outside(stage.table) - before,
        )


def done_outside(table: Table) -> Counter[Call]:
    """Count frames that arrived, connections closed and timers started so far."""
    connections = {
        ConnectionId(f"{client.player}-{number}")
        for client in table.clients
        for number in range(1, client.connections + 1)
    }
    return Counter(
        {
            POST: sum(len(table.push.received(connection)) for connection in connections),
            CLOSE: len(table.push.closed),
            START_CLOCK: sum(isinstance(timer, RoundClock) for timer in table.timers.started),
            START_GRACE: sum(isinstance(timer, Grace) for timer in table.timers.started),
        }
    )


@pytest.fixture(scope="module")
def gate() -> Iterator[Gate]:
    with pytest.MonkeyPatch.context() as patch:
        yield build_gate(patch)


@pytest.fixture
def showings(gate: Gate, monkeypatch: pytest.MonkeyPatch, function: str) -> Iterator[Showing]:
    """The situations of a function, each to be done with before the next one is asked for."""
    (handler,) = logger.handlers
    log = StringIO()
    monkeypatch.setattr(handler, "stream", log)

    def build(situation: Situation) -> Showing:
        stage = Stage(function, wire(Table(), "aws", monkeypatch), gate)
        return Showing(stage, situation(stage), log)

    return map(build, SITUATIONS[function])


@pytest.mark.parametrize("function", SITUATIONS)
def test_a_function_may_do_what_it_does_and_nothing_else(
    template: Template, showings: Iterator[Showing], function: str
) -> None:
    calls: set[Call] = set()
    for showing in showings:
        for repeating in (False, True):
            calls |= showing.show(repeating=repeating).calls

    assert calls == granted(template, function)


@pytest.mark.parametrize("function", SITUATIONS)
def test_without_any_one_grant_a_function_breaks_where_it_needs_it(
    showings: Iterator[Showing], function: str
) -> None:
    """What a command does not depend on is left out, and logged by the adapter: messages that do
    not arrive are made good by `sync`, timers that do not start by the sweep."""
    for showing in showings:
        for repeating in (False, True):
            whole = showing.show(repeating=repeating)
            assert not whole.failed
            for call in whole.calls:
                without = showing.show(denied=call, repeating=repeating)
                if call in OUTSIDE:
                    assert whole.done[call] > without.done[call] == 0
                else:
                    assert without.failed
                    assert without.raised == (function in RAISING)


@pytest.mark.parametrize("function", SITUATIONS)
def test_no_other_piece_makes_up_for_a_grant_that_is_taken_away(
    template: Template, function: str
) -> None:
    held = [call for grants in pieces(template, function).values() for call in grants]

    assert len(held) == len(set(held))


def test_every_function_has_its_situations() -> None:
    assert sorted(SITUATIONS) == [folder.name for folder in folders()]


class Played(test_any_order.AnyOrder):
    """Players who in the end ask for history and leaderboard, too."""

    def teardown(self) -> None:
        super().teardown()
        if hasattr(self, "table"):
            for client in self.table.clients:
                sender = client.sender()
                profiles.show_history(self.table.game, sender, before=None, limit=5)
                ranking.show_leaderboard(self.table.game, sender, limit=5)


def test_whatever_players_do_no_function_asks_for_more(
    template: Template, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate.calls.clear()
    for (module, name), function in USE_CASES.items():
        monkeypatch.setattr(module, name, working(gate, getattr(module, name), function))
    for check in ("check_everything", "check_followers", "check_pushes"):
        monkeypatch.setattr(test_any_order, check, ignore)
    run_state_machine_as_test(
        Played,
        settings=settings(
            max_examples=GAMES,
            stateful_step_count=40,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )

    assert sorted(gate.calls) == sorted(USE_CASES.values())
    for function, calls in gate.calls.items():
        assert calls <= granted(template, function)


def working(gate: Gate, use_case: Callable[..., Any], function: str) -> Callable[..., Any]:
    """The use case, as the work of its function, with the losses that it finds."""

    @wraps(use_case)
    def done(game: Game, *arguments: Any, **named: Any) -> Any:
        with gate.working(function):
            try:
                return use_case(game, *arguments, **named)
            finally:
                drain_losses(game)

    return done


def ignore(_table: Table) -> None:
    """What the players' own tests check."""
