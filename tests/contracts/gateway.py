"""A gateway that answers in place of API Gateway, below the SDK's retries."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import ReadTimeoutError
from botocore.session import Session

Answer = Callable[[str], int | None]
"""What a connection answers to a text: an HTTP status, or None for no answer in time."""


def accept(_: str) -> int:
    """Take a text."""
    return 200


@dataclass
class Text:
    """The body of an answer."""

    content: bytes

    def stream(self, **_: object) -> list[bytes]:
        """Give the body in one piece."""
        return [self.content]


@dataclass
class FakeGateway:
    """Takes what clients of the SDK post, and answers as each connection is told to."""

    received: dict[str, list[str]] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)
    attempts: dict[str, int] = field(default_factory=dict)
    _answers: dict[str, Answer] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def listen(self, session: Session) -> None:
        """Answer all requests to connections that clients of a session make."""
        session.register("before-send.apigatewaymanagementapi", self._serve)

    def answer(self, connection: str, *statuses: int | None) -> None:
        """Let a connection answer with these statuses, the last of them again and again."""
        left = list(statuses)
        self.behave(connection, lambda _: left.pop(0) if len(left) > 1 else left[0])

    def behave(self, connection: str, answer: Answer) -> None:
        """Let a connection answer as a function says."""
        self._answers[connection] = answer

    def _serve(self, **event: Any) -> Any:
        request = event["request"]
        connection = unquote(request.url.rpartition("/")[2])
        text = "" if request.body is None else request.body.decode()
        with self._lock:
            self.attempts[connection] = self.attempts.get(connection, 0) + 1
        status = self._answers.get(connection, accept)(text)
        if status is None:
            raise ReadTimeoutError(endpoint_url=request.url)
        if status == 200 and request.method == "POST":
            with self._lock:
                self.received.setdefault(connection, []).append(text)
        if status == 200 and request.method == "DELETE":
            self.deleted.append(connection)
        return AWSResponse(
            request.url, status, HTTPHeaders.from_dict(ERRORS.get(status, {})), Text(b"{}")
        )


ERRORS = {
    400: {"x-amzn-errortype": "BadRequestException"},
    403: {"x-amzn-errortype": "ForbiddenException"},
    410: {"x-amzn-errortype": "GoneException"},
    413: {"x-amzn-errortype": "PayloadTooLargeException"},
    429: {"x-amzn-errortype": "LimitExceededException"},
}
