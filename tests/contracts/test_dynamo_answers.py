"""How the store on DynamoDB takes answers that an emulator does not give."""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import botocore.session
import pytest
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import ClientError
from pynamodb.exceptions import GetError

from tests.contracts.conftest import TABLES, Dynamo, Request
from tests.contracts.examples import (
    ANN,
    BOB,
    EVE,
    FULL_DUEL,
    LINE,
    TOURNAMENT,
    a_duel,
    a_group,
    a_player,
)
from wordle_tournament.adapters.dynamodb import DynamoStore
from wordle_tournament.adapters.dynamodb.duels import DUELS
from wordle_tournament.adapters.dynamodb.players import BOARD_SHARDS, PLAYERS
from wordle_tournament.adapters.memory_outside import MemoryClock
from wordle_tournament.ports.store import Change, Conflict, Delete, save
from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.ids import PlayerId

Answer = tuple[int, dict[str, Any]]

DONE: Answer = (200, {})


def error(code: str, *reasons: str) -> Answer:
    """An answer with an error code and, for a transaction, a reason for each part."""
    body: dict[str, Any] = {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": "no"}
    if reasons:
        body["CancellationReasons"] = [{"Code": reason} for reason in reasons]
    return 400, body


class Body(io.BytesIO):
    """The body of a response as the SDK reads it."""

    def stream(self) -> Iterator[bytes]:
        yield self.read()


def intercept(session: botocore.session.Session, speak: Callable[[], Answer | None]) -> None:
    """Let `speak` answer in place of DynamoDB, unless it says None."""

    def answer(**event: Any) -> AWSResponse | None:
        spoken = speak()
        if spoken is None:
            return None
        status, body = spoken
        raw = Body(json.dumps(body).encode())
        return AWSResponse(event["request"].url, status, HTTPHeaders(), raw)

    session.register("before-send.dynamodb", answer)  # type: ignore[arg-type] # it may answer


@dataclass
class Script:
    """DynamoDB's part of a dialogue, spoken by a test: nothing is sent anywhere."""

    store: DynamoStore
    requests: list[Request]
    answers: list[Answer] = field(default_factory=list)


@pytest.fixture
def script(
    session: botocore.session.Session,
    requests: list[Request],
    clock: MemoryClock,
    monkeypatch: pytest.MonkeyPatch,
) -> Script:
    """A store that is answered as a test says."""
    monkeypatch.setattr("botocore.retries.standard.ExponentialBackoff.delay_amount", lambda *_: 0.0)
    answers: list[Answer] = []
    intercept(session, lambda: answers.pop(0))
    return Script(DynamoStore(TABLES, clock, session), requests, answers)


def a_raw_player(player: str) -> dict[str, Any]:
    item: dict[str, Any] = PLAYERS.to_item(a_player(PlayerId(player))).serialize()
    return item


def players_answer(found: list[str], left_over: list[str]) -> Answer:
    """The answer to a batch of keys, some of which DynamoDB has not got round to."""
    unprocessed = {"Players": {"Keys": [{"id": {"S": one}} for one in left_over]}}
    return 200, {
        "Responses": {"Players": [a_raw_player(one) for one in found]},
        "UnprocessedKeys": unprocessed if left_over else {},
    }


CONFLICTS = [
    [error("ConditionalCheckFailedException")],
    [error("TransactionConflictException")],
]


@pytest.mark.parametrize("answers", CONFLICTS, ids=["condition", "transaction"])
def test_a_plain_write_that_lost_is_a_conflict(script: Script, answers: list[Answer]) -> None:
    script.answers[:] = [*answers, *answers]
    duel = replace(FULL_DUEL, revision=1)

    with pytest.raises(Conflict):
        script.store.commit(save(a_player()))
    with pytest.raises(Conflict):
        script.store.play(duel, duel)

    assert [request.operation for request in script.requests] == ["PutItem", "UpdateItem"]


LOST_TRANSACTIONS = {
    "a condition": error("TransactionCanceledException", "None", "ConditionalCheckFailed"),
    "another transaction": error("TransactionCanceledException", "TransactionConflict", "None"),
    "a condition, besides": error(
        "TransactionCanceledException", "ConditionalCheckFailed", "ThrottlingError"
    ),
}


@pytest.mark.parametrize("answer", LOST_TRANSACTIONS.values(), ids=LOST_TRANSACTIONS.keys())
def test_a_transaction_that_lost_is_a_conflict(script: Script, answer: Answer) -> None:
    script.answers[:] = [answer]

    with pytest.raises(Conflict):
        script.store.commit(save(a_player()), save(a_group()))


def test_a_transaction_still_under_way_is_a_conflict_in_the_end(script: Script) -> None:
    script.answers[:] = [error("TransactionInProgressException")] * 3

    with pytest.raises(Conflict):
        script.store.commit(save(a_player()), save(a_group()))

    assert script.answers == []


FAULTS = {
    "ValidationException": error("ValidationException"),
    "AccessDeniedException": error("AccessDeniedException"),
    "ResourceNotFoundException": error("ResourceNotFoundException"),
    "a text like a conflict's": (
        400,
        {
            "__type": "com.amazon.coral.validate#ValidationException",
            "message": "ConditionalCheckFailedException: The conditional request failed",
        },
    ),
}


@pytest.mark.parametrize("answer", FAULTS.values(), ids=FAULTS.keys())
def test_any_other_error_of_a_write_is_passed_on(script: Script, answer: Answer) -> None:
    script.answers[:] = [answer] * 4
    duel = replace(FULL_DUEL, revision=1)

    for write in (
        lambda: script.store.commit(save(a_player())),
        lambda: script.store.commit(save(a_player()), save(a_group())),
        lambda: script.store.play(duel, duel),
        lambda: script.store.show(duel.id, ANN, LINE),
    ):
        with pytest.raises(ClientError) as fault:
            write()
        assert fault.value.response["Error"]["Code"] == answer[1]["__type"].partition("#")[2]

    assert script.answers == []


@pytest.mark.parametrize("reason", ["ThrottlingError", "ValidationError"])
def test_a_transaction_cancelled_for_another_reason_is_passed_on(
    script: Script, reason: str
) -> None:
    script.answers[:] = [error("TransactionCanceledException", "None", reason)]

    with pytest.raises(ClientError):
        script.store.commit(save(a_player()), save(a_group()))


def test_a_throttled_write_is_sent_again(script: Script) -> None:
    script.answers[:] = [error("ThrottlingException"), DONE]

    script.store.commit(save(a_player()))

    assert [request.operation for request in script.requests] == ["PutItem", "PutItem"]


def test_what_is_throttled_again_and_again_is_an_error(script: Script) -> None:
    script.answers[:] = [error("ThrottlingException")] * 6

    with pytest.raises(ClientError, match="ThrottlingException"):
        script.store.commit(save(a_player()))
    with pytest.raises(GetError) as fault:
        script.store.player(ANN)

    assert fault.value.cause_response_code == "ThrottlingException"
    assert script.answers == []


def test_keys_left_over_are_asked_for_again(script: Script, clock: MemoryClock) -> None:
    script.answers[:] = [
        players_answer(["bob"], left_over=["ann", "eve"]),
        players_answer([], left_over=["ann", "eve"]),
        players_answer(["eve", "ann"], left_over=[]),
    ]

    assert script.store.players([ANN, BOB, EVE]).keys() == {ANN, BOB, EVE}

    asked = [request.arguments["RequestItems"]["Players"] for request in script.requests]
    assert [[key["id"]["S"] for key in one["Keys"]] for one in asked] == [
        [ANN, BOB, EVE],
        [ANN, EVE],
        [ANN, EVE],
    ]
    assert all(one["ConsistentRead"] for one in asked)
    assert clock.pauses == [0, 1]


def test_keys_left_over_again_and_again_are_an_error(script: Script, clock: MemoryClock) -> None:
    script.answers[:] = [players_answer([], left_over=["ann"])] * 6

    with pytest.raises(RuntimeError, match="1 keys"):
        script.store.players([ANN])

    assert script.answers == []
    assert clock.pauses == [0, 1, 2, 3, 4]


def test_a_query_goes_on_to_its_last_page(script: Script) -> None:
    first, second = (
        DUELS.to_item(a_duel(round_number=3, number=number)).serialize() for number in range(2)
    )
    last_key = {name: first[name] for name in ("tournament", "number")}
    script.answers[:] = [
        (200, {"Items": [first], "LastEvaluatedKey": last_key}),
        (200, {"Items": [second]}),
    ]

    assert [duel.id for duel in script.store.duels(TOURNAMENT, 3)] == ["t1.3.0", "t1.3.1"]
    assert script.requests[1].arguments["ExclusiveStartKey"] == last_key


def test_a_count_goes_on_to_its_last_page(script: Script) -> None:
    last_key = {"id": {"S": ANN}, "board_shard": {"S": "0"}, "rating": {"N": "1000"}}
    nobody: Answer = (200, {"Count": 0})
    script.answers[:] = [(200, {"Count": 3, "LastEvaluatedKey": last_key}), (200, {"Count": 2})]
    script.answers += [nobody] * (len(BOARD_SHARDS) - 1)

    assert script.store.count_better(1000) == 5
    assert script.requests[1].arguments["ExclusiveStartKey"] == last_key


def test_a_viewer_is_shown_a_duel_that_a_transaction_holds_as_soon_as_it_is_free(
    script: Script, clock: MemoryClock
) -> None:
    script.answers[:] = [error("TransactionConflictException")] * 2 + [DONE]

    script.store.show(FULL_DUEL.id, EVE, LINE)

    assert script.answers == []
    assert clock.pauses == [0, 1]


def test_a_duel_held_for_ever_is_an_error(script: Script, clock: MemoryClock) -> None:
    script.answers[:] = [error("TransactionConflictException")] * 11

    with pytest.raises(Conflict):
        script.store.show(FULL_DUEL.id, EVE, LINE)

    assert script.answers == []


def test_a_transaction_sent_again_is_the_same_and_the_next_one_another(script: Script) -> None:
    script.answers[:] = [(500, {}), DONE, DONE]

    script.store.commit(save(a_player()), save(a_group()))
    script.store.commit(save(a_player()), save(a_group()))

    tokens = [request.arguments["ClientRequestToken"] for request in script.requests]
    assert tokens[0] == tokens[1] != tokens[2]


@dataclass
class Lossy:
    """An emulated DynamoDB on a bad line.

    It makes the next write, but its answer is `lost`; `meanwhile` happens before the SDK sends
    the write again.
    """

    dynamo: Dynamo = field(init=False)
    lost: bool = False
    meanwhile: Callable[[], None] | None = None

    def speak(self) -> Answer | None:
        if self.lost:
            self.lost = False
            return 500, {}
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            meanwhile()
        return None

    def forget_requests(self) -> None:
        self.dynamo.requests.clear()

    @property
    def operations(self) -> list[str]:
        return [request.operation for request in self.dynamo.requests]


@pytest.fixture
def lossy(
    session: botocore.session.Session,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Lossy:
    monkeypatch.setattr("botocore.retries.standard.ExponentialBackoff.delay_amount", lambda *_: 0.0)

    lossy = Lossy()
    intercept(session, lossy.speak)
    lossy.dynamo = request.getfixturevalue("dynamo")
    return lossy


READ = replace(a_player(), revision=1)
RENAMED = replace(READ, nickname="Bold Heron 3")


def rival_write(lossy: Lossy) -> None:
    """Somebody else writes the player, and makes two revisions of it."""
    lossy.dynamo.client.update_item(
        TableName="Players",
        Key={"id": {"S": ANN}},
        UpdateExpression="ADD revision :two",
        ExpressionAttributeValues={":two": {"N": "2"}},
    )


def test_a_creation_sent_again_is_made_once(lossy: Lossy) -> None:
    lossy.lost = True

    lossy.dynamo.store.commit(save(a_player()))

    assert lossy.operations == ["PutItem", "PutItem", "GetItem"]
    assert lossy.dynamo.store.player(ANN) == READ


def test_a_write_sent_again_is_made_once(lossy: Lossy) -> None:
    lossy.dynamo.store.commit(save(a_player()))
    lossy.lost = True

    lossy.dynamo.store.commit(save(replace(RENAMED, rating=1025), READ))

    stored = lossy.dynamo.store.player(ANN)
    assert stored == replace(RENAMED, rating=1025, revision=2)


def test_a_removal_sent_again_is_made_once(lossy: Lossy) -> None:
    lossy.dynamo.store.commit(save(a_player()))
    lossy.lost = True

    lossy.dynamo.store.commit(Delete(READ))

    assert lossy.dynamo.store.player(ANN) is None


def test_the_creation_of_a_duel_seen_meanwhile_is_made_once(lossy: Lossy) -> None:
    lossy.lost = True
    lossy.meanwhile = lambda: watch(lossy)

    lossy.dynamo.store.commit(save(FULL_DUEL))

    stored = lossy.dynamo.store.duel(FULL_DUEL.id)
    assert stored == replace(FULL_DUEL, viewers={**FULL_DUEL.viewers, BOB: LINE}, revision=1)


@pytest.mark.parametrize("change", [save(RENAMED, READ), Delete(READ)], ids=["write", "removal"])
def test_a_write_sent_again_that_had_lost_before_is_a_conflict(
    lossy: Lossy, change: Change
) -> None:
    lossy.dynamo.store.commit(save(a_player()))
    rival_write(lossy)
    lossy.lost = True

    with pytest.raises(Conflict):
        lossy.dynamo.store.commit(change)

    stored = lossy.dynamo.store.player(ANN)
    assert stored == replace(READ, revision=3)


def test_a_creation_sent_again_that_had_lost_before_is_a_conflict(lossy: Lossy) -> None:
    lossy.dynamo.store.commit(save(RENAMED))
    lossy.lost = True

    with pytest.raises(Conflict):
        lossy.dynamo.store.commit(save(a_player()))

    assert lossy.dynamo.store.player(ANN) == RENAMED


def test_a_creation_sent_again_that_was_written_over_is_a_conflict(lossy: Lossy) -> None:
    """Whether it was made cannot be told any more: its caller looks at what stands now."""
    lossy.lost = True
    lossy.meanwhile = lambda: rival_write(lossy)

    with pytest.raises(Conflict):
        lossy.dynamo.store.commit(save(a_player()))


def test_a_write_sent_again_that_was_written_over_is_a_conflict(lossy: Lossy) -> None:
    lossy.dynamo.store.commit(save(a_player()))
    lossy.lost = True
    lossy.meanwhile = lambda: rival_write(lossy)

    with pytest.raises(Conflict):
        lossy.dynamo.store.commit(save(RENAMED, READ))

    assert lossy.dynamo.store.player(ANN) == replace(RENAMED, revision=4)


def test_the_same_write_of_a_rival_is_a_conflict(lossy: Lossy) -> None:
    lossy.dynamo.store.commit(save(a_player()))
    lossy.forget_requests()

    with pytest.raises(Conflict):
        lossy.dynamo.store.commit(save(a_player()))

    assert lossy.operations == ["PutItem"]


def watch(lossy: Lossy) -> None:
    lossy.dynamo.client.update_item(
        TableName="Duels",
        Key={"tournament": {"S": "t1"}, "number": {"S": "12.3"}},
        UpdateExpression="SET viewers.bob = :line",
        ExpressionAttributeValues={":line": {"S": LINE}},
    )


def a_move(lossy: Lossy) -> tuple[Duel, Duel]:
    """A duel of the store, and what a skipped turn makes of it."""
    lossy.dynamo.store.commit(save(FULL_DUEL))
    lossy.forget_requests()
    duel = replace(FULL_DUEL, revision=1)
    return duel, replace(duel, rows=(*duel.rows, None), version=duel.version + 1)


def test_a_move_sent_again_is_made_once_and_tells_who_came_meanwhile(lossy: Lossy) -> None:
    duel, after = a_move(lossy)
    lossy.lost = True
    lossy.meanwhile = lambda: watch(lossy)

    played = lossy.dynamo.store.play(duel, after)

    assert lossy.operations == ["UpdateItem", "UpdateItem", "GetItem"]
    assert played == replace(after, viewers={**duel.viewers, BOB: LINE}, revision=2)
    assert played == lossy.dynamo.store.duel(duel.id)


def test_a_move_sent_again_that_had_lost_before_is_a_conflict(lossy: Lossy) -> None:
    duel, after = a_move(lossy)
    rival = lossy.dynamo.store.play(duel, replace(after, version=duel.version + 2))
    lossy.lost = True

    with pytest.raises(Conflict):
        lossy.dynamo.store.play(duel, after)

    assert lossy.dynamo.store.duel(duel.id) == rival


def test_the_same_move_of_a_rival_is_a_conflict(lossy: Lossy) -> None:
    duel, after = a_move(lossy)
    lossy.dynamo.store.play(duel, after)
    lossy.forget_requests()

    with pytest.raises(Conflict):
        lossy.dynamo.store.play(duel, after)

    assert lossy.operations == ["UpdateItem"]


def test_a_viewer_written_again_sees_the_duel(lossy: Lossy) -> None:
    duel, _ = a_move(lossy)
    lossy.lost = True

    lossy.dynamo.store.show(duel.id, BOB, LINE)

    stored = lossy.dynamo.store.duel(duel.id)
    assert stored == replace(duel, viewers={**duel.viewers, BOB: LINE})
