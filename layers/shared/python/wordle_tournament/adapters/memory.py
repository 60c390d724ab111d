"""The store in memory: it promises what DynamoDB's does, to tests and simulations."""

import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from wordle_tournament.ports.store import Aggregate, Change, Conflict, Save, T
from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.group import Group
from wordle_tournament.rules.ids import ConnectionId, DuelId, GroupCode, PlayerId, TournamentId
from wordle_tournament.rules.leaderboard import Leader
from wordle_tournament.rules.lobby import SEATS, Room
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.result import Result
from wordle_tournament.rules.tournament import Tournament, duel_id

Hook = Callable[[tuple[Change, ...]], None]


class MemoryStore:
    """Keeps aggregates in a dictionary under one lock; nothing in it ever expires.

    Two hooks let a test step between a decision and its write: `before_commit` and
    `after_commit` are called with the changes of each `commit` and `play`, without the lock.
    A hook that raises is a crash before, or just after, the write; one that writes is a rival.
    What a hook itself writes calls no hook.
    """

    def __init__(self) -> None:
        self.before_commit: Hook | None = None
        self.after_commit: Hook | None = None
        self._kept: dict[tuple[type[Aggregate], Hashable], Aggregate] = {}
        self._lock = threading.Lock()
        self._this_thread = threading.local()

    def player(self, player: PlayerId) -> Player | None:
        """Load a player."""
        return self._find(Player, player)

    def players(self, players: Iterable[PlayerId]) -> Mapping[PlayerId, Player]:
        """Load those of several players who exist."""
        return {one: found for one in players if (found := self._find(Player, one))}

    def room(self, language: str) -> Room:
        """Load the waiting room of a language; one never used is empty, at revision 0."""
        return self._find(Room, language) or Room(language)

    def tournament(self, tournament: TournamentId) -> Tournament | None:
        """Load a tournament."""
        return self._find(Tournament, tournament)

    def duel(self, duel: DuelId) -> Duel | None:
        """Load a duel; an id of any other form is of no duel."""
        return self._find(Duel, duel)

    def duels(self, tournament: TournamentId, round_number: int) -> Sequence[Duel]:
        """Load all duels of a round, in the order of its pairing."""
        with self._lock:
            kept = [
                self._kept.get((Duel, duel_id(tournament, round_number, number)))
                for number in range(SEATS // 2)
            ]
        return [duel for duel in kept if isinstance(duel, Duel)]

    def played(self, tournament: TournamentId, player: PlayerId) -> Sequence[Duel]:
        """Load the duels of a player in a tournament, in order."""
        found = [
            duel
            for duel in self._all(Duel)
            if duel.tournament == tournament and player in duel.players
        ]
        return sorted(found, key=lambda duel: duel.round)

    def group(self, code: GroupCode) -> Group | None:
        """Load a group."""
        return self._find(Group, code)

    def overdue(self, before: datetime) -> Sequence[TournamentId]:
        """Find tournaments that should have been ticked before a time, the latest last."""
        found = [
            (tournament.wake_at, tournament.id)
            for tournament in self._all(Tournament)
            if tournament.wake_at is not None and tournament.wake_at < before
        ]
        return [tournament for _, tournament in sorted(found)]

    def commit(self, *changes: Change) -> None:
        """Make all changes or none; raises Conflict unless everything stands as it was loaded.

        Raises ValueError for two changes of one thing.
        """
        with self._hooked(changes), self._lock:
            self._write(changes)

    def play(self, before: Duel, after: Duel) -> Duel:
        """Move one duel on, as `commit` does, and tell it as it now stands, viewers included."""
        change = Save(replace(after, revision=before.revision + 1), before)
        with self._hooked((change,)), self._lock:
            (stored,) = self._write((change,))
        assert isinstance(stored, Duel)
        return stored

    def show(self, duel: DuelId, viewer: PlayerId, connection: ConnectionId | None) -> None:
        """Let a viewer see a duel on a connection, or no longer (None)."""
        with self._lock:
            stored = self._kept.get((Duel, duel))
            if not isinstance(stored, Duel):
                return
            viewers = {one: where for one, where in stored.viewers.items() if one != viewer}
            if connection is not None:
                viewers[viewer] = connection
            self._kept[Duel, duel] = replace(stored, viewers=viewers)

    def results(
        self, player: PlayerId, *, before: TournamentId | None, limit: int
    ) -> Sequence[Result]:
        """List a player's journal, newest first, of tournaments older than `before`."""
        found = [
            result
            for result in self._all(Result)
            if result.player == player and (before is None or result.tournament < before)
        ]
        return sorted(found, key=lambda result: result.tournament, reverse=True)[:limit]

    def leaders(self, limit: int) -> Sequence[Leader]:
        """List the best rated players with a rated game, best first."""
        rated = [
            Leader(player.id, player.nickname, player.rating, player.games)
            for player in self._all(Player)
            if player.games
        ]
        return sorted(rated, key=lambda leader: leader.rating, reverse=True)[:limit]

    def count_better(self, rating: int) -> int:
        """Count the players with a rated game who are rated higher."""
        return sum(player.rating > rating for player in self._all(Player) if player.games)

    def _find(self, kind: type[T], key: Hashable) -> T | None:
        with self._lock:
            found = self._kept.get((kind, key))
        return found if isinstance(found, kind) else None

    def _all(self, kind: type[T]) -> list[T]:
        with self._lock:
            return [one for one in self._kept.values() if isinstance(one, kind)]

    def _write(self, changes: tuple[Change, ...]) -> list[Aggregate]:
        """Make all changes or none, with the lock held; tells what stands after each save."""
        keys = [_key(_subject(change)) for change in changes]
        if len(set(keys)) < len(keys):
            raise ValueError("Two changes of one thing cannot be made at once.")
        for key, change in zip(keys, changes, strict=True):
            stored = self._kept.get(key)
            if (stored and stored.revision) != (change.before and change.before.revision):
                raise Conflict
        saved: list[Aggregate] = []
        for key, change in zip(keys, changes, strict=True):
            stored = self._kept.pop(key, None)
            if isinstance(change, Save):
                after = change.after
                if isinstance(after, Duel) and isinstance(stored, Duel):
                    after = replace(after, viewers=stored.viewers)
                self._kept[key] = after
                saved.append(after)
        return saved

    @contextmanager
    def _hooked(self, changes: tuple[Change, ...]) -> Iterator[None]:
        self._call(self.before_commit, changes)
        yield
        self._call(self.after_commit, changes)

    def _call(self, hook: Hook | None, changes: tuple[Change, ...]) -> None:
        if hook is None or getattr(self._this_thread, "in_hook", False):
            return
        self._this_thread.in_hook = True
        try:
            hook(changes)
        finally:
            self._this_thread.in_hook = False


def _subject(change: Change) -> Aggregate:
    return change.after if isinstance(change, Save) else change.before


def _key(aggregate: Aggregate) -> tuple[type[Aggregate], Hashable]:
    match aggregate:
        case Player() | Tournament() | Duel():
            return type(aggregate), aggregate.id
        case Room():
            return Room, aggregate.language
        case Group():
            return Group, aggregate.code
        case Result():
            return Result, (aggregate.player, aggregate.tournament)
