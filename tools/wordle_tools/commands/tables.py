"""`wordle-tournament tables`: what a stack stores, saved into a folder and loaded from one."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from wordle_tools.backup.tables import StoredTable
    from wordle_tools.commands import Subparsers

T = TypeVar("T")

_ITEMS_BETWEEN_NEWS = 5_000


def register(subparsers: Subparsers) -> None:
    """Add the command and its options."""
    from wordle_tools.backup.tables import TABLES
    from wordle_tools.deployed import operates

    parser = subparsers.add_parser("tables", help="save what a stack stores, or load it again")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    saving = actions.add_parser(
        "save",
        help="read tables into a folder",
        description="Read tables into a new folder that nobody else may read: hidden words and "
        "what players did stand in it. Tables are read one after another: they agree if nothing "
        "is written meanwhile, or if they were restored to one time.",
    )
    saving.add_argument("--into", type=Path, required=True, metavar="FOLDER")
    saving.add_argument(
        "--from",
        dest="sources",
        nargs="+",
        type=_source,
        default=[],
        metavar="TABLE=NAME",
        help="read another table in the place of one of the stack's, as a restored one",
    )
    loading = actions.add_parser(
        "load",
        help="put what was saved into the tables of a stack",
        description="Check all that was saved, then put it. What stands there is not overwritten. "
        "Cut off, it goes on when it is repeated.",
    )
    loading.add_argument("--from", dest="folder", type=Path, required=True, metavar="FOLDER")
    loading.add_argument(
        "--replace",
        action="store_true",
        help="delete all that the tables hold first, so that they hold what was saved and nothing "
        "else; stop the functions of the stack before",
    )
    for action, run in ((saving, _save), (loading, _load)):
        action.add_argument(
            "--only",
            nargs="+",
            choices=TABLES,
            default=list(TABLES),
            metavar="TABLE",
            help=f"these tables instead of all: {', '.join(TABLES)}",
        )
        operates(action, _telling_failures(run))


def _save(arguments: argparse.Namespace) -> int:
    from wordle_tools.backup import folder
    from wordle_tools.backup.tables import open_tables

    tables = open_tables(arguments.only, dict(arguments.sources))
    folder.prepare(arguments.into)
    for name, table in tables.items():
        folder.write_table(arguments.into, name, _with_news(f"{name}: saved", table.items()))
    folder.seal(arguments.into, tables)
    return 0


def _load(arguments: argparse.Namespace) -> int:
    from wordle_tools.backup import folder
    from wordle_tools.backup.tables import OWN_ATTRIBUTES, Outcome, open_tables

    tables = open_tables(arguments.only)
    needed = {name: [*table.keys, OWN_ATTRIBUTES[name]] for name, table in tables.items()}
    saved = folder.check(arguments.folder, needed)
    if arguments.replace:
        _clear(tables)
    kept = 0
    for name, table in tables.items():
        items = folder.read_table(arguments.folder, name)
        outcomes = _with_news(f"{name}: loaded", table.put(items), saved[name])
        counted = dict.fromkeys(Outcome, 0)
        for outcome in outcomes:
            counted[outcome] += 1
        _tell(f"{name}: " + ", ".join(f"{counted[one]:,} {one.value}" for one in Outcome))
        kept += counted[Outcome.KEPT]
    if arguments.replace and kept:
        _tell("Somebody wrote to the tables meanwhile: stop the functions and load again.")
        return 1
    return 0


def _clear(tables: dict[str, StoredTable]) -> None:
    """Delete what the sweep wakes before all that it would need."""
    for name, table in reversed(tables.items()):
        for _ in _with_news(f"{name}: deleted", table.clear()):
            pass


def _source(text: str) -> tuple[str, str]:
    """A table of the stack and the one to read in its place; ArgumentTypeError otherwise."""
    from wordle_tools.backup.tables import TABLES

    table, _, name = text.partition("=")
    if table in TABLES and name:
        return table, name
    raise argparse.ArgumentTypeError(f"{text!r} is not TABLE=NAME with one of {', '.join(TABLES)}")


def _telling_failures(
    run: Callable[[argparse.Namespace], int],
) -> Callable[[argparse.Namespace], int]:
    """Let a failure be one sentence and status 1; whatever was done until then stands."""

    def run_and_tell(arguments: argparse.Namespace) -> int:
        from botocore.exceptions import BotoCoreError, ClientError

        from wordle_tools.backup.folder import UnusableFolderError

        try:
            return run(arguments)
        except (UnusableFolderError, BotoCoreError, ClientError, OSError) as error:
            _tell(str(error))
            return 1

    return run_and_tell


def _with_news(what: str, things: Iterable[T], total: int | None = None) -> Iterator[T]:
    """Pass things on, telling now and then how many there were."""
    of_all = "" if total is None else f" of {total:,}"
    number = 0
    for number, thing in enumerate(things, start=1):
        yield thing
        if number % _ITEMS_BETWEEN_NEWS == 0:
            _tell(f"{what} {number:,}{of_all}")
    if number % _ITEMS_BETWEEN_NEWS or not number:
        _tell(f"{what} {number:,}{of_all}")


def _tell(news: str) -> None:
    import sys

    print(news, file=sys.stderr, flush=True)
