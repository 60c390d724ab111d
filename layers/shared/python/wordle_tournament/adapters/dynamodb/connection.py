"""Writes on their way to DynamoDB, and how it says that one has lost."""

import uuid
from collections.abc import Sequence
from typing import Any, Literal

import botocore.session
from botocore.exceptions import ClientError
from pynamodb.connection import Connection
from pynamodb.exceptions import VerboseClientError

from wordle_tournament.ports.store import Conflict
from wordle_tournament.rules.immutable import immutable

CONDITION_FAILED = "ConditionalCheckFailedException"
_CANCELLED = "TransactionCanceledException"
_CONFLICTS = frozenset(
    {CONDITION_FAILED, "TransactionConflictException", "TransactionInProgressException"}
)
_CONFLICTING_PARTS = frozenset({"ConditionalCheckFailed", "TransactionConflict"})

# What takes seconds here is better sent again than waited for: a player is waiting, too.
_CONNECT_TIMEOUT_SECONDS = 1
_READ_TIMEOUT_SECONDS = 3
_ATTEMPTS = 3


@immutable
class Write:
    """A write of one item, by itself or as a part of a transaction."""

    operation: Literal["Put", "Update", "Delete"]
    arguments: dict[str, Any]


class LostWrite(Conflict):
    """A conflict with its error code; one `repeated` by the SDK may have lost to itself."""

    def __init__(self, error: ClientError) -> None:
        super().__init__(str(error))
        self.code = error.response["Error"]["Code"]
        self.repeated = _was_repeated(error)


class DynamoConnection(Connection):
    """A connection for all tables: one client with one pool of connections."""

    def __init__(self, session: botocore.session.Session) -> None:
        """Make the client now: in Lambda the time before the first request is cheap."""
        super().__init__(
            connect_timeout_seconds=_CONNECT_TIMEOUT_SECONDS,
            read_timeout_seconds=_READ_TIMEOUT_SECONDS,
            retry_configuration={"total_max_attempts": _ATTEMPTS, "mode": "standard"},
        )
        self._session = session
        self.client  # noqa: B018 - making it is the effect

    @property
    def session(self) -> botocore.session.Session:
        """The session in which the client is made."""
        return self._session

    def dispatch(self, operation_name: str, operation_kwargs: dict[str, Any]) -> dict[str, Any]:
        """Send a request as it stands.

        PynamoDB's own way asks for the capacity consumed, too, and tells listeners and a log,
        which nobody here reads, of every argument.
        """
        return self._make_api_call(operation_name, operation_kwargs)

    def write(self, write: Write, **options: str) -> dict[str, Any]:
        """Make one write and give DynamoDB's answer; raises LostWrite."""
        return self._write(f"{write.operation}Item", {**write.arguments, **options})

    def write_all(self, writes: Sequence[Write]) -> None:
        """Make all writes or none; raises LostWrite.

        The token makes a request that the SDK repeats the same request.
        """
        parts = [{write.operation: write.arguments} for write in writes]
        token = str(uuid.uuid4())
        self._write("TransactWriteItems", {"TransactItems": parts, "ClientRequestToken": token})

    def _write(self, operation: str, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            return self.dispatch(operation, arguments)
        except ClientError as error:
            if _is_conflict(error):
                raise LostWrite(error) from error
            raise


def _is_conflict(error: ClientError) -> bool:
    code = error.response["Error"]["Code"]
    if code == _CANCELLED and isinstance(error, VerboseClientError):
        parts = {reason.code for reason in error.cancellation_reasons if reason is not None}
        return bool(parts & _CONFLICTING_PARTS)
    return code in _CONFLICTS


def _was_repeated(error: ClientError) -> bool:
    """Tell whether the SDK has sent the request more than once, by the error under PynamoDB's."""
    original = error.__cause__
    if not isinstance(original, ClientError):
        return False
    return original.response["ResponseMetadata"].get("RetryAttempts", 0) > 0
