"""The keys that sign tokens, kept in Secrets Manager."""

import json
import logging
import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, cast

from botocore.session import Session

from wordle_tournament.adapters.aws_calls import BRIEFLY, FAILURES

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient

_logger = logging.getLogger(__name__)

_FRESH_SECONDS = 300
_SECONDS_BETWEEN_LOADS = 10
_SHORTEST_KEY = 32


class BadKeyRingError(Exception):
    """A secret that is no key ring; it is not told what it holds."""


class SecretKeyRing:
    """Keys by their id, loaded when first needed and again every few minutes.

    The secret is JSON: `{"current": "k1", "k1": "…"}`, with any number of further keys. A key
    that is not known is looked for in the secret again, at most every ten seconds; while the
    secret cannot be read, the keys that were read last stay.
    """

    def __init__(
        self,
        read_name: Callable[[], str],
        session: Callable[[], Session],
        now: Callable[[], float] = time.time,
    ) -> None:
        """Load from the secret that `read_name` names, both only asked when first needed."""
        self._read_name = read_name
        self._session = session
        self._now = now
        self._keys: dict[str, str] = {}
        self._current = ""
        self._tried_at = 0.0

    def current(self) -> tuple[str, str]:
        """Give the id of the key to sign with, and the key; raises when none can be loaded."""
        self._refresh()
        return self._current, self._keys[self._current]

    def find(self, key_id: str) -> str | None:
        """Give a key by its id, or None."""
        self._refresh()
        if key_id not in self._keys and self._age() >= _SECONDS_BETWEEN_LOADS:
            self._load_again()
        return self._keys.get(key_id)

    def _refresh(self) -> None:
        if not self._keys:
            self._load()
        elif self._age() >= _FRESH_SECONDS:
            self._load_again()

    def _age(self) -> float:
        return self._now() - self._tried_at

    def _load_again(self) -> None:
        try:
            self._load()
        except (*FAILURES, BadKeyRingError) as error:
            _logger.warning("signing keys were not loaded again: %s", type(error).__name__)

    def _load(self) -> None:
        self._tried_at = self._now()
        secret = self._client.get_secret_value(SecretId=self._read_name())
        self._current, self._keys = _read_key_ring(secret.get("SecretString", ""))

    @cached_property
    def _client(self) -> "SecretsManagerClient":
        return cast(
            "SecretsManagerClient", self._session().create_client("secretsmanager", config=BRIEFLY)
        )


def _read_key_ring(text: str) -> tuple[str, dict[str, str]]:
    try:
        ring = json.loads(text)
    except ValueError:
        # From None: the parser's error holds the text.
        raise BadKeyRingError("not JSON") from None
    if not isinstance(ring, dict) or not all(isinstance(value, str) for value in ring.values()):
        raise BadKeyRingError("not an object of strings")
    current = ring.pop("current", "")
    if current not in ring:
        raise BadKeyRingError("no current key")
    if any(len(key) < _SHORTEST_KEY for key in ring.values()):
        raise BadKeyRingError(f"a key of less than {_SHORTEST_KEY} characters")
    return current, ring
