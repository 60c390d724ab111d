"""The tables that are deployed are those that the store writes to."""

from itertools import chain
from typing import Any

import pytest

from wordle_tools.packaging.template import Template
from wordle_tournament.adapters.dynamodb.duels import DUELS
from wordle_tournament.adapters.dynamodb.groups import GROUPS
from wordle_tournament.adapters.dynamodb.items import Kind
from wordle_tournament.adapters.dynamodb.players import PLAYERS
from wordle_tournament.adapters.dynamodb.results import RESULTS
from wordle_tournament.adapters.dynamodb.rooms import ROOMS
from wordle_tournament.adapters.dynamodb.tournaments import TOURNAMENTS

KINDS: dict[str, Kind[Any, Any]] = {
    "Players": PLAYERS,
    "Rooms": ROOMS,
    "Tournaments": TOURNAMENTS,
    "Duels": DUELS,
    "Groups": GROUPS,
    "Results": RESULTS,
}


@pytest.mark.parametrize("name", KINDS)
def test_a_table_has_the_keys_and_indexes_of_its_items(template: Template, name: str) -> None:
    table = template["Resources"][f"{name}Table"]["Properties"]
    attributes = {it.attr_name: it for it in KINDS[name].item.get_attributes().values()}
    keys = [key for key, it in attributes.items() if it.is_hash_key] + [
        key for key, it in attributes.items() if it.is_range_key
    ]
    indexes = KINDS[name].indexes

    assert key_names(table) == keys
    assert {
        index["IndexName"]: key_names(index) for index in table.get("GlobalSecondaryIndexes", [])
    } == {index: list(keys) for index, keys in indexes.items()}
    assert types(table) == {
        key: attributes[key].attr_type for key in [*keys, *chain.from_iterable(indexes.values())]
    }


@pytest.mark.parametrize("name", KINDS)
def test_items_expire_by_the_attribute_that_the_table_looks_at(
    template: Template, name: str
) -> None:
    table = template["Resources"][f"{name}Table"]["Properties"]

    expiry = table["TimeToLiveSpecification"]["AttributeName"]
    assert KINDS[name].item.get_attributes()[expiry].attr_type == "N"


def test_the_board_holds_what_it_shows_and_nothing_that_every_command_changes(
    template: Template,
) -> None:
    (board,) = template["Resources"]["PlayersTable"]["Properties"]["GlobalSecondaryIndexes"]

    assert board["Projection"] == {
        "ProjectionType": "INCLUDE",
        "NonKeyAttributes": ["nickname", "games"],
    }


def key_names(table_or_index: dict[str, Any]) -> list[str]:
    """The names of hash and range key, in that order."""
    schema = table_or_index["KeySchema"]
    assert [key["KeyType"] for key in schema] == ["HASH", "RANGE"][: len(schema)]
    return [key["AttributeName"] for key in schema]


def types(table: dict[str, Any]) -> dict[str, str]:
    return {it["AttributeName"]: it["AttributeType"] for it in table["AttributeDefinitions"]}
