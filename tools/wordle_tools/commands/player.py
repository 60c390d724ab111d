"""`wordle-tournament player`: what is stored about a player, for the player's asking."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordle_tools.commands import Subparsers


def register(subparsers: Subparsers) -> None:
    """Add the command and its options."""
    from wordle_tools.deployed import operates

    parser = subparsers.add_parser("player", help="export or erase what is stored about a player")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    for name, what in (
        ("export", "print everything stored about a player as JSON"),
        ("erase", "leave nothing of a player but the id; may be repeated"),
    ):
        action = actions.add_parser(name, help=what, description=f"{what.capitalize()}.")
        action.add_argument("--id", required=True, help="the player's id")
        operates(action, run, action=name)


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked and tell; status 1 for an unknown player."""
    import sys

    from wordle_tournament.entry.wiring import wire_game
    from wordle_tournament.rules.ids import PlayerId
    from wordle_tournament.usecases.erasing import erase_player
    from wordle_tournament.usecases.records import find_record

    player = PlayerId(arguments.id)
    if arguments.action == "export":
        record = find_record(wire_game(), player)
        known = record is not None
        if record is not None:
            print(as_json(record))
    else:
        known = erase_player(wire_game(), player)
    if not known:
        print(f"There is no player {player}.", file=sys.stderr)
        return 1
    if arguments.action == "erase":
        print(f"Erased {player}.", file=sys.stderr)
    return 0


def as_json(record: object) -> str:
    """Write a record with camelCase names and times of ISO 8601."""
    import json
    from dataclasses import fields, is_dataclass
    from datetime import datetime

    from wordle_tournament.wire.outgoing import camel_case

    def plain(value: object) -> object:
        if is_dataclass(value):
            return {camel_case(one.name): getattr(value, one.name) for one in fields(value)}
        if isinstance(value, datetime):
            return value.isoformat()
        raise TypeError(type(value).__name__)

    return json.dumps(record, default=plain, ensure_ascii=False, indent=2)
