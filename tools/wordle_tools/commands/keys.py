"""`wordle-tournament keys`: the keys that sign the tokens of players."""

from __future__ import annotations

import argparse
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordle_tools.commands import Subparsers

# Functions look for new keys every five minutes; before that they would refuse tokens of it.
_KNOWN_EVERYWHERE = timedelta(minutes=6)


def register(subparsers: Subparsers) -> None:
    """Add the command and its options."""
    from wordle_tools.deployed import operates

    parser = subparsers.add_parser("keys", help="list and rotate the keys that sign tokens")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="name the keys; never tells what they are")
    rotation = actions.add_parser(
        "rotate",
        help="sign with a new key; tokens of the earlier ones stay good",
        description="Add a key, wait until all functions know it, then sign with it. Tokens of "
        "earlier keys stay good until they expire. Cut off, it goes on where it was.",
    )
    rotation.add_argument(
        "--wait-seconds",
        type=int,
        default=int(_KNOWN_EVERYWHERE.total_seconds()),
        metavar="SECONDS",
        help="how old a key must be to sign (default: %(default)s)",
    )
    removal = actions.add_parser(
        "remove",
        help="trust a key no longer: whoever has a token of it must begin anew",
        description="Trust a key no longer, because it has leaked or has not signed for 180 days. "
        "Players with a token of it are refused. The key that signs cannot be removed.",
    )
    removal.add_argument("--key", required=True, help="the id of the key")
    for name, action in (("list", listing), ("rotate", rotation), ("remove", removal)):
        operates(action, run, action=name)


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked and tell; status 1 when it is refused."""
    import sys
    import time
    from datetime import UTC, datetime

    from wordle_tools import signing_keys

    ring = signing_keys.load()
    try:
        if arguments.action == "rotate":
            ring = signing_keys.with_next(ring, datetime.now(UTC))
            signing_keys.keep(ring)
            wait = signing_keys.age_of_next(ring, datetime.now(UTC))
            time.sleep(max(0.0, arguments.wait_seconds - wait.total_seconds()))
            ring = signing_keys.signing_with_next(ring)
            signing_keys.keep(ring)
        elif arguments.action == "remove":
            ring = signing_keys.without(ring, arguments.key)
            signing_keys.keep(ring)
    except signing_keys.RefusedError as error:
        print(error, file=sys.stderr)
        return 1
    for key in ring.keys:
        print(f"{key}{' signs' if key == ring.current else ''}")
    return 0
