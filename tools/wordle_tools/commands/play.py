"""`wordle-tournament play`: a person plays at the terminal; where there is none, a bot does."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from wordle_tools.commands.arguments import websocket_url
from wordle_tournament.rules.languages import LANGUAGES

if TYPE_CHECKING:
    from wordle_tools.commands import Subparsers

COMPANIONS = 7


def register(subparsers: Subparsers) -> None:
    """Add the command and its options."""
    parser = subparsers.add_parser(
        "play",
        help="play at this terminal",
        description="Play. Without --url a local cloud is started and seven bots wait for you. "
        "Where there is no terminal a bot plays and the tournament is told line by line.",
    )
    parser.add_argument(
        "--url", type=websocket_url, help="WebSocket address of a server, ws://… or wss://…"
    )
    parser.add_argument(
        "--language", choices=LANGUAGES, default="en", help="language of the game (default: en)"
    )
    parser.add_argument(
        "--level", choices=("easy", "good"), default="easy", help="how well the seven bots play"
    )
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--group", metavar="CODE", help="join the group with this invite code")
    group.add_argument(
        "--create-group", action="store_true", help="found a group and invite friends"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play until the person leaves, or tell one tournament where there is no terminal."""
    import asyncio
    import sys

    from wordle_tools.commands.ending import end_in_order
    from wordle_tools.local_cloud import Durations, LocalCloudError, local_cloud
    from wordle_tools.terminal.sitting import Sitting

    sitting = Sitting(
        language=arguments.language,
        level=arguments.level,
        group=arguments.group,
        founds_group=arguments.create_group,
        at_terminal=sys.stdin.isatty() and sys.stdout.isatty(),
    )
    end_in_order()
    try:
        if arguments.url is not None:
            return asyncio.run(sitting.play(arguments.url, companions=0))
        with local_cloud(Durations(), progress=_tell) as cloud:
            return asyncio.run(sitting.play(cloud.url, companions=COMPANIONS))
    except KeyboardInterrupt:
        return 0
    except LocalCloudError as error:
        _tell(str(error))
        return 1


def _tell(progress: str) -> None:
    import sys

    print(progress, file=sys.stderr, flush=True)
