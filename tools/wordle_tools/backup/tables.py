"""The tables of a stack, read and written item by item."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from itertools import islice
from typing import Any, TypeVar

from botocore.config import Config

from wordle_tools.backup.folder import Item
from wordle_tools.deployed import client

# Tournaments come last: the sweep wakes them, and must find all that belongs to them.
TABLES: Mapping[str, str] = {
    "PlayersTable": "PLAYERS_TABLE",
    "ResultsTable": "RESULTS_TABLE",
    "GroupsTable": "GROUPS_TABLE",
    "RoomsTable": "ROOMS_TABLE",
    "DuelsTable": "DUELS_TABLE",
    "TournamentsTable": "TOURNAMENTS_TABLE",
}
"""Tables as the template names them, and where functions find their names; in order of loading."""

OWN_ATTRIBUTES: Mapping[str, str] = {
    "PlayersTable": "rating",
    "ResultsTable": "change",
    "GroupsTable": "leader",
    "RoomsTable": "lobbies",
    "DuelsTable": "word",
    "TournamentsTable": "entrants",
}
"""An attribute that every item of a table has: with its key, no item of another table has both."""

_AT_ONCE = 16
_IN_MEMORY = 512
# A table on demand doubles what it takes within minutes; until then it throttles.
_CONFIG = Config(
    retries={"mode": "standard", "total_max_attempts": 12}, max_pool_connections=_AT_ONCE
)

T = TypeVar("T")


class Outcome(Enum):
    """What became of an item that was to be put."""

    PUT = "put"
    THERE = "there already"
    KEPT = "kept as it was"
    """Another item with that key stands, which was not overwritten."""


class StoredTable:
    """One table, by the name that it has in the account."""

    def __init__(self, dynamodb: Any, name: str) -> None:
        """Ask for the key of the table; raises ClientError when there is none of that name."""
        self._name = name
        self._client = dynamodb
        schema = self._client.describe_table(TableName=name)["Table"]["KeySchema"]
        self.keys: Sequence[str] = [key["AttributeName"] for key in schema]

    def items(self) -> Iterator[Item]:
        """Read the whole table, each page consistent in itself."""
        return self._scan()

    def clear(self) -> Iterator[None]:
        """Delete every item, telling of each."""
        aliases = {f"#{number}": key for number, key in enumerate(self.keys)}
        keys = self._scan(ProjectionExpression=",".join(aliases), ExpressionAttributeNames=aliases)
        return _with_each(keys, lambda key: self._delete(key))

    def put(self, items: Iterable[Item]) -> Iterator[Outcome]:
        """Put items where none of their key stands, telling what became of each.

        What an interrupted or repeated call has put before is there already.
        """
        return _with_each(items, self._put)

    def _scan(self, **what: object) -> Iterator[Item]:
        pages = self._client.get_paginator("scan")
        for page in pages.paginate(TableName=self._name, ConsistentRead=True, **what):
            yield from page["Items"]

    def _delete(self, key: Item) -> None:
        self._client.delete_item(TableName=self._name, Key=key)

    def _put(self, item: Item) -> Outcome:
        try:
            self._client.put_item(
                TableName=self._name,
                Item=item,
                ConditionExpression="attribute_not_exists(#key)",
                ExpressionAttributeNames={"#key": self.keys[0]},
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except self._client.exceptions.ConditionalCheckFailedException as error:
            # A write that the SDK has repeated may have met itself.
            return Outcome.THERE if error.response.get("Item") == item else Outcome.KEPT
        return Outcome.PUT


def open_tables(
    wanted: Iterable[str], instead: Mapping[str, str] | None = None
) -> dict[str, StoredTable]:
    """Find tables of the stack that was entered, or what is to be read `instead`; in order."""
    dynamodb = client("dynamodb", _CONFIG)
    names = {table: os.environ[TABLES[table]] for table in TABLES if table in set(wanted)}
    return {
        table: StoredTable(dynamodb, (instead or {}).get(table, name))
        for table, name in names.items()
    }


def _with_each(items: Iterable[Item], work: Callable[[Item], T]) -> Iterator[T]:
    """Do something with each item, several at a time, and few of them in memory."""
    remaining = iter(items)
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        while some := list(islice(remaining, _IN_MEMORY)):
            yield from threads.map(work, some)
