"""How a command that runs until it is told to stop is told so."""

from __future__ import annotations

import signal


def end_in_order() -> None:
    """Let Ctrl-C and SIGTERM both raise KeyboardInterrupt, so that everything is put away.

    Python itself leaves SIGINT ignored where the parent did, as scripts do for what they start in
    the background.
    """
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.default_int_handler)
