"""A bare client of the protocol: it sends what it is told and keeps what it hears."""

import asyncio
import json
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect

Message = dict[str, Any]

PATIENCE = 90.0
"""Seconds that an answer may take where the machine is busy and the function cold, and an event
that only the sweep brings: it comes once a minute, to what is five seconds late."""


class Wire:
    """One player on one connection; frames are kept in the order they came."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url
        self.token = token
        self.heard: list[Message] = []
        self.welcome: Message = {}
        self._requests = 0

    async def __aenter__(self) -> Self:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else None
        self.socket: ClientConnection = await connect(
            self.url, additional_headers=headers, open_timeout=PATIENCE
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.socket.close()

    @property
    def player(self) -> str:
        """The player's id, known since `hello`."""
        return str(self.welcome["profile"]["playerId"])

    async def hello(self) -> Message:
        """Send `hello` and keep the token for the next connection."""
        self.welcome = await self.ask("hello", protocol=1)
        assert self.welcome["type"] == "welcome", self.welcome
        self.token = self.welcome["token"]
        return self.welcome

    async def ask(self, action: str, **fields: object) -> Message:
        """Send an action and return its direct answer; events that come before it are kept."""
        self._requests += 1
        request = f"{action}-{self._requests}"
        await self.send(json.dumps({"action": action, "requestId": request, **fields}))
        return await self.wait_for(lambda message: message.get("requestId") == request)

    async def send(self, frame: str | bytes) -> None:
        """Send a frame as it is."""
        await self.socket.send(frame)

    async def next(self) -> Message:
        """The next frame that has not been asked for yet."""
        async with asyncio.timeout(PATIENCE):
            message: Message = json.loads(await self.socket.recv())
        self.heard.append(message)
        return message

    async def wait_for(self, fits: Callable[[Message], bool]) -> Message:
        """Hear on until a message fits."""
        while True:
            message = await self.next()
            if fits(message):
                return message

    async def event(self, kind: str) -> Message:
        """Hear on until an event of a kind."""
        return await self.wait_for(lambda message: message["type"] == kind)

    def drop(self) -> None:
        """Lose the connection without a close frame."""
        self.socket.transport.abort()
