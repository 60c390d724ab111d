"""The ring of keys that sign tokens, as an operator changes it.

Keys are named by the second in which they were added, but for the first, which came with the
stack. The one after the current key, if there is one, is about to sign.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from wordle_tools.deployed import client

_KEY_BYTES = 48
_NAME = "k%Y%m%dT%H%M%SZ"


class RefusedError(Exception):
    """What would shut players out."""


@dataclass(frozen=True, slots=True)
class Ring:
    """Keys by their names, in the order in which they were added."""

    current: str
    keys: Mapping[str, str] = field(repr=False)

    @property
    def next(self) -> str | None:
        """The key that was added after the current one."""
        names = list(self.keys)
        following = names[names.index(self.current) + 1 :]
        return following[-1] if following else None


def load() -> Ring:
    """Read the ring of the stack that was entered."""
    secret = client("secretsmanager").get_secret_value(SecretId=os.environ["SIGNING_KEYS_SECRET"])
    keys: dict[str, str] = json.loads(secret["SecretString"])
    current = keys.pop("current")
    return Ring(current, dict(sorted(keys.items())))


def keep(ring: Ring) -> None:
    """Write the ring of the stack that was entered."""
    client("secretsmanager").put_secret_value(
        SecretId=os.environ["SIGNING_KEYS_SECRET"],
        SecretString=json.dumps({"current": ring.current, **ring.keys}),
    )


def with_next(ring: Ring, now: datetime) -> Ring:
    """Add a key that does not sign yet, unless there is one already."""
    if ring.next is not None:
        return ring
    return replace(ring, keys={**ring.keys, f"{now:{_NAME}}": secrets.token_urlsafe(_KEY_BYTES)})


def age_of_next(ring: Ring, now: datetime) -> timedelta:
    """Tell how long ago the key was added that is about to sign."""
    assert ring.next is not None
    return now - datetime.strptime(ring.next, _NAME).replace(tzinfo=UTC)


def signing_with_next(ring: Ring) -> Ring:
    """Let the key sign that was added last."""
    assert ring.next is not None
    return replace(ring, current=ring.next)


def without(ring: Ring, key: str) -> Ring:
    """Take a key out; raises RefusedError for the current one and one that is not there."""
    if key not in ring.keys:
        raise RefusedError(f"There is no key {key}.")
    if key == ring.current:
        raise RefusedError(f"{key} signs; rotate first.")
    return replace(ring, keys={name: value for name, value in ring.keys.items() if name != key})
