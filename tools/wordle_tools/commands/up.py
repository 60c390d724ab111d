"""`wordle-tournament up`: the local cloud, until it is told to stop."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordle_tools.commands import Subparsers


def register(subparsers: Subparsers) -> None:
    """Add the command and its options."""
    parser = subparsers.add_parser(
        "up",
        help="run the backend on this machine",
        description="Run the backend on this machine until Ctrl-C. Prints one line, READY and the "
        "URL to connect to, when clients can connect; everything else goes to standard error.",
    )
    parser.add_argument(
        "--port", type=port, default=0, help="port on 127.0.0.1; 0, the default, takes a free one"
    )
    for name, default, what in (
        ("turn", 30, "how long a turn lasts"),
        ("intro", 6, "how long pairings are shown before a round"),
        ("grace", 60, "how long a player who lost the connection has to come back"),
    ):
        parser.add_argument(
            f"--{name}-seconds",
            type=seconds,
            default=default,
            metavar="SECONDS",
            help=f"{what}; {default} unless told",
        )
    parser.add_argument(
        "--data-dir",
        type=Path,
        metavar="FOLDER",
        help="keep what players did in this folder over an orderly restart",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Start, say READY, wait for Ctrl-C or SIGTERM, stop."""
    import sys

    from wordle_tools.commands.ending import end_in_order
    from wordle_tools.local_cloud import Durations, LocalCloudError, local_cloud

    def tell(progress: str) -> None:
        print(progress, file=sys.stderr, flush=True)

    durations = Durations(
        turn_seconds=arguments.turn_seconds,
        intro_seconds=arguments.intro_seconds,
        grace_seconds=arguments.grace_seconds,
    )
    end_in_order()
    try:
        with local_cloud(
            durations, port=arguments.port, data_folder=arguments.data_dir, progress=tell
        ) as cloud:
            print(f"READY {cloud.url}", flush=True)
            cloud.process.wait_until_ended()
            tell(f"The emulator ended by itself: {cloud.process.last_words()}")
            return 1
    except KeyboardInterrupt:
        return 0
    except LocalCloudError as error:
        tell(str(error))
        return 1


def port(text: str) -> int:
    """A port number, or 0 for a free one; ArgumentTypeError otherwise."""
    return _number(text, 0, 65535)


def seconds(text: str) -> int:
    """A duration in whole seconds of at least 1; ArgumentTypeError otherwise."""
    return _number(text, 1, 86400)


def _number(text: str, least: int, most: int) -> int:
    if text.isascii() and text.isdigit() and least <= int(text) <= most:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")
