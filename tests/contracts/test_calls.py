"""The adapters ask AWS for just what `tests.infra.calls` says that functions ask for."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.session import Session

from tests.contracts.conftest import TABLES
from tests.contracts.examples import (
    ANN,
    BARE,
    FULL_DUEL,
    LINE,
    NOW,
    TOURNAMENT,
    a_group,
    a_player,
    a_result,
    a_tournament,
    creation,
)
from tests.contracts.gateway import FakeGateway, Text
from tests.contracts.test_dynamo_answers import Answer, error, intercept
from tests.infra.calls import (
    CLOSE,
    LOAD_PLAYERS,
    PLAY,
    POST,
    READ_KEYS,
    START_CLOCK,
    START_GRACE,
    STORE,
    Call,
    call_of,
    read_back_of,
)
from wordle_tournament.adapters.dynamodb import DynamoStore
from wordle_tournament.adapters.dynamodb.duels import DUELS
from wordle_tournament.adapters.gateway import GatewayPush
from wordle_tournament.adapters.memory_outside import MemoryClock
from wordle_tournament.adapters.secrets import SecretKeyRing
from wordle_tournament.adapters.stepfunctions import StepFunctionsTimers
from wordle_tournament.ports.messages import Frame, Pong
from wordle_tournament.ports.store import Change, Conflict, Delete, Save
from wordle_tournament.rules.ids import GroupCode, TournamentId

STOOD = replace(FULL_DUEL, revision=1)
MOVED = replace(STOOD, version=STOOD.version + 1)

ASKING: dict[str, Callable[[DynamoStore], object]] = {
    "player": lambda store: store.player(ANN),
    "players": lambda store: store.players([ANN]),
    "room": lambda store: store.room("uk"),
    "tournament": lambda store: store.tournament(TOURNAMENT),
    "duel": lambda store: store.duel(FULL_DUEL.id),
    "duels": lambda store: store.duels(TOURNAMENT, 1),
    "played": lambda store: store.played(TOURNAMENT, ANN),
    "group": lambda store: store.group(GroupCode("bcdfg")),
    "overdue": lambda store: store.overdue(NOW),
    "results": lambda store: store.results(ANN, before=None, limit=5),
    "leaders": lambda store: store.leaders(5),
    "count_better": lambda store: store.count_better(1000),
    "show": lambda store: store.show(FULL_DUEL.id, ANN, LINE),
    "play": lambda store: store.play(STOOD, MOVED),
}


ASKED: dict[str, Call] = {**STORE, "players": LOAD_PLAYERS, "play": PLAY}

CHANGES: list[Change] = [
    *map(creation, BARE),
    *(Save(replace(one, revision=2), replace(one, revision=1)) for one in BARE),
    *(Delete(replace(one, revision=1)) for one in (a_player(), a_group(), a_result())),
]
"""Each kind of change of each kind of aggregate."""

OTHER = creation(a_tournament(TournamentId("t2")))

DONE_OR_NOTHING: Answer = (
    200,
    {
        "Responses": {},
        "Items": [],
        "Count": 0,
        "Attributes": DUELS.to_item(MOVED).serialize(),
    },
)
SENT_TWICE: list[Answer] = [(500, {}), error("ConditionalCheckFailedException")]


def title(change: Change) -> str:
    """The name of a change in the list of tests."""
    return "-".join(call_of(change))


@pytest.fixture
def asked(session: Session) -> set[Call]:
    """What has been asked of AWS in the session so far, in IAM's words."""
    calls: set[Call] = set()

    def note(**event: Any) -> None:
        model, sent = event["model"], event["params"]
        service = model.service_model.signing_name
        arguments = json.loads(sent["body"]) if sent["body"] else {}
        match service:
            case "dynamodb":
                calls.update(of_dynamodb(model.name, arguments))
            case "execute-api":
                assert sent["url_path"].startswith("/@connections/")
                calls.add(("execute-api:ManageConnections", sent["method"]))
            case _:
                name = arguments.get("stateMachineArn") or arguments["SecretId"]
                calls.add((f"{service}:{model.name}", name.rpartition(":")[2]))

    session.register("before-call", note)
    return calls


def of_dynamodb(operation: str, arguments: dict[str, Any]) -> Iterator[Call]:
    """What IAM asks of a request: of a transaction, what each of its parts would be alone."""
    match operation:
        case "TransactWriteItems":
            for part in arguments["TransactItems"]:
                ((name, within),) = part.items()
                yield from of_dynamodb(f"{name}Item", within)
        case "BatchGetItem":
            for table in arguments["RequestItems"]:
                yield f"dynamodb:{operation}", f"{table}Table"
        case _:
            index = arguments.get("IndexName")
            table = f"{arguments['TableName']}Table"
            yield f"dynamodb:{operation}", f"{table}/index/{index}" if index else table


@pytest.fixture
def answers(session: Session, monkeypatch: pytest.MonkeyPatch) -> list[Answer]:
    """What DynamoDB answers next, and when nothing is left: that it finds nothing, or is done."""
    monkeypatch.setattr("botocore.retries.standard.ExponentialBackoff.delay_amount", lambda *_: 0.0)
    answers: list[Answer] = []
    intercept(session, lambda: answers.pop(0) if answers else DONE_OR_NOTHING)
    return answers


@pytest.fixture
def store(session: Session, asked: set[Call], answers: list[Answer]) -> DynamoStore:
    assert (asked, answers) == (set(), [])
    return DynamoStore(TABLES, MemoryClock(), session)


@pytest.mark.parametrize("name", ASKING)
def test_a_method_of_the_store_asks_for_one_thing(
    store: DynamoStore, asked: set[Call], name: str
) -> None:
    ASKING[name](store)

    assert asked == {ASKED[name]}


def test_nothing_is_asked_for_where_nobody_is_looked_for(
    store: DynamoStore, asked: set[Call]
) -> None:
    store.players([])

    assert asked == set()


def test_every_method_of_the_store_is_among_them() -> None:
    methods = {name for name in vars(DynamoStore) if not name.startswith("_")}

    assert methods == {*ASKING, "commit"} == {*ASKED, "commit"}


@pytest.mark.parametrize("change", CHANGES, ids=title)
def test_a_change_asks_for_the_same_by_itself_and_in_a_transaction(
    store: DynamoStore, asked: set[Call], change: Change
) -> None:
    store.commit(change)
    assert asked == {call_of(change)}

    asked.clear()
    store.commit(change, OTHER)
    assert asked == {call_of(change), call_of(OTHER)}


@pytest.mark.parametrize("change", CHANGES, ids=title)
def test_a_change_sent_twice_is_read_back(
    store: DynamoStore, asked: set[Call], answers: list[Answer], change: Change
) -> None:
    answers[:] = SENT_TWICE
    with suppress(Conflict):
        store.commit(change)

    assert asked == {call_of(change), read_back_of(change)}


def test_a_move_sent_twice_is_read_back(
    store: DynamoStore, asked: set[Call], answers: list[Answer]
) -> None:
    answers[:] = SENT_TWICE
    with suppress(Conflict):
        store.play(STOOD, MOVED)

    assert asked == {PLAY, STORE["duel"]}


@pytest.mark.parametrize("change", CHANGES, ids=title)
def test_a_transaction_sent_twice_is_not_read_back(
    store: DynamoStore, asked: set[Call], answers: list[Answer], change: Change
) -> None:
    answers[:] = [(500, {}), error("TransactionCanceledException", "ConditionalCheckFailed")]
    with pytest.raises(Conflict):
        store.commit(change, OTHER)

    assert asked == {call_of(change), call_of(OTHER)}


@pytest.mark.parametrize(
    "ask",
    [*ASKING.values(), lambda store: store.commit(OTHER), lambda store: store.commit(*CHANGES[:2])],
    ids=[*ASKING, "commit", "transaction"],
)
def test_what_is_denied_raises_and_is_no_conflict(
    store: DynamoStore, answers: list[Answer], ask: Callable[[DynamoStore], object]
) -> None:
    answers[:] = [error("AccessDeniedException")]
    with pytest.raises(Exception, match="AccessDenied") as raised:
        ask(store)

    assert not isinstance(raised.value, Conflict)


def test_the_gateway_is_asked_to_post_and_to_close(session: Session, asked: set[Call]) -> None:
    FakeGateway().listen(session)
    push = GatewayPush("https://gateway.example/live", session)

    push.send({LINE: [Frame(Pong(NOW))]})
    assert asked == {POST}

    asked.clear()
    push.close(LINE)
    assert asked == {CLOSE}


def test_step_functions_are_asked_to_start(session: Session, asked: set[Call]) -> None:
    session.register("before-send.sfn", answer)
    machine = "arn:aws:states:eu-central-1:123456789012:stateMachine"
    timers = StepFunctionsTimers(f"{machine}:RoundClock", f"{machine}:ReconnectGrace", session)

    timers.start_round_clock(TOURNAMENT, 1, NOW)
    assert asked == {START_CLOCK}

    asked.clear()
    timers.start_grace(ANN, 1, NOW)
    assert asked == {START_GRACE}


@pytest.mark.parametrize("use", [SecretKeyRing.current, lambda keys: keys.find("k1")])
def test_who_signs_or_checks_tokens_reads_the_keys(
    session: Session, asked: set[Call], use: Callable[[SecretKeyRing], object]
) -> None:
    session.register("before-send.secrets-manager", answer)

    use(SecretKeyRing(lambda: "SigningKeys", lambda: session))

    assert asked == {READ_KEYS}


def answer(**event: Any) -> Any:
    """Start whatever is asked for, and give the keys."""
    keys = json.dumps({"current": "k1", "k1": "k" * 64})
    started = {"executionArn": "arn", "startDate": 0}
    body = Text(json.dumps({"SecretString": keys, **started}).encode())
    return AWSResponse(event["request"].url, 200, HTTPHeaders(), body)
