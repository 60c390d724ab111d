"""Keys from a terminal, one by one and without blocking; whole lines where that is not possible."""

from __future__ import annotations

import asyncio
import codecs
import re
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TextIO

_ESCAPE = re.compile("\x1b(\\[[0-9;?]*[ -/]*[@-~]|O.|.)?")
_MOST_BYTES_AT_ONCE = 1024


@contextmanager
def keyboard(stdin: TextIO) -> Iterator[AsyncIterator[str]]:
    """Give the characters typed at a terminal as they come; ends with the input.

    Ctrl-C stays a signal. The terminal is put back as it was.
    """
    if sys.platform == "win32":
        yield _lines(stdin)
        return
    import termios
    import tty

    descriptor = stdin.fileno()
    try:
        before = termios.tcgetattr(descriptor)
    except termios.error:
        yield _lines(stdin)
        return
    try:
        tty.setcbreak(descriptor)
        yield _characters(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


async def _characters(descriptor: int) -> AsyncIterator[str]:
    import os

    loop = asyncio.get_running_loop()
    chunks: asyncio.Queue[bytes] = asyncio.Queue()
    decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")
    loop.add_reader(descriptor, lambda: chunks.put_nowait(os.read(descriptor, _MOST_BYTES_AT_ONCE)))
    try:
        while chunk := await chunks.get():
            for key in without_escapes(decoder.decode(chunk)):
                yield key
    finally:
        loop.remove_reader(descriptor)


def without_escapes(typed: str) -> str:
    """Leave out arrow keys and the like."""
    return _ESCAPE.sub("", typed)


async def _lines(stdin: TextIO) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str] = asyncio.Queue()

    def read() -> None:
        while line := stdin.readline():
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, "")

    threading.Thread(target=read, daemon=True).start()
    while line := await lines.get():
        for key in line:
            yield key
