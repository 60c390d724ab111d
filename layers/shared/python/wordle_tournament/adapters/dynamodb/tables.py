"""One table: reading its items, and describing writes of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Generic

from pynamodb.connection import Connection
from pynamodb.connection.base import MetaTable
from pynamodb.constants import COUNT, ITEM, KEY
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from wordle_tournament.adapters.dynamodb.connection import Write
from wordle_tournament.adapters.dynamodb.items import A, I, Kind

RawItem = dict[str, dict[str, Any]]
"""An item as DynamoDB speaks of it: names of attributes, each with {type: value}."""

_REVISION = "revision"
_EXPIRES_AT = "expires_at"

_LONGEST_KEY = 512
"""Characters of a key that always fit into the 2,048 bytes that DynamoDB allows."""

_BATCH = 100
_BATCH_RETRIES = 5


class Table(Generic[A, I]):
    """The table of one kind of aggregate."""

    def __init__(
        self, connection: Connection, name: str, kind: Kind[A, I], now: Callable[[], datetime]
    ) -> None:
        """Make the table known to the connection; nothing is sent."""
        self._connection = connection
        self._name = name
        self._kind = kind
        self._now = now
        attributes = kind.item.get_attributes().values()
        hash_keys = [attribute.attr_name for attribute in attributes if attribute.is_hash_key]
        range_keys = [attribute.attr_name for attribute in attributes if attribute.is_range_key]
        self._keys = [*hash_keys, *range_keys]
        connection.add_meta_table(_describe(name, self._keys, kind))

    def get(self, hash_key: str, range_key: str | None = None) -> A | None:
        """Load an aggregate; a string that cannot be a key is the key of nothing."""
        if not 0 < len(hash_key) <= _LONGEST_KEY:
            return None
        answer = self._connection.get_item(self._name, hash_key, range_key, consistent_read=True)
        return self.alive(answer.get("Item"))

    def get_many(self, hash_keys: Iterable[str], pause: Callable[[int], None]) -> Iterator[A]:
        """Load those aggregates that exist, in any order.

        Calls `pause` before asking again for what DynamoDB left for later; raises RuntimeError
        when it does so again and again.
        """
        pending: list[RawItem] = [{self._keys[0]: {"S": key}} for key in dict.fromkeys(hash_keys)]
        retries = 0
        while pending:
            asked, later = pending[:_BATCH], pending[_BATCH:]
            answer = self._connection.batch_get_item(
                self._name,
                asked,  # type: ignore[arg-type] # PynamoDB takes what it calls a list of strings
                consistent_read=True,
            )
            yield from filter(None, map(self.alive, answer["Responses"].get(self._name, ())))
            left_over = answer.get("UnprocessedKeys", {}).get(self._name, {}).get("Keys", [])
            if left_over:
                if retries == _BATCH_RETRIES:
                    raise RuntimeError(f"DynamoDB does not get round to {len(left_over)} keys.")
                pause(retries)
                retries += 1
            pending = left_over + later

    def query(
        self,
        hash_key: str,
        condition: Condition | None,
        *,
        index: str | None = None,
        descending: bool = False,
        page: int | None = None,
    ) -> Iterator[RawItem]:
        """Find items in the order of their range keys; consistent but for an index."""
        start = None
        while True:
            answer = self._connection.query(
                self._name,
                hash_key,
                condition,
                consistent_read=index is None,
                exclusive_start_key=start,
                index_name=index,
                limit=page,
                scan_index_forward=not descending,
            )
            yield from answer["Items"]
            start = answer.get("LastEvaluatedKey")
            if start is None:
                return

    def count(self, hash_key: str, condition: Condition, *, index: str) -> int:
        """Count the items of an index (not consistent)."""
        counted, start = 0, None
        while True:
            answer = self._connection.query(
                self._name,
                hash_key,
                condition,
                exclusive_start_key=start,
                index_name=index,
                select=COUNT,
            )
            counted += int(answer["Count"])
            start = answer.get("LastEvaluatedKey")
            if start is None:
                return counted

    def alive(self, item: RawItem | None) -> A | None:
        """Read an item; None when there is none or its time is over."""
        if item is None or (
            _EXPIRES_AT in item and int(item[_EXPIRES_AT]["N"]) <= self._now().timestamp()
        ):
            return None
        return self.read(item)

    def read(self, item: RawItem) -> A:
        """Read an item."""
        return self._kind.from_item(self._kind.item.from_raw_data(item))

    def again(self, aggregate: A) -> A | None:
        """Load what an aggregate has become."""
        item = self._kind.to_item(aggregate).serialize()
        return self.get(*(item[key]["S"] for key in self._keys))

    def create(self, after: A) -> Write:
        """Describe the write of what must not exist yet, or only as something expired."""
        item = self._kind.to_item(after).serialize()
        now = int(self._now().timestamp())
        if self._kind.lifetime is not None:
            item[_EXPIRES_AT] = self._expiry()
        nothing_stands = Path(self._keys[0]).does_not_exist() | (
            Path(_EXPIRES_AT) <= {"N": str(now)}
        )
        arguments = self._arguments(item, key=ITEM, attributes=item, condition=nothing_stands)
        return Write("Put", arguments)

    def update(self, before: A, after: A) -> Write:
        """Describe the write of what differs, on condition that `before` still stands.

        Nothing else is touched: other versions of the code may know attributes of their own.
        """
        old, new = (self._kind.to_item(one).serialize() for one in (before, after))
        if self._kind.renewed:
            new[_EXPIRES_AT] = self._expiry()
        changed = [
            name
            for name in old | new
            if old.get(name) != new.get(name) and name not in self._kind.own_writes
        ]
        actions = [self._action(name, old, new) for name in changed]
        return self._update_with(new, actions, Path(_REVISION) == old[_REVISION])

    def delete(self, before: A) -> Write:
        """Describe the removal of `before`, on condition that it still stands."""
        item = self._kind.to_item(before).serialize()
        as_read = Path(_REVISION) == item[_REVISION]
        return Write("Delete", self._arguments(item, condition=as_read))

    def edit(self, hash_key: str, range_key: str, action: Action) -> Write:
        """Describe a write of a part of an item, on condition that the item exists."""
        item = {self._keys[0]: {"S": hash_key}, self._keys[1]: {"S": range_key}}
        return self._update_with(item, [action], Path(self._keys[0]).exists())

    def _action(self, name: str, old: RawItem, new: RawItem) -> Action:
        if name not in new:
            return Path(name).remove()
        if name in self._kind.counted:
            return Path(name).add({"N": str(int(new[name]["N"]) - int(old[name]["N"]))})
        return Path(name).set(new[name])

    def _update_with(self, item: RawItem, actions: Sequence[Action], condition: Condition) -> Write:
        return Write("Update", self._arguments(item, actions=actions, condition=condition))

    def _arguments(self, item: RawItem, *, key: str = KEY, **rest: Any) -> dict[str, Any]:
        hash_key, range_key = (*(item[name]["S"] for name in self._keys), None)[:2]
        return self._connection.get_operation_kwargs(
            self._name, hash_key, range_key, key=key, **rest
        )

    def _expiry(self) -> dict[str, str]:
        assert self._kind.lifetime is not None
        return {"N": str(int((self._now() + self._kind.lifetime).timestamp()))}


def _describe(name: str, keys: Sequence[str], kind: Kind[Any, Any]) -> MetaTable:
    attributes = kind.item.get_attributes()
    key_names = {*keys, *(key for index in kind.indexes.values() for key in index)}
    return MetaTable(
        {
            "TableName": name,
            "KeySchema": _key_schema(keys),
            "AttributeDefinitions": [
                {"AttributeName": key, "AttributeType": attributes[key].attr_type}
                for key in key_names
            ],
            "GlobalSecondaryIndexes": [
                {"IndexName": index, "KeySchema": _key_schema(index_keys)}
                for index, index_keys in kind.indexes.items()
            ],
        }
    )


def _key_schema(keys: Sequence[str]) -> list[dict[str, str]]:
    return [
        {"AttributeName": key, "KeyType": key_type}
        for key, key_type in zip(keys, ("HASH", "RANGE"), strict=False)
    ]
