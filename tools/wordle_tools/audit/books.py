"""All that a deployment holds, read from its tables apart from the server's own code."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from boto3.dynamodb.types import TypeDeserializer

from wordle_tools.deployed import client

Item = dict[str, Any]
"""An item of a table as plain values."""


@dataclass(frozen=True, slots=True)
class Books:
    """The items that have not expired, as they were read one table after another."""

    read_at: datetime
    players: tuple[Item, ...] = ()
    rooms: tuple[Item, ...] = ()
    tournaments: tuple[Item, ...] = ()
    groups: tuple[Item, ...] = ()
    results: tuple[Item, ...] = ()


def read_books() -> Books:
    """Read every table from its beginning to its end; costs the reading of all of it."""
    now = datetime.now(UTC)
    return Books(
        read_at=now,
        players=tuple(_items("PLAYERS_TABLE", now)),
        rooms=tuple(_items("ROOMS_TABLE", now)),
        tournaments=tuple(_items("TOURNAMENTS_TABLE", now)),
        groups=tuple(_items("GROUPS_TABLE", now)),
        results=tuple(_items("RESULTS_TABLE", now)),
    )


def _items(table: str, now: datetime) -> Iterator[Item]:
    pages = client("dynamodb").get_paginator("scan")
    read = TypeDeserializer().deserialize
    for page in pages.paginate(TableName=os.environ[table], ConsistentRead=True):
        for raw in page["Items"]:
            item = {name: read(value) for name, value in raw.items()}
            if "expires_at" not in item or item["expires_at"] > now.timestamp():
                yield item
