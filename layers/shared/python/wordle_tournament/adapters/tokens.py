"""The signed tokens that name players."""

from dataclasses import dataclass
from datetime import datetime

from wordle_tournament.rules.ids import PlayerId


class BadToken(Exception):  # noqa: N818 - an answer to whoever shows it, not a fault of ours
    """A token that names nobody: forged, damaged, expired or not ours."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom a token names, and since when."""

    player: PlayerId
    issued_at: datetime
