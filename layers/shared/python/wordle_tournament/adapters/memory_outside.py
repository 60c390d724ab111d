"""Time, words, messages out, tokens and timers, all of them in memory."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from threading import Lock

from wordle_tournament.adapters.tokens import BadToken, Identity
from wordle_tournament.ports.messages import Frame
from wordle_tournament.rules.ids import ConnectionId, PlayerId, TournamentId
from wordle_tournament.rules.immutable import immutable


class MemoryClock:
    """A clock that stands until it is moved."""

    def __init__(self, at: datetime = datetime(2026, 1, 1, 12, tzinfo=UTC)) -> None:
        """Stand at an aware time."""
        self._now = _whole_milliseconds(at)
        self.pauses: list[int] = []

    def now(self) -> datetime:
        """Tell the time it stands at."""
        return self._now

    def pause(self, attempt: int) -> None:
        """Note the pause and go on at once."""
        self.pauses.append(attempt)

    def set(self, at: datetime) -> None:
        """Stand at another time, also an earlier one."""
        self._now = _whole_milliseconds(at)

    def advance(self, by: timedelta) -> None:
        """Move on."""
        self.set(self._now + by)


class MemoryLexicon:
    """A few words by language; what may be hidden may also be guessed (R9.5)."""

    def __init__(
        self,
        answers: Mapping[str, Sequence[str]],
        guesses: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        """Know canonical words of any length; `guesses` may be guessed but are never hidden."""
        self._answers = {language: tuple(words) for language, words in answers.items()}
        self._guesses = {language: frozenset(words) for language, words in (guesses or {}).items()}

    def allows(self, language: str, length: int, word: str) -> bool:
        """Tell whether a word may be guessed (R3.6)."""
        return len(word) == length and (
            word in self._answers.get(language, ()) or word in self._guesses.get(language, ())
        )

    def answers(self, language: str, length: int) -> Sequence[str]:
        """List the words of one length that may be hidden, in the order they were given."""
        return tuple(word for word in self._answers.get(language, ()) if len(word) == length)


class MemoryInsults:
    """A few words that no nickname may hold."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        """Know words in lower case."""
        self._words = frozenset(words)

    def are_in(self, nickname: str) -> bool:
        """Tell whether one of the words of a nickname is among these."""
        return not self._words.isdisjoint(nickname.lower().split())


class MemoryTokens:
    """Tokens that are readable instead of signed."""

    def mint(self, player: PlayerId, issued_at: datetime) -> str:
        """Name the player and the time, in whole seconds, in plain text."""
        return f"memory.{player}.{int(issued_at.timestamp())}"

    def read(self, token: str) -> Identity:
        """Tell whom a token names, or raise BadToken."""
        kind, _, rest = token.partition(".")
        player, _, seconds = rest.rpartition(".")
        if kind != "memory" or not player or not seconds.isdecimal():
            raise BadToken("forged or damaged")
        return Identity(PlayerId(player), datetime.fromtimestamp(int(seconds), UTC))


class MemoryPush:
    """Keeps what each connection received, and loses what it is told to lose."""

    def __init__(self) -> None:
        """Reach every connection."""
        self._lock = Lock()
        self._received: dict[ConnectionId, list[Frame]] = {}
        self._held: dict[ConnectionId, list[Frame]] = {}
        self._deaf: set[ConnectionId] = set()
        self._gone: set[ConnectionId] = set()
        self.closed: list[ConnectionId] = []

    def send(self, frames: Mapping[ConnectionId, Sequence[Frame]]) -> frozenset[ConnectionId]:
        """Keep the frames of each connection in order and tell which connections are gone."""
        with self._lock:
            for connection, sent in frames.items():
                if connection in self._gone or connection in self._deaf:
                    continue
                self._held.get(connection, self._received.setdefault(connection, [])).extend(sent)
            return frozenset(
                connection
                for connection, sent in frames.items()
                if sent and connection in self._gone
            )

    def close(self, connection: ConnectionId) -> None:
        """Make a connection gone and note that it was closed from here."""
        with self._lock:
            if connection not in self._gone:
                self._gone.add(connection)
                self.closed.append(connection)

    def received(self, connection: ConnectionId) -> tuple[Frame, ...]:
        """Tell all that a connection has received, in order."""
        with self._lock:
            return tuple(self._received.get(connection, ()))

    def take(self, connection: ConnectionId) -> tuple[Frame, ...]:
        """Tell what a connection has received since the last time this was asked."""
        with self._lock:
            return tuple(self._received.pop(connection, ()))

    def vanish(self, connection: ConnectionId) -> None:
        """Make a connection gone, as one whose other end was lost."""
        with self._lock:
            self._gone.add(connection)

    def deafen(self, connection: ConnectionId) -> None:
        """Lose what is sent to a connection from now on, without calling it gone."""
        with self._lock:
            self._deaf.add(connection)

    def mend(self, connection: ConnectionId) -> None:
        """Let a deafened connection receive again."""
        with self._lock:
            self._deaf.discard(connection)

    def hold(self, connection: ConnectionId) -> None:
        """Delay what is sent to a connection from now on until it is released."""
        with self._lock:
            self._held.setdefault(connection, [])

    def release(self, connection: ConnectionId, chance: random.Random | None = None) -> None:
        """Deliver what was delayed, in order or, with `chance`, in any order."""
        with self._lock:
            held = self._held.pop(connection, [])
            if chance is not None:
                chance.shuffle(held)
            self._received.setdefault(connection, []).extend(held)


@immutable
class RoundClock:
    """A clock of one round, which first wakes at `first_wake`."""

    tournament: TournamentId
    round_number: int
    first_wake: datetime


@immutable
class Grace:
    """The wait for a player's return after their `loss`-th lost connection."""

    player: PlayerId
    loss: int


Timer = RoundClock | Grace


class MemoryTimers:
    """Keeps timers until they are fired; `started` lists all that ever began, in order."""

    def __init__(self) -> None:
        """Keep no timers yet, and start those asked for."""
        self._lock = Lock()
        self._waiting: dict[Timer, datetime] = {}
        self.started: list[Timer] = []
        self.failing = False

    def start_round_clock(
        self, tournament: TournamentId, round_number: int, wake_at: datetime
    ) -> None:
        """Wait for a time of a round, unless this clock was started before."""
        self._start(RoundClock(tournament, round_number, wake_at), wake_at)

    def start_grace(self, player: PlayerId, loss: int, back_by: datetime) -> None:
        """Wait for the end of a grace period, unless that was started before."""
        self._start(Grace(player, loss), back_by)

    @property
    def waiting(self) -> Mapping[Timer, datetime]:
        """Tell which timers will wake, and when."""
        with self._lock:
            return dict(self._waiting)

    def next_wake(self) -> datetime | None:
        """Tell when the next timer wakes; None when none is waiting."""
        return min(self.waiting.values(), default=None)

    def fire(self, timer: Timer, wake: Callable[[Timer], datetime | None]) -> None:
        """Wake with a timer, early, late or twice; it waits again until the time told, or ends."""
        with self._lock:
            self._waiting.pop(timer, None)
        again_at = wake(timer)
        if again_at is not None:
            with self._lock:
                self._waiting[timer] = again_at

    def fire_due(self, now: datetime, wake: Callable[[Timer], datetime | None]) -> int:
        """Wake once with every timer that is due, the earliest first, and tell how many were."""
        due = sorted(
            (wake_at, place, timer)
            for place, (timer, wake_at) in enumerate(self.waiting.items())
            if wake_at <= now
        )
        for _, _, timer in due:
            self.fire(timer, wake)
        return len(due)

    def lose(self, timer: Timer) -> None:
        """Let a waiting timer never wake."""
        with self._lock:
            del self._waiting[timer]

    def _start(self, timer: Timer, wake_at: datetime) -> None:
        with self._lock:
            if not self.failing and timer not in self.started:
                self.started.append(timer)
                self._waiting[timer] = wake_at


def _whole_milliseconds(at: datetime) -> datetime:
    return at.replace(microsecond=at.microsecond // 1000 * 1000)
