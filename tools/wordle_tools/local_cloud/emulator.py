"""The emulator's process: serves on an inherited socket until its standard input ends.

That end is the one way to stop it, whether it was meant or the parent was killed. It then keeps
its state if it was asked to, takes the processes of all functions along and has its folder removed.
Waiting for open connections, as the server does by itself, can take most of a minute.

Run as `python -m wordle_tools.local_cloud.emulator SOCKET_NUMBER RUN_FOLDER`, as the leader of a
session of its own.
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

# Until it is gone: at the first try, threads of this process may still be starting functions.
_REMOVE_FOLDER = """
for try in 1 2 3 4 5 6 7 8 9 10; do
    rm -rf -- "$1" && break
    sleep 0.2
done
"""

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


def main() -> None:
    """Serve, then end this process and all that it started."""
    socket_number, run_folder = int(sys.argv[1]), sys.argv[2]
    _allow_many_connections()
    asyncio.run(_serve(socket_number, run_folder))


async def _serve(socket_number: int, run_folder: str) -> None:
    try:
        await _serve_until_input_ends(socket_number)
    finally:
        # Here and not after the loop, whose end would wait for functions that still run.
        _end_everything(run_folder)


async def _serve_until_input_ends(socket_number: int) -> None:
    from hypercorn.asyncio import serve
    from hypercorn.config import Config
    from ministack.app import app

    _route_what_is_too_deep()
    _call_the_version_that_an_alias_stands_for()
    stopped = asyncio.Event()
    config = Config()
    config.bind = [f"fd://{socket_number}"]
    config.keep_alive_timeout = 75
    application: Any = _ending_by_itself(app, _when_input_ends(), stopped)
    server = asyncio.create_task(serve(application, config, shutdown_trigger=_never))
    stop = asyncio.create_task(stopped.wait())
    await asyncio.wait({server, stop}, return_when=asyncio.FIRST_COMPLETED)
    if server.done():
        server.result()


def _ending_by_itself(
    app: Application, stopping: asyncio.Event, stopped: asyncio.Event
) -> Application:
    """The application, told to shut down when `stopping` is set, whatever connections are open."""

    async def application(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            # What changed while the state is written would be told to players, but not be kept.
            if not stopping.is_set():
                await app(scope, receive, send)
            return

        async def stop() -> Message:
            await stopping.wait()
            return {"type": "lifespan.shutdown"}

        messages = iter((receive, stop))

        async def receive_or_stop() -> Message:
            return await next(messages)()

        async def send_or_note(message: Message) -> None:
            if message["type"] == "lifespan.shutdown.complete":
                stopped.set()
            else:
                await send(message)

        await app(scope, receive_or_stop, send_or_note)

    return application


def _when_input_ends() -> asyncio.Event:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    def wait_for_the_end() -> None:
        sys.stdin.buffer.read()
        loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    return ended


def _end_everything(run_folder: str) -> None:
    """End this process and its whole group; what they have written goes after they have."""
    subprocess.Popen(
        ["/bin/sh", "-c", _REMOVE_FOLDER, "sh", run_folder],
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
    )
    os.killpg(0, signal.SIGKILL)


def _route_what_is_too_deep() -> None:
    """Let a message that nests too deep for Python's parser take `$default`, as any bad one."""
    from ministack.services import apigateway

    select = apigateway._evaluate_route_selection

    def select_or_default(expression: str, payload: str) -> str:
        try:
            return str(select(expression, payload))
        except RecursionError:
            return "$default"

    apigateway._evaluate_route_selection = select_or_default


def _call_the_version_that_an_alias_stands_for() -> None:
    """Keep processes of functions by version: kept by alias they answer for it when it has moved.

    So a deployment ends none that is at work, as on AWS.
    """
    from ministack.core import lambda_runtime

    key = lambda_runtime._worker_key

    def key_of_version(function: str, configuration: Message, _qualifier: str) -> str:
        return str(key(function, configuration, configuration["Version"]))

    lambda_runtime._worker_key = key_of_version


async def _never() -> None:
    await asyncio.Event().wait()


def _allow_many_connections() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # macOS calls it unlimited and refuses to be taken at its word.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    main()
