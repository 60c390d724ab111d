"""A server that says what a test tells it to: a double for the client's networking only."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from tests.tools import sample

Content = dict[str, Any]


@dataclass(eq=False)
class Line:
    """One connection as the server sees it; `said` are the client's messages, in order."""

    socket: ServerConnection
    authorization: str | None
    said: asyncio.Queue[Content] = field(default_factory=asyncio.Queue)

    async def hears(self, action: str) -> Content:
        """Wait for the next message, which must be `action`."""
        message = await self.said.get()
        assert message["action"] == action, message
        return message

    async def says(self, content: Content, to: Content | None = None) -> None:
        """Send a message, as the answer to `to` if given."""
        answer = {} if to is None else {"requestId": to["requestId"]}
        await self.socket.send(json.dumps({**content, **answer}))

    async def welcomes(self, **fields: object) -> Content:
        """Answer `hello`."""
        hello = await self.hears("hello")
        await self.says(sample.welcome(**fields), to=hello)
        return hello


class ScriptedServer:
    """Accepts connections on a free port of 127.0.0.1 and hands them to the test."""

    def __init__(self) -> None:
        self.url = ""
        self.lines: asyncio.Queue[Line] = asyncio.Queue()
        self.refuse_with: list[int] = []
        self.handshakes: asyncio.Queue[Request] = asyncio.Queue()
        self.handshakes_now = 0
        self.most_handshakes = 0
        self.handshake_may_end = asyncio.Event()
        self.handshake_may_end.set()

    async def line(self) -> Line:
        """Wait for the next connection."""
        return await self.lines.get()

    async def welcomed(self, **fields: object) -> Line:
        """Wait for the next connection and welcome it."""
        line = await self.line()
        await line.welcomes(**fields)
        return line

    async def shake_hands(self, socket: ServerConnection, request: Request) -> Response | None:
        """Let a handshake through, or refuse it as the test wishes."""
        self.handshakes_now += 1
        self.most_handshakes = max(self.most_handshakes, self.handshakes_now)
        self.handshakes.put_nowait(request)
        await self.handshake_may_end.wait()
        self.handshakes_now -= 1
        if self.refuse_with:
            return socket.respond(self.refuse_with.pop(0), "refused\n")
        return None

    async def accept(self, socket: ServerConnection) -> None:
        """Read one connection until it closes."""
        assert socket.request is not None
        line = Line(socket, socket.request.headers.get("Authorization"))
        self.lines.put_nowait(line)
        async for text in socket:
            line.said.put_nowait(json.loads(text))


@asynccontextmanager
async def scripted_server() -> AsyncIterator[ScriptedServer]:
    """Run a scripted server."""
    script = ScriptedServer()
    async with serve(
        script.accept, "127.0.0.1", 0, process_request=script.shake_hands, close_timeout=1
    ) as server:
        (socket,) = server.sockets
        script.url = f"ws://127.0.0.1:{socket.getsockname()[1]}/stage"
        yield script
