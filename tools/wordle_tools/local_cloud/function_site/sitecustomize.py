"""Copies what a function writes to the file that people read.

Python imports this module at the start of every process that has this folder on its path. The
emulator keeps the output of functions called over a WebSocket to itself, and functions that wrote
nothing answer late, so the output must reach both.
"""

import os
import sys
from typing import Any, TextIO, cast


class _Copied:
    """A text stream whose writes go to a file as well, each in one piece."""

    def __init__(self, stream: TextIO, path: str) -> None:
        self._stream = stream
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def write(self, text: str) -> int:
        os.write(self._file, text.encode("utf-8", "replace"))
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


if "AWS_LAMBDA_FUNCTION_NAME" in os.environ and "FUNCTION_LOG" in os.environ:
    sys.stderr = cast("TextIO", _Copied(sys.stderr, os.environ["FUNCTION_LOG"]))
