"""What is particular to the store on DynamoDB: its items, their expiry, and what it sends."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.contracts.conftest import Dynamo
from tests.contracts.examples import (
    ANN,
    BOB,
    FULL,
    FULL_DUEL,
    FULL_PLAYER,
    NOW,
    SECOND,
    TOURNAMENT,
    a_duel,
    a_group,
    a_player,
    a_tournament,
    creation,
)
from wordle_tools.bench.largest_duel import the_largest_duel
from wordle_tournament.adapters.dynamodb.duels import DuelItem
from wordle_tournament.adapters.dynamodb.tournaments import WAKE_SHARDS, wake_shard
from wordle_tournament.adapters.memory_outside import MemoryClock
from wordle_tournament.ports.store import Change, Conflict, Store, save
from wordle_tournament.rules.duel import Row
from wordle_tournament.rules.ids import (
    draw_tournament_id,
)

Item = dict[str, Any]

KEYS: dict[str, Item] = {
    "Players": {"id": {"S": ANN}},
    "Rooms": {"language": {"S": "uk"}},
    "Tournaments": {"id": {"S": TOURNAMENT}},
    "Duels": {"tournament": {"S": TOURNAMENT}, "number": {"S": "12.3"}},
    "Groups": {"code": {"S": "bcdfg"}},
    "Results": {"player": {"S": ANN}, "tournament": {"S": TOURNAMENT}},
}


def item_of(dynamo: Dynamo, table: str) -> Item:
    item: Item = dynamo.client.get_item(TableName=table, Key=KEYS[table])["Item"]
    return item


def put(dynamo: Dynamo, table: str, item: Item) -> None:
    dynamo.client.put_item(TableName=table, Item=item)


def size(item: Item) -> int:
    """The bytes that DynamoDB counts for an item."""
    return sum(len(name.encode()) + _size(value) for name, value in item.items())


def _size(value: dict[str, Any]) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(str(content).encode())
        case "N":
            return (len(str(content)) + 1) // 2 + 1
        case "L":
            return 3 + sum(1 + _size(element) for element in content)
        case "M":
            return 3 + sum(len(key.encode()) + 1 + _size(it) for key, it in content.items())
    raise AssertionError(f"{kind} is not used")


def test_the_largest_duel_takes_one_write_unit(dynamo: Dynamo) -> None:
    duel = the_largest_duel(random.Random(1))
    dynamo.store.commit(save(duel))

    (item,) = dynamo.client.scan(TableName="Duels")["Items"]

    assert dynamo.store.duel(duel.id) == replace(duel, revision=1)
    assert size(item) < 1024


def test_a_guess_takes_one_consistent_read_and_one_write(dynamo: Dynamo) -> None:
    dynamo.store.commit(save(FULL_DUEL))
    dynamo.requests.clear()

    duel = dynamo.store.duel(FULL_DUEL.id)
    assert duel is not None
    dynamo.store.play(duel, replace(duel, rows=(*duel.rows, Row("осінь", NOW)), version=4))

    read, write = dynamo.requests
    assert (read.operation, read.arguments["ConsistentRead"]) == ("GetItem", True)
    assert write.operation == "UpdateItem"
    assert not {"ReturnConsumedCapacity"} & (read.arguments.keys() | write.arguments.keys())


def test_a_move_writes_only_what_it_changes(dynamo: Dynamo) -> None:
    dynamo.store.commit(save(FULL_DUEL))
    duel = replace(FULL_DUEL, revision=1)
    after = replace(duel, rows=(*duel.rows, None), version=4, deadline=NOW, viewers={})

    dynamo.store.play(duel, after)

    names = dynamo.requests[-1].arguments["ExpressionAttributeNames"].values()
    assert sorted(names) == ["deadline", "revision", "rows", "version"]


def test_one_change_is_a_plain_write_and_several_are_a_transaction(dynamo: Dynamo) -> None:
    dynamo.store.commit(save(a_player()))
    dynamo.store.commit(save(a_player(BOB)), save(a_group()))

    assert [request.operation for request in dynamo.requests] == ["PutItem", "TransactWriteItems"]


def test_every_read_but_that_of_the_index_is_consistent(dynamo: Dynamo) -> None:
    dynamo.store.player(ANN)
    dynamo.store.players([ANN])
    dynamo.store.room("uk")
    dynamo.store.tournament(TOURNAMENT)
    dynamo.store.duel(a_duel().id)
    dynamo.store.duels(TOURNAMENT, 1)
    dynamo.store.group(a_group().code)
    dynamo.store.results(ANN, before=None, limit=1)

    arguments = [request.arguments for request in dynamo.requests]
    assert len(arguments) == 8
    assert all(
        one.get("RequestItems", {}).get("Players", one)["ConsistentRead"] for one in arguments
    )


def test_what_another_version_of_the_code_has_written_is_left_alone(dynamo: Dynamo) -> None:
    dynamo.store.commit(save(FULL_PLAYER))
    put(dynamo, "Players", item_of(dynamo, "Players") | {"badge": {"S": "gold"}})

    player = dynamo.store.player(ANN)
    assert player == replace(FULL_PLAYER, revision=1)
    dynamo.store.commit(save(a_player(), player))

    assert item_of(dynamo, "Players")["badge"] == {"S": "gold"}


def test_rating_and_games_are_added_to(dynamo: Dynamo) -> None:
    """R5.5: never written over the current rating."""
    dynamo.store.commit(save(FULL_PLAYER))
    item = item_of(dynamo, "Players")
    put(dynamo, "Players", item | {"rating": {"N": "1500"}, "games": {"N": "40"}})
    read = replace(FULL_PLAYER, revision=1)

    dynamo.store.commit(save(replace(read, rating=read.rating - 25, games=read.games + 1), read))

    stored = dynamo.store.player(ANN)
    assert stored == replace(FULL_PLAYER, rating=1475, games=41, revision=2)


def test_only_a_tournament_that_must_be_ticked_is_in_the_index(dynamo: Dynamo) -> None:
    running = replace(a_tournament(), wake_at=NOW)
    dynamo.store.commit(save(running))
    assert {"wake_shard", "wake_at"} <= item_of(dynamo, "Tournaments").keys()

    dynamo.store.commit(save(a_tournament(), replace(running, revision=1)))

    assert not {"wake_shard", "wake_at"} & item_of(dynamo, "Tournaments").keys()


def test_tournaments_spread_over_the_parts_of_the_index() -> None:
    chance = random.Random(1)
    shards = [wake_shard(draw_tournament_id(chance, NOW)) for _ in range(400)]

    assert {shards.count(shard) > 60 for shard in WAKE_SHARDS} == {True}


def test_the_representation_of_an_item_tells_no_word() -> None:
    """R3.10: it may end up in a log."""
    assert repr(DuelItem(word="слово")) == "<DuelItem>"


LIFETIMES = {
    "Players": timedelta(days=400),
    "Tournaments": timedelta(days=90),
    "Duels": timedelta(days=90),
    "Groups": timedelta(days=30),
}


def expiry(dynamo: Dynamo, table: str) -> datetime:
    return datetime.fromtimestamp(int(item_of(dynamo, table)["expires_at"]["N"]), UTC)


@pytest.mark.parametrize(("table", "lifetime"), LIFETIMES.items())
def test_an_item_expires_some_time_after_its_creation(
    dynamo: Dynamo, clock: MemoryClock, table: str, lifetime: timedelta
) -> None:
    dynamo.store.commit(*map(creation, FULL))

    assert expiry(dynamo, table) == clock.now() + lifetime


@pytest.mark.parametrize("table", ["Rooms", "Results"])
def test_a_room_and_an_entry_of_the_journal_never_expire(dynamo: Dynamo, table: str) -> None:
    """R5.5: the sum of all entries is the rating, always."""
    dynamo.store.commit(*map(creation, FULL))

    assert "expires_at" not in item_of(dynamo, table)


@pytest.mark.parametrize(
    ("table", "renewed"),
    [("Players", True), ("Groups", True), ("Tournaments", False), ("Duels", False)],
)
def test_what_is_in_use_is_kept_on(
    dynamo: Dynamo, clock: MemoryClock, table: str, renewed: bool
) -> None:
    created_at = clock.now()
    dynamo.store.commit(*map(creation, FULL))
    clock.advance(timedelta(days=7))

    dynamo.store.commit(*(write_again(one) for one in FULL))

    used_at = clock.now() if renewed else created_at
    assert expiry(dynamo, table) == used_at + LIFETIMES[table]


def write_again(created: Any) -> Change:
    return save(created, replace(created, revision=1))


def everything(store: Store) -> list[object]:
    """What all reads find where the examples belong."""
    return [
        store.player(ANN),
        dict(store.players([ANN])),
        store.room("uk").revision,
        store.tournament(TOURNAMENT),
        store.duel(FULL_DUEL.id),
        list(store.duels(TOURNAMENT, FULL_DUEL.round)),
        store.group(a_group().code),
    ]


def test_an_item_is_no_longer_read_from_its_expiry_on(dynamo: Dynamo, clock: MemoryClock) -> None:
    """DynamoDB may take days to remove it."""
    dynamo.store.commit(*map(creation, FULL))
    nothing: list[object] = [None, {}, 1, None, None, [], None]

    clock.advance(timedelta(days=30) - SECOND)
    assert all(everything(dynamo.store))
    clock.advance(timedelta(days=370) + SECOND)
    assert everything(dynamo.store) == nothing


def test_a_thing_can_be_created_anew_once_it_has_expired(
    dynamo: Dynamo, clock: MemoryClock
) -> None:
    dynamo.store.commit(save(FULL_PLAYER))
    clock.advance(timedelta(days=400) - SECOND)
    with pytest.raises(Conflict):
        dynamo.store.commit(save(a_player()))

    clock.advance(SECOND)
    dynamo.store.commit(save(a_player()))

    assert dynamo.store.player(ANN) == replace(a_player(), revision=1)
