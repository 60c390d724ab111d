"""What a guess asks of AWS, counted at the SDK: one read, one write, one push per viewer."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import boto3
import pytest
from botocore.loaders import create_loader
from moto import mock_aws

from tests.contracts.conftest import TABLES, new_session
from tests.contracts.gateway import FakeGateway
from tests.functions.conftest import CONTEXT, recorded
from tests.usecases.table import NEVER_HIDDEN, Table
from wordle_tools.bench.functions import load_handler
from wordle_tools.packaging.template import load_template
from wordle_tools.project import TEMPLATE
from wordle_tournament.adapters.dynamodb import DynamoStore
from wordle_tournament.adapters.gateway import GatewayPush
from wordle_tournament.adapters.stepfunctions import StepFunctionsTimers
from wordle_tournament.entry.limits import ConnectionLimits
from wordle_tournament.entry.observability import metrics
from wordle_tournament.ports.store import save
from wordle_tournament.rules.duel import Duel, DuelPhase
from wordle_tournament.rules.ids import ConnectionId, PlayerId, TournamentId
from wordle_tournament.rules.moments import to_ms
from wordle_tournament.rules.tournament import duel_id

ANN, BOB = PlayerId("ann"), PlayerId("bob")
WRONG = NEVER_HIDDEN[5]


@dataclass
class Cloud:
    """A stage in which every request to AWS is noted; gateway and timers answer from here."""

    table: Table
    gateway: FakeGateway
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def note(self, **event: Any) -> None:
        """Note a request to DynamoDB, or to whatever else should not be asked."""
        service, operation = event["event_name"].split(".")[1:]
        if service != "apigatewaymanagementapi":
            self.requests.append((operation, json.loads(event["request"].body)))

    @property
    def operations(self) -> Sequence[str]:
        """The names of the requests, but for posts to connections."""
        return [operation for operation, _ in self.requests]

    def store_duel(self, watchers: int = 0) -> Duel:
        """Store a running duel whose first turn has begun."""
        tournament = TournamentId("t")
        seeing = [ANN, BOB, *(PlayerId(f"watcher{number}") for number in range(watchers))]
        duel = Duel(
            id=duel_id(tournament, 1, 0),
            tournament=tournament,
            round=1,
            language="en",
            word="bolak",
            players=(ANN, BOB),
            viewers={viewer: ConnectionId(f"line-of-{viewer}") for viewer in seeing},
            phase=DuelPhase.RUNNING,
            version=1,
            deadline=self.table.clock.now() + timedelta(seconds=30),
        )
        self.table.game.store.commit(save(duel))
        self.requests.clear()
        return duel

    def guess(self, player: PlayerId, **fields: object) -> None:
        """Call the function with a guess."""
        event = recorded("aws", "message")
        event["body"] = json.dumps({"action": "guess", **fields})
        event["requestContext"] |= {
            "connectionId": f"line-of-{player}",
            "requestTimeEpoch": to_ms(self.table.clock.now()),
        }
        event["requestContext"]["authorizer"]["playerId"] = player
        load_handler("guess")(event, CONTEXT)


@pytest.fixture
def cloud(table: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cloud]:
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    session = new_session(create_loader())
    cloud = Cloud(table, FakeGateway())
    cloud.gateway.listen(session)
    session.register("before-send", cloud.note)
    limits = ConnectionLimits(per_second=1, burst=100)
    with mock_aws():
        duels = load_template(TEMPLATE)["Resources"]["DuelsTable"]["Properties"]
        boto3.client("dynamodb", region_name="eu-central-1").create_table(
            TableName=TABLES.duels,
            BillingMode="PAY_PER_REQUEST",
            KeySchema=duels["KeySchema"],
            AttributeDefinitions=duels["AttributeDefinitions"],
        )
        table.game = replace(
            table.game,
            store=DynamoStore(TABLES, table.clock, session),
            push=GatewayPush("https://gateway.example/live", session),
            timers=StepFunctionsTimers("clock", "grace", session),
        )
        monkeypatch.setattr("wordle_tournament.entry.routes.wire_game", lambda: table.game)
        monkeypatch.setattr("wordle_tournament.entry.routes.wire_limits", lambda: limits)
        monkeypatch.setattr(metrics.provider, "namespace", "Tests")
        yield cloud


@pytest.mark.parametrize("watchers", [0, 6])
def test_a_guess_takes_one_read_one_write_and_one_push_per_viewer(
    cloud: Cloud, watchers: int
) -> None:
    duel = cloud.store_duel(watchers=watchers)
    cloud.guess(ANN, duelId=duel.id, turn=1, word=WRONG)
    assert cloud.operations == ["GetItem", "UpdateItem"]
    assert cloud.gateway.attempts == dict.fromkeys(duel.viewers.values(), 1)


def test_the_read_is_consistent_and_the_write_conditional(cloud: Cloud) -> None:
    """A turn is decided by one write (R3.8)."""
    duel = cloud.store_duel()
    cloud.guess(ANN, duelId=duel.id, turn=1, word=WRONG)
    (_, read), (_, write) = cloud.requests
    assert read["ConsistentRead"]
    assert "revision" in write["ExpressionAttributeNames"].values()
    assert write["ConditionExpression"]


@pytest.mark.parametrize(
    ("turn", "word", "code"),
    [
        (1, "bola", "wrong_length"),
        (1, "bolaks", "wrong_length"),
        (1, "bol4k", "wrong_letters"),
        (1, "xxxxx", "not_in_word_list"),
        (2, WRONG, "not_your_turn"),
    ],
)
def test_a_refused_guess_writes_nothing_and_is_told_to_nobody_else(
    cloud: Cloud, turn: int, word: str, code: str
) -> None:
    """R3.6, R3.7: it costs no turn, and one read."""
    duel = cloud.store_duel(watchers=1)
    cloud.guess(ANN, duelId=duel.id, turn=turn, word=word)
    assert cloud.operations == ["GetItem"]
    assert cloud.gateway.attempts == {"line-of-ann": 1}
    (answer,) = cloud.gateway.received["line-of-ann"]
    assert json.loads(answer)["code"] == code


def test_a_guess_after_the_deadline_writes_nothing(cloud: Cloud) -> None:
    """R3.8: the clock skips the turn, not whoever comes too late."""
    duel = cloud.store_duel()
    cloud.table.clock.advance(timedelta(seconds=31))
    cloud.guess(ANN, duelId=duel.id, turn=1, word=WRONG)
    assert cloud.operations == ["GetItem"]


def test_a_repeated_guess_writes_nothing(cloud: Cloud) -> None:
    """R3.9: its answer is sent again, to the sender alone."""
    duel = cloud.store_duel()
    for _ in range(2):
        cloud.guess(ANN, duelId=duel.id, turn=1, word=WRONG)
    assert cloud.operations == ["GetItem", "UpdateItem", "GetItem"]
    assert cloud.gateway.attempts == {"line-of-ann": 2, "line-of-bob": 1}


def test_what_is_no_guess_asks_the_store_nothing(cloud: Cloud) -> None:
    cloud.guess(ANN, duelId="t.1.0", turn=13, word=WRONG)
    assert cloud.operations == []
    assert cloud.gateway.attempts == {"line-of-ann": 1}
