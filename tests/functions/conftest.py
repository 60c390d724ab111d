"""The functions as Lambda calls them, with recorded events and a game in memory."""

import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.usecases.table import Client, Table
from wordle_tools.bench.functions import load_handler
from wordle_tournament.entry.limits import ConnectionLimits
from wordle_tournament.entry.observability import logger, metrics
from wordle_tournament.ports.messages import Frame
from wordle_tournament.rules.moments import to_ms

EVENTS = Path(__file__).parent / "events"

CONTEXT = SimpleNamespace(aws_request_id="b7c1f0de-0d7a-4a3f-9a6b-6f4d6f0a8a11")
"""What functions use of Lambda's second argument."""

Event = dict[str, Any]


def recorded(source: str, name: str) -> Event:
    """An event as `local` cloud or `aws` send it."""
    event: Event = json.loads((EVENTS / source / f"{name}.json").read_text(encoding="utf-8"))
    return event


def arriving(event: Event, client: Client, **changes: object) -> Event:
    """The event as it comes from a client now, with changes to the event itself."""
    event = deepcopy(event) | changes
    now = client.table.clock.now()
    event["requestContext"] |= {
        "connectionId": client.connection,
        "requestTimeEpoch": to_ms(now),
    }
    event["requestContext"]["authorizer"] |= {
        "playerId": client.player,
        "connectedAt": str(to_ms(client.connected_at)),
        "tokenIssuedAt": str(to_ms(client.connected_at)),
    }
    return event


@dataclass
class Functions:
    """All functions around one game in memory, with events of one source."""

    table: Table
    source: str
    limits: ConnectionLimits
    requests: int = field(default=0)

    def say(self, client: Client, action: str, **fields: object) -> Frame:
        """Send an action to its own function and give the one answer."""
        self.requests += 1
        request_id = f"request {self.requests}"
        message = {"action": action, "requestId": request_id, **fields}
        answers = [
            frame
            for frame in self.send(client, action, json.dumps(message))
            if frame.request_id == request_id
        ]
        assert len(answers) == 1, answers
        return answers[0]

    def send(self, client: Client, function: str, body: str) -> Sequence[Frame]:
        """Send a text to a function and give all that came back on the same connection."""
        return self.call(client, function, arriving(self.event("message"), client, body=body))

    def call(self, client: Client, function: str, event: Event) -> Sequence[Frame]:
        """Call a function with an event and give what came back on the client's connection."""
        before = len(self.table.push.sent)
        assert load_handler(function)(event, CONTEXT) == {"statusCode": 200}
        return [
            frame
            for sent in self.table.push.sent[before:]
            for frame in sent.get(client.connection, ())
        ]

    def event(self, name: str) -> Event:
        """A recorded event."""
        return recorded(self.source, name)


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture(params=["local", "aws"])
def functions(
    request: pytest.FixtureRequest, table: Table, monkeypatch: pytest.MonkeyPatch
) -> Functions:
    return wire(table, request.param, monkeypatch)


def wire(table: Table, source: str, patch: pytest.MonkeyPatch) -> Functions:
    """Give all functions the game of a table."""
    for module in ("routes", "wakeups"):
        patch.setattr(f"wordle_tournament.entry.{module}.wire_game", lambda: table.game)
    patch.setattr("wordle_tournament.entry.authorizer.wire_tokens", lambda: table.game.tokens)
    limits = ConnectionLimits(per_second=1, burst=200)
    patch.setattr("wordle_tournament.entry.routes.wire_limits", lambda: limits)
    patch.setattr(metrics.provider, "namespace", "Tests")
    return Functions(table, source, limits)


@dataclass(frozen=True)
class Written:
    """What functions write for people and alarms to read."""

    read: Callable[[], str]

    def lines(self) -> Sequence[Mapping[str, Any]]:
        """The lines of the log, then those of the metrics, since the last time."""
        return [json.loads(line) for line in self.read().splitlines()]


@pytest.fixture
def written(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Written:
    (handler,) = logger.handlers
    log = StringIO()
    monkeypatch.setattr(handler, "stream", log)

    def read() -> str:
        out, err = capsys.readouterr()
        assert err == ""
        text = log.getvalue() + out
        log.seek(0)
        log.truncate()
        return text

    return Written(read)
