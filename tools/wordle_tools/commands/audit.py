"""`wordle-tournament audit`: whether everything that a deployment holds agrees."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordle_tools.commands import Subparsers

_SECONDS_BETWEEN_READINGS = 3


def register(subparsers: Subparsers) -> None:
    """Add the command and its options."""
    from wordle_tools.deployed import operates

    parser = subparsers.add_parser(
        "audit",
        help="check that all that a deployment holds agrees",
        description="Check ratings against the journal, tournaments, places, seats and groups of "
        "a whole deployment. Reads every table; names each deviation and ends with status 1 if "
        "there is any. Games may go on: a deviation counts when a second reading shows it too.",
    )
    operates(parser, run)


def run(arguments: argparse.Namespace) -> int:
    """Read, check, read again if something is wrong, and tell."""
    import sys
    import time

    from wordle_tools.audit.books import read_books
    from wordle_tools.audit.checks import audit

    books = read_books()
    deviations = audit(books)
    if deviations:
        time.sleep(_SECONDS_BETWEEN_READINGS)
        before = {deviation.key for deviation in deviations}
        books = read_books()
        deviations = [deviation for deviation in audit(books) if deviation.key in before]
    for deviation in deviations:
        print(f"{deviation.subject}: {deviation.rule}: {deviation.found}")
    print(
        f"{len(books.players)} players, {len(books.results)} journal entries, "
        f"{len(books.tournaments)} tournaments, {len(books.groups)} groups: "
        f"{len(deviations) or 'no'} deviation{'s' * (len(deviations) != 1)}",
        file=sys.stderr,
    )
    return 1 if deviations else 0
