"""AWS inside this process, with everything noted that it would bill.

DynamoDB is moto's. API Gateway, Step Functions and Secrets Manager answer from here: what is posted
is kept for the players, and what is started is kept until its time comes.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import boto3
import botocore.session
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from moto import mock_aws

from wordle_tools.packaging.template import load_template
from wordle_tools.project import TEMPLATE

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Item = Mapping[str, Mapping[str, Any]]

_READ_BYTES = 4096
_WRITE_BYTES = 1024
_FRAME_BYTES = 32 * 1024
_ITEM_OVERHEAD_BYTES = 100
_EXPIRES_AT = "expires_at"
_KEY_RING = json.dumps({"current": "k1", "k1": "k" * 64})
_SHAPE = ("KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes")


@dataclass
class NotedAws:
    """Units of DynamoDB by table or `table/index`, and messages out, as the price list has them."""

    client: DynamoDBClient
    shapes: Mapping[str, Mapping[str, Any]]
    reads: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    writes: Counter[str] = field(default_factory=Counter)
    messages: int = 0
    message_bytes: int = 0
    _posted: list[dict[str, Any]] = field(default_factory=list)
    _started: list[dict[str, Any]] = field(default_factory=list)
    _arguments: dict[str, Any] = field(default_factory=dict)

    def listen(self, session: botocore.session.Session) -> None:
        """Note and answer what clients of a session ask for."""
        session.register("before-parameter-build.dynamodb", self._keep_arguments)
        session.register("after-call.dynamodb", self._note_units)
        session.register("before-send.apigatewaymanagementapi", self._take_post)
        session.register("before-send.stepfunctions", self._take_start)
        session.register("before-send.secretsmanager", self._give_keys)

    def take_posted(self) -> list[dict[str, Any]]:
        """Give the frames posted since the last time, those of one connection in order."""
        posted, self._posted = self._posted, []
        return posted

    def take_started(self) -> list[dict[str, Any]]:
        """Give the states with which executions were started since the last time."""
        started, self._started = self._started, []
        return started

    @contextmanager
    def unnoted(self) -> Iterator[None]:
        """Let reads be made that are none of the functions'."""
        reads = self.reads.copy()
        yield
        self.reads = reads

    def kept_byte_days(self, table: str, now: datetime, *, for_ever: timedelta) -> float:
        """Multiply the bytes of a table's items by the days that they are kept.

        What never expires counts as kept `for_ever`.
        """
        return sum(
            (size(item) + _ITEM_OVERHEAD_BYTES) * (_left(item, now, for_ever) / timedelta(days=1))
            for page in self.client.get_paginator("scan").paginate(TableName=table)
            for item in page["Items"]
        )

    def _keep_arguments(self, **event: Any) -> None:
        self._arguments = event["params"]

    def _note_units(self, **event: Any) -> None:
        answer, asked = event["parsed"], self._arguments
        match event["model"].name:
            case "GetItem":
                self.reads[asked["TableName"]] += _read_units([answer.get("Item", {})])
            case "BatchGetItem":
                for table, items in answer["Responses"].items():
                    self.reads[table] += sum(_read_units([item]) for item in items)
            case "Query":
                consistent = asked.get("ConsistentRead", False)
                units = _read_units(answer["Items"]) * (1 if consistent else 0.5)
                self.reads[_place(asked["TableName"], asked.get("IndexName"))] += units
            case "TransactWriteItems":
                for part in asked["TransactItems"]:
                    ((_, arguments),) = part.items()
                    self._note_write(arguments, times=2)
            case _:
                self._note_write(asked, times=1)

    def _note_write(self, arguments: Mapping[str, Any], *, times: int) -> None:
        """Add the units of a write, and those of the indexes that hold what it touches.

        An index whose key changes is written twice, to remove the old entry.
        """
        table = arguments["TableName"]
        shape = self.shapes[table]
        keys = _names(shape["KeySchema"])
        whole = arguments.get("Item")
        key = arguments.get("Key") or {name: whole[name] for name in keys if whole}
        stored = self.client.get_item(TableName=table, Key=key, ConsistentRead=True).get("Item", {})
        self.writes[table] += times * max(1, ceil(size(stored) / _WRITE_BYTES))
        touched = set(whole or arguments.get("ExpressionAttributeNames", {}).values())
        for index in shape.get("GlobalSecondaryIndexes", ()):
            place = _place(table, index["IndexName"])
            if touched & _names(index["KeySchema"]):
                self.writes[place] += 1 if whole else 2
            elif touched & set(index["Projection"].get("NonKeyAttributes", ())):
                self.writes[place] += 1

    def _take_post(self, **event: Any) -> Any:
        request = event["request"]
        self.messages += ceil(len(request.body) / _FRAME_BYTES)
        self.message_bytes += len(request.body)
        self._posted.append(json.loads(request.body))
        return _answer(request, {})

    def _take_start(self, **event: Any) -> Any:
        request = event["request"]
        self._started.append(json.loads(json.loads(request.body)["input"]))
        return _answer(request, {"executionArn": "arn", "startDate": 0})

    def _give_keys(self, **event: Any) -> Any:
        return _answer(event["request"], {"SecretString": _KEY_RING})


@contextmanager
def noted_aws(clock: object) -> Iterator[NotedAws]:
    """Let functions run with this clock, in an AWS of which nothing is real."""
    resources = load_template(TEMPLATE)["Resources"]
    shapes = {
        os.environ[f"{name.upper()}_TABLE"]: {
            part: definition
            for part, definition in resources[f"{name}Table"]["Properties"].items()
            if part in _SHAPE
        }
        for name in ("Players", "Rooms", "Tournaments", "Duels", "Groups", "Results")
    }
    session = botocore.session.get_session()
    with (
        mock_aws(),
        patch("botocore.session.get_session", return_value=session),
        patch("wordle_tournament.entry.wiring.SystemClock", return_value=clock),
    ):
        client = boto3.client("dynamodb")
        for table, shape in shapes.items():
            client.create_table(TableName=table, BillingMode="PAY_PER_REQUEST", **shape)
        aws = NotedAws(client, shapes)
        aws.listen(session)
        yield aws


def size(item: Item) -> int:
    """Count the bytes that DynamoDB counts for an item."""
    return sum(len(name.encode()) + _value_size(value) for name, value in item.items())


def _value_size(value: Mapping[str, Any]) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "N":
            return (len(content) + 1) // 2 + 1
        case "L":
            return 3 + sum(1 + _value_size(element) for element in content)
        case "M":
            return 3 + size(content) + len(content)
        case "S":
            return len(content.encode())
    return 1


def _place(table: str, index: str | None) -> str:
    return table if index is None else f"{table}/{index}"


def _left(item: Item, now: datetime, for_ever: timedelta) -> timedelta:
    if _EXPIRES_AT not in item:
        return for_ever
    return datetime.fromtimestamp(int(item[_EXPIRES_AT]["N"]), now.tzinfo) - now


def _read_units(items: Sequence[Item]) -> int:
    return max(1, ceil(sum(map(size, items)) / _READ_BYTES))


def _names(key_schema: Sequence[Mapping[str, str]]) -> set[str]:
    return {key["AttributeName"] for key in key_schema}


@dataclass(frozen=True, slots=True)
class _Body:
    content: bytes

    def stream(self, **_: object) -> list[bytes]:
        return [self.content]


def _answer(request: Any, content: object) -> AWSResponse:
    return AWSResponse(request.url, 200, HTTPHeaders(), _Body(json.dumps(content).encode()))
