"""The folder in which one local cloud at a time keeps what players have done."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from wordle_tools.local_cloud.errors import LocalCloudError


class DataFolder:
    """A folder made if need be and locked, until `lock` is closed by all who were given it.

    Raises LocalCloudError if it cannot be written to or another local cloud has it.
    """

    def __init__(self, folder: Path) -> None:
        self.state = folder.resolve() / "state"
        try:
            self.state.mkdir(parents=True, exist_ok=True)
            self.lock = os.open(self.state.parent / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise LocalCloudError(f"{folder} cannot hold data: {error.strerror}.") from error
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self.lock)
            raise LocalCloudError(f"{folder} is in use by another local cloud.") from error
