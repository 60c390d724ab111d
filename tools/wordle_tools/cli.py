"""The console script `wordle-tournament`: finds the subcommand and runs it."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

OLDEST_PYTHON = (3, 11)

# Each module has `register(subparsers)`, which names its options and sets the default `run` to a
# function `run(args) -> int`. What the work needs is imported in there, so that help is quick.
COMMANDS = {
    "up": "wordle_tools.commands.up",
    "play": "wordle_tools.commands.play",
    "bots": "wordle_tools.commands.bots",
    "package": "wordle_tools.commands.package",
    "simulate": "wordle_tools.commands.simulate",
    "audit": "wordle_tools.commands.audit",
    "player": "wordle_tools.commands.player",
    "keys": "wordle_tools.commands.keys",
    "tables": "wordle_tools.commands.tables",
    "cost": "wordle_tools.commands.cost",
}


def main(argv: list[str] | None = None) -> int:
    """Run one subcommand and return its exit status."""
    if sys.version_info < OLDEST_PYTHON:
        print(
            "wordle-tournament needs Python {}.{} or later, this is {}.{}.".format(
                *OLDEST_PYTHON, *sys.version_info[:2]
            ),
            file=sys.stderr,
        )
        return 1
    arguments = sys.argv[1:] if argv is None else argv
    parsed = _parser(_wanted(arguments)).parse_args(arguments)
    status: int = parsed.run(parsed)
    return status


def _wanted(arguments: list[str]) -> list[str]:
    """The modules to load: that of the command asked for, or all of them when help is wanted."""
    named = COMMANDS.get(arguments[0]) if arguments else None
    return list(COMMANDS.values()) if named is None else [named]


def _parser(modules: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wordle-tournament",
        description="Run, play and package the Wordle Tournament backend.",
    )
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in modules:
        import_module(module).register(subparsers)
    return parser
