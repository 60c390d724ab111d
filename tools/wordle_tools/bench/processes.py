"""Fresh processes whose modules are compiled, like those in a layer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Bench:
    """Where processes are measured, with the environment that they get."""

    environment: Mapping[str, str]

    def measure(self, module: str, *arguments: str) -> Any:
        """Run a module in a fresh process and give the JSON that it ends with.

        What else it writes, as functions do, is dropped.
        """
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments],
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return json.loads(done.stdout.splitlines()[-1])


@contextmanager
def opened_bench(environment: Mapping[str, str]) -> Iterator[Bench]:
    """Keep compiled modules in a folder of their own; the first process of a kind fills it."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AWS_", "PYTHON", "POWERTOOLS_"))
    }
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        yield Bench({**inherited, **environment, "PYTHONPYCACHEPREFIX": folder})
