"""Server messages as JSON text."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

from wordle_tournament.ports.messages import Frame
from wordle_tournament.rules.moments import to_ms

MOST_BYTES = 32 * 1024
"""The size of the largest frame that the gateway carries, in bytes of UTF-8."""


class FrameTooLargeError(Exception):
    """A message that does not fit into a frame: a fault of ours."""


def encode(frame: Frame) -> str:
    """Write a message as compact JSON: camelCase names, times in milliseconds, no nulls.

    Raises FrameTooLargeError above MOST_BYTES.
    """
    message = frame.message
    content: dict[str, object] = {"type": message.type}
    if frame.request_id is not None:
        content["requestId"] = frame.request_id
    content |= _present_fields(message)
    text = _JSON.encode(content)
    # Four bytes are the most that a code point takes: nearly every frame is known to fit at once.
    if len(text) * 4 > MOST_BYTES and len(text.encode()) > MOST_BYTES:
        raise FrameTooLargeError(f"a {message.type} of more than {MOST_BYTES} bytes")
    return text


def camel_case(name: str) -> str:
    """Write a Python field name as clients see it."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


_NAMES: dict[type, tuple[tuple[str, str], ...]] = {}


def _names(kind: type[Any]) -> tuple[tuple[str, str], ...]:
    """Pair the fields of a dataclass with their names in JSON; `from` is no name in Python."""
    names = _NAMES.get(kind)
    if names is None:
        names = _NAMES[kind] = tuple(
            (field.name, "from" if field.name == "origin" else camel_case(field.name))
            for field in fields(kind)
        )
    return names


def _present_fields(record: Any) -> dict[str, object]:
    return {
        name: value
        for field, name in _names(type(record))
        if (value := getattr(record, field)) is not None
    }


def _plain(value: object) -> object:
    """Turn what JSON does not know into what it does, one level deep."""
    if is_dataclass(value):
        return _present_fields(value)
    if isinstance(value, datetime):
        return to_ms(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no place in a message")


_JSON = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, separators=(",", ":"), default=_plain
)
