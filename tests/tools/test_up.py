"""`wordle-tournament up` refuses what it cannot do, in one sentence."""

import argparse
import os
import socket
from pathlib import Path

import pytest

from wordle_tools import cli
from wordle_tools.commands.up import port, seconds
from wordle_tools.local_cloud.data_folder import DataFolder


@pytest.mark.parametrize("text", ["0", "1", "65535"])
def test_a_port_is_a_number_that_the_system_knows(text: str) -> None:
    assert port(text) == int(text)


@pytest.mark.parametrize("text", ["-1", "65536", "", "http", "1.5", "٣"])
def test_what_is_no_port_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="whole number from 0 to 65535"):
        port(text)


@pytest.mark.parametrize("text", ["0", "-5", "0.5", "", "ten", "86401"])
def test_a_duration_is_whole_seconds_of_at_least_one(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="whole number from 1"):
        seconds(text)


def test_a_port_in_use_is_told_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]

        status = cli.main(["up", "--port", str(number)])

    out, err = capsys.readouterr()
    assert status != 0
    assert out == ""
    assert err == f"Port {number} cannot be used: Address already in use.\n"


def test_a_data_folder_that_cannot_be_is_told_in_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()

    status = cli.main(["up", "--data-dir", str(tmp_path / "file")])

    out, err = capsys.readouterr()
    assert status != 0
    assert out == ""
    assert err.startswith(str(tmp_path / "file"))
    assert err.count("\n") == 1


def test_a_data_folder_in_use_is_told_in_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = DataFolder(tmp_path)

    status = cli.main(["up", "--data-dir", str(tmp_path)])

    os.close(other.lock)
    assert status != 0
    assert capsys.readouterr() == ("", f"{tmp_path} is in use by another local cloud.\n")


def test_an_unsupported_python_is_told_in_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.version_info", (3, 10, 4))

    status = cli.main(["up"])

    assert status != 0
    assert (
        capsys.readouterr().err == "wordle-tournament needs Python 3.11 or later, this is 3.10.\n"
    )


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["--help"])

    assert end.value.code == 0
    out = capsys.readouterr().out
    for command in cli.COMMANDS:
        assert f"  {command} " in out
