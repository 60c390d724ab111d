"""Memory adapters that note every step, and let a test in just before a chosen one."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import datetime

from wordle_tournament.adapters.memory import MemoryStore
from wordle_tournament.adapters.memory_outside import MemoryPush, MemoryTimers
from wordle_tournament.ports.messages import Frame
from wordle_tournament.ports.store import Aggregate, Change, T
from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.group import Group
from wordle_tournament.rules.ids import ConnectionId, DuelId, GroupCode, PlayerId, TournamentId
from wordle_tournament.rules.lobby import Room
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.result import Result
from wordle_tournament.rules.tournament import Tournament

READS = frozenset(
    ["player", "players", "room", "tournament", "duel", "duels", "group", "overdue", "results"]
)
"""The steps that change nothing."""


class Crash(Exception):  # noqa: N818 - the end of a process, nobody's answer
    """The process ended between two steps."""


class Steps:
    """What was asked of store, push and timers, in order.

    `before` is called before each step with the number of those already `taken`; what it does
    itself is no step of the command and calls it no more.
    """

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.before: Callable[[int], None] | None = None
        self._let_in = False

    def take(self, name: str) -> None:
        """Let the test in, then note a step that is about to be taken."""
        if self._let_in:
            return
        if self.before is not None:
            self._let_in = True
            try:
                self.before(len(self.taken))
            finally:
                self._let_in = False
        self.taken.append(name)

    def writes(self) -> list[str]:
        """The steps that changed something, or told somebody."""
        return [name for name in self.taken if name not in READS]

    def reads(self) -> list[str]:
        """The steps that only looked."""
        return [name for name in self.taken if name in READS]


class SteppedStore(MemoryStore):
    """A store whose every request is a step."""

    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self._steps = steps

    def everything(self) -> Mapping[tuple[type[Aggregate], Hashable], Aggregate]:
        """All that is kept, to compare with what is kept later."""
        return dict(self._kept)

    def restore(self, kept: Mapping[tuple[type[Aggregate], Hashable], Aggregate]) -> None:
        """Keep what `everything` has told, and nothing else."""
        self._kept = dict(kept)

    def forget(self, kind: type[Aggregate]) -> None:
        """Lose all things of a kind."""
        self.restore({key: one for key, one in self._kept.items() if key[0] is not kind})

    def all_of(self, kind: type[T]) -> list[T]:
        """All things of a kind."""
        return self._all(kind)

    def player(self, player: PlayerId) -> Player | None:
        self._steps.take("player")
        return super().player(player)

    def players(self, players: Iterable[PlayerId]) -> Mapping[PlayerId, Player]:
        self._steps.take("players")
        return super().players(players)

    def room(self, language: str) -> Room:
        self._steps.take("room")
        return super().room(language)

    def tournament(self, tournament: TournamentId) -> Tournament | None:
        self._steps.take("tournament")
        return super().tournament(tournament)

    def duel(self, duel: DuelId) -> Duel | None:
        self._steps.take("duel")
        return super().duel(duel)

    def duels(self, tournament: TournamentId, round_number: int) -> Sequence[Duel]:
        self._steps.take("duels")
        return super().duels(tournament, round_number)

    def group(self, code: GroupCode) -> Group | None:
        self._steps.take("group")
        return super().group(code)

    def overdue(self, before: datetime) -> Sequence[TournamentId]:
        self._steps.take("overdue")
        return super().overdue(before)

    def results(
        self, player: PlayerId, *, before: TournamentId | None, limit: int
    ) -> Sequence[Result]:
        self._steps.take("results")
        return super().results(player, before=before, limit=limit)

    def commit(self, *changes: Change) -> None:
        self._steps.take("commit")
        super().commit(*changes)

    def play(self, before: Duel, after: Duel) -> Duel:
        self._steps.take("play")
        return super().play(before, after)

    def show(self, duel: DuelId, viewer: PlayerId, connection: ConnectionId | None) -> None:
        self._steps.take("show")
        super().show(duel, viewer, connection)


class SteppedPush(MemoryPush):
    """A push whose every request is a step, and which shows all frames to `witness`."""

    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self._steps = steps
        self.sent: list[Mapping[ConnectionId, Sequence[Frame]]] = []
        self.witness: Callable[[Mapping[ConnectionId, Sequence[Frame]]], None] | None = None

    def send(self, frames: Mapping[ConnectionId, Sequence[Frame]]) -> frozenset[ConnectionId]:
        self._steps.take("send")
        self.sent.append(frames)
        if self.witness is not None:
            self.witness(frames)
        return super().send(frames)

    def reaches(self, connection: ConnectionId) -> bool:
        """Whether what is sent on a connection arrives, and at once."""
        return connection not in self._gone | self._deaf | self._held.keys()

    def close(self, connection: ConnectionId) -> None:
        self._steps.take("close")
        super().close(connection)


class SteppedTimers(MemoryTimers):
    """Timers each start of which is a step."""

    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self._steps = steps

    def start_round_clock(
        self, tournament: TournamentId, round_number: int, wake_at: datetime
    ) -> None:
        self._steps.take("start_round_clock")
        super().start_round_clock(tournament, round_number, wake_at)

    def start_grace(self, player: PlayerId, loss: int, back_by: datetime) -> None:
        self._steps.take("start_grace")
        super().start_grace(player, loss, back_by)
