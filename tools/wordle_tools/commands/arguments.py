"""Arguments that several commands take."""

from __future__ import annotations

import argparse
from urllib.parse import urlsplit


def websocket_url(text: str) -> str:
    """The address of a server, ws://… or wss://…; ArgumentTypeError otherwise."""
    try:
        address = urlsplit(text)
        usable = address.scheme in ("ws", "wss") and bool(address.hostname) and address.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise argparse.ArgumentTypeError(f"{text!r} is no WebSocket address (ws://… or wss://…)")
    return text
