"""Messages out through API Gateway's connections."""

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, cast

from botocore.config import Config
from botocore.session import Session

from wordle_tournament.adapters.aws_calls import BRIEFLY, FAILURES, reason_of, status_of
from wordle_tournament.ports.messages import Frame
from wordle_tournament.rules.ids import ConnectionId
from wordle_tournament.wire.outgoing import FrameTooLargeError, encode

if TYPE_CHECKING:
    from mypy_boto3_apigatewaymanagementapi import ApiGatewayManagementApiClient

_logger = logging.getLogger(__name__)

# Eight players, and as many who left their places to others while they still watch.
_MOST_AT_ONCE = 16
_CONFIG = BRIEFLY.merge(Config(max_pool_connections=_MOST_AT_ONCE))

# 410: closed, or never there. 400: no id of this gateway, so nobody can ever be reached by it.
_GONE = frozenset({410, 400})

Texts = Sequence[tuple[str, str]]
"""Frames of one connection in order: the type of each, for the log, and its text."""


class GatewayPush:
    """Posts to connections, all at once, on threads that live as long as this does."""

    def __init__(self, endpoint: str, session: Session) -> None:
        """Make the client of a stage's https endpoint now, while nobody waits for it."""
        client = session.create_client(
            "apigatewaymanagementapi", endpoint_url=endpoint, config=_CONFIG
        )
        self._client = cast("ApiGatewayManagementApiClient", client)
        self._threads = ThreadPoolExecutor(_MOST_AT_ONCE - 1, thread_name_prefix="push")

    def send(self, frames: Mapping[ConnectionId, Sequence[Frame]]) -> frozenset[ConnectionId]:
        """Send each connection its frames in order, all connections at once.

        Tells which connections are gone. Never fails otherwise: what could not be sent is logged.
        """
        texts = _encode_all(frames)
        if not texts:
            return frozenset()
        client = self._client
        (first, *others) = texts.items()
        sending = [
            (connection, self._threads.submit(_post_all, client, connection, queue))
            for connection, queue in others
        ]
        # The first one needs no other thread than this; often it is the only one.
        gone = {first[0]} if _post_all(client, *first) else set()
        gone.update(connection for connection, answer in sending if answer.result())
        return frozenset(gone)

    def close(self, connection: ConnectionId) -> None:
        """Close a connection; one that is gone already is fine."""
        try:
            self._client.delete_connection(ConnectionId=connection)
        except FAILURES as error:
            if status_of(error) not in _GONE:
                _logger.warning("connection %s was not closed: %s", connection, reason_of(error))


def _encode_all(
    frames: Mapping[ConnectionId, Sequence[Frame]],
) -> dict[ConnectionId, Texts]:
    """Write every frame once, however many connections it goes to."""
    written: dict[int, str] = {}
    texts: dict[ConnectionId, Texts] = {}
    for connection, queue in frames.items():
        texts_of_one = []
        for frame in queue:
            text = written.get(id(frame))
            if text is None:
                try:
                    text = encode(frame)
                except FrameTooLargeError as error:
                    _logger.error("not sent: %s", error)
                    continue
                written[id(frame)] = text
            texts_of_one.append((frame.message.type, text))
        if texts_of_one:
            texts[connection] = texts_of_one
    return texts


def _post_all(
    client: "ApiGatewayManagementApiClient", connection: ConnectionId, texts: Texts
) -> bool:
    """Post frames in order and tell whether the connection is gone.

    What the gateway refuses is left out, and versions tell the client of the gap; once the gateway
    does not answer at all, the rest would only wait in vain.
    """
    for kind, text in texts:
        try:
            client.post_to_connection(ConnectionId=connection, Data=text.encode())
        except FAILURES as error:
            status = status_of(error)
            if status in _GONE:
                return True
            _logger.warning(
                "%s was not sent to connection %s: %s", kind, connection, reason_of(error)
            )
            if status is None:
                return False
    return False
