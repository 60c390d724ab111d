"""The game as a use case finds it: its ports and settings, and who is asking."""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from wordle_tournament.ports.outside import Clock, Insults, Lexicon, Push, Timers, Tokens
from wordle_tournament.ports.store import Conflict, Store
from wordle_tournament.rules.chance import Chance
from wordle_tournament.rules.ids import ConnectionId, PlayerId
from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.rules.tournament import Pace

T = TypeVar("T")

ATTEMPTS = 10
"""How often a conflicting write is tried before the player is asked to."""


class Happening(StrEnum):
    """What operators count, beside what every message and wake-up comes to."""

    TOURNAMENT_STARTED = "TournamentsStarted"
    TOURNAMENT_FINISHED = "TournamentsFinished"
    TOURNAMENT_ABORTED = "TournamentsAborted"
    CONFLICT = "Conflicts"


@immutable
class Game:
    """Ports and settings.

    While it is `draining` no tournament begins, and those that run go on.
    `lost` collects connections that a push found gone; `presence.drain_losses` deals with them.
    `happened` counts what has been committed, and conflicts; `about` names tournament and duel
    at hand, for the log. Both last until somebody takes them.
    """

    store: Store
    push: Push
    timers: Timers
    tokens: Tokens
    clock: Clock
    chance: Chance
    lexicon: Lexicon
    insults: Insults
    pace: Pace
    invite_base_url: str
    draining: bool
    lost: deque[tuple[PlayerId, ConnectionId]] = field(default_factory=deque)
    happened: Counter[Happening] = field(default_factory=Counter)
    about: dict[str, Any] = field(default_factory=dict)


@immutable
class Sender:
    """Who sent a message, on which connection, and when that was opened (R7.3)."""

    player: PlayerId
    connection: ConnectionId
    connected_at: datetime
    request_id: str | None = None


class Superseded(Exception):  # noqa: N818 - an answer, not an error of ours
    """The sender's connection is not the player's newest: it is told so and closed (R7.3)."""


def insist(game: Game, attempt: Callable[[], T]) -> T:
    """Make an attempt until it meets no conflict; raises Refusal `try_again` after a few."""
    for number in range(ATTEMPTS):
        try:
            return attempt()
        except Conflict:
            game.happened[Happening.CONFLICT] += 1
            game.clock.pause(number)
    raise Refusal(Code.TRY_AGAIN, "The server is busy with the same thing; nothing was changed.")
