"""`wordle-tournament up`, from the outside: starts, says so, keeps data, and leaves nothing."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from wordle_tools.local_cloud import Durations, LocalCloud, LocalCloudError, local_cloud

COMMAND = Path(sys.executable).with_name("wordle-tournament")
LOGS = "Logs of functions: "


@dataclass(frozen=True, slots=True)
class Up:
    """A running `up`, the URL that it is ready at, and the folder of this run."""

    process: subprocess.Popen[str]
    url: str
    folder: Path
    group: int
    """The process group of the emulator and all functions."""

    def end(self, how: signal.Signals) -> tuple[int, str]:
        """Its exit status after a signal, and what else it printed."""
        self.process.send_signal(how)
        rest, _ = self.process.communicate()
        return self.process.returncode, rest


@contextmanager
def up(errors: Path, *options: str) -> Iterator[Up]:
    """Run the command until the block ends; its standard error goes to a file."""
    with (
        errors.open("w") as stderr,
        subprocess.Popen(
            [COMMAND, "up", *options], stdout=subprocess.PIPE, stderr=stderr, text=True
        ) as process,
    ):
        try:
            assert process.stdout is not None
            ready = process.stdout.readline().split()
            told = errors.read_text()
            assert ready[:1] == ["READY"], told
            (log,) = (
                line.removeprefix(LOGS) for line in told.splitlines() if line.startswith(LOGS)
            )
            (group,) = processes("ppid", process.pid)
            yield Up(process, ready[1], Path(log).parent, group)
        finally:
            process.kill()


async def greet(url: str, token: str | None = None) -> tuple[ClientConnection, dict[str, Any]]:
    """An open connection, and what it was welcomed with."""
    connection = await connect(url if token is None else f"{url}?token={token}")
    await connection.send(json.dumps({"action": "hello", "protocol": 1}))
    welcome: dict[str, Any] = json.loads(await connection.recv())
    return connection, welcome


def processes(column: str, value: int) -> list[int]:
    """The ids of processes, dead ones that nobody has asked about left out."""
    listed = subprocess.run(
        ["ps", "-A", "-o", f"pid=,stat=,{column}="], capture_output=True, text=True, check=True
    )
    rows = (line.split() for line in listed.stdout.splitlines())
    return [int(pid) for pid, state, it in rows if it == str(value) and not state.startswith("Z")]


async def test_players_and_keys_outlive_an_orderly_restart_with_a_data_folder(
    tmp_path: Path,
) -> None:
    errors, options = tmp_path / "errors", ("--data-dir", str(tmp_path / "data"))
    with up(errors, *options) as first:
        connection, welcome = await greet(first.url)

        assert first.end(signal.SIGINT) == (0, "")

        assert processes("pgid", first.group) == []
        assert not first.folder.exists()
        await connection.close()

    with up(errors, *options) as second:
        connection, again = await greet(second.url, welcome["token"])

        assert again["profile"] == welcome["profile"]
        assert second.end(signal.SIGTERM) == (0, "")

        assert processes("pgid", second.group) == []
        assert not second.folder.exists()
        await connection.close()


async def test_an_interrupt_ends_it_even_where_the_parent_ignores_interrupts(
    tmp_path: Path,
) -> None:
    inherited = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with up(tmp_path / "errors") as running:
            assert running.end(signal.SIGINT) == (0, "")
    finally:
        signal.signal(signal.SIGINT, inherited)


async def test_a_killed_command_takes_the_emulator_and_its_files_along(tmp_path: Path) -> None:
    with up(tmp_path / "errors") as running:
        connection, _ = await greet(running.url)

        assert running.end(signal.SIGKILL) == (-signal.SIGKILL, "")

        while processes("pgid", running.group) or running.folder.exists():
            await asyncio.sleep(0.02)
        await connection.close()


async def test_what_functions_log_is_readable_while_they_run(cloud: LocalCloud) -> None:
    connection, welcome = await greet(cloud.url)

    # A function logs when its work is done, which is after the answer.
    while welcome["profile"]["playerId"] not in cloud.function_log.read_text():
        await asyncio.sleep(0.02)

    assert welcome["token"] not in cloud.function_log.read_text()
    await connection.close()


def test_a_template_that_cannot_be_deployed_is_told_in_one_sentence(tmp_path: Path) -> None:
    template = tmp_path / "template.yaml"
    template.write_text(
        "Transform: AWS::Serverless-2016-10-31\n"
        "Resources:\n"
        "  PingFunction:\n"
        "    Type: AWS::Serverless::Function\n"
        "    Properties:\n"
        "      CodeUri: functions/ping\n"
    )

    with pytest.raises(LocalCloudError, match="functions/ping") as failure:  # noqa: SIM117
        with local_cloud(Durations(), template=template):
            pass

    assert "\n" not in str(failure.value)
