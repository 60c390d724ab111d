"""`wordle-tournament bots`: bots play tournaments and check what they are told."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

from wordle_tools.commands.arguments import websocket_url
from wordle_tournament.rules.languages import LANGUAGES

if TYPE_CHECKING:
    from wordle_tools.commands import Subparsers


def register(subparsers: Subparsers) -> None:
    """Add the command and its options."""
    parser = subparsers.add_parser(
        "bots",
        help="let bots play whole tournaments and check every message against the rules",
        description="Let bots play. Prints places and rating changes of each tournament; ends "
        "with a status other than 0 on any breach of protocol or rules.",
    )
    parser.add_argument(
        "--url", required=True, type=websocket_url, help="WebSocket address, ws://… or wss://…"
    )
    parser.add_argument(
        "--language", choices=LANGUAGES, default="en", help="language of the game (default: en)"
    )
    parser.add_argument("--count", type=_positive, default=8, help="number of bots (default: 8)")
    parser.add_argument(
        "--tournaments", type=_positive, default=1, help="how many each plays (default: 1)"
    )
    parser.add_argument("--level", choices=("easy", "good"), default="good")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--group", metavar="CODE", help="join the group with this invite code")
    group.add_argument(
        "--create-group", action="store_true", help="found a group, print its code and lead it"
    )
    parser.add_argument(
        "--group-size",
        type=_positive,
        metavar="N",
        help="a bot that leads starts with N members (default: the number of bots)",
    )
    parser.add_argument(
        "--think",
        type=float,
        nargs=2,
        default=(0.0, 0.0),
        metavar=("LEAST", "MOST"),
        help="seconds a bot thinks about a turn (default: 0 0)",
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=300.0,
        metavar="SECONDS",
        help="give up after so long without any news (default: 300)",
    )
    for name, what in (
        ("idles", "a turn is let pass"),
        ("drops", "the connection is cut before a turn"),
        ("leaves", "a bot leaves for good before a turn"),
    ):
        parser.add_argument(
            f"--{name}",
            type=float,
            default=0.0,
            metavar="CHANCE",
            help=f"how likely {what} (0 to 1, default: 0)",
        )
    parser.add_argument("--seed", type=int, help="make the bots' chance repeatable")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play, and return 0 only when nothing was wrong."""
    from wordle_tools.bots.crew import Crew, CrewPlan

    plan = CrewPlan(
        url=arguments.url,
        language=arguments.language,
        count=arguments.count,
        tournaments=arguments.tournaments,
        level=arguments.level,
        group=arguments.group,
        founds_group=arguments.create_group,
        group_size=arguments.group_size,
        think=tuple(arguments.think),
        patience=arguments.patience,
        idles=arguments.idles,
        drops=arguments.drops,
        leaves=arguments.leaves,
        seed=arguments.seed,
    )
    try:
        faults = asyncio.run(Crew(plan, _say).run())
    except KeyboardInterrupt:
        return 130
    print(f"faults found: {faults}" if faults else "no breach found", file=sys.stderr)
    return 0 if not faults else 1


def _say(line: str) -> None:
    print(line, flush=True)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number
