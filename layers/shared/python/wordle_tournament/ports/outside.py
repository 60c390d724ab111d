"""Time, words, messages out and timers, as the use cases need them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from wordle_tournament.ports.messages import Frame
from wordle_tournament.rules.ids import ConnectionId, PlayerId, TournamentId


class Clock(Protocol):
    """The time, in whole milliseconds of UTC."""

    def now(self) -> datetime:
        """Tell the time."""

    def pause(self, attempt: int) -> None:
        """Wait a short random time before trying a conflicting write again; `attempt` is 0…"""


class Lexicon(Protocol):
    """The word lists; words are canonical."""

    def allows(self, language: str, length: int, word: str) -> bool:
        """Tell whether a word may be guessed (R3.6)."""

    def answers(self, language: str, length: int) -> Sequence[str]:
        """List the words that may be hidden (R9.2, R9.5)."""


class Insults(Protocol):
    """What a nickname must not say: it is the only text of players that others see (R10.2)."""

    def are_in(self, nickname: str) -> bool:
        """Tell whether a nickname insults, in any of the game's languages."""


class Tokens(Protocol):
    """The signed tokens that name players."""

    def mint(self, player: PlayerId, issued_at: datetime) -> str:
        """Sign a token for a player; the same arguments give the same token."""


class Push(Protocol):
    """The way to connected clients."""

    def send(self, frames: Mapping[ConnectionId, Sequence[Frame]]) -> frozenset[ConnectionId]:
        """Send each connection its frames in order, all connections at once.

        Tells which connections are gone. Never fails otherwise: what could not be sent is
        logged, and repaired by `sync`.
        """

    def close(self, connection: ConnectionId) -> None:
        """Close a connection; one that is gone already is fine."""


class Timers(Protocol):
    """Wake-ups. Starting one a second time is the same as once; one that fails is logged.

    Timers only wake: nothing depends on how often, or how late, they do.
    """

    def start_round_clock(
        self, tournament: TournamentId, round_number: int, wake_at: datetime
    ) -> None:
        """Start a clock of a round; one that first wakes at another time is another one.

        So a lost clock can be replaced, and a round dealt anew after its tables were restored
        gets a clock although the round had one before.
        """

    def start_grace(self, player: PlayerId, loss: int, back_by: datetime) -> None:
        """Start the wait for a player's return after their `loss`-th lost connection (R7.2)."""
