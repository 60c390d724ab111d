"""Where players, rooms, tournaments, duels, groups and results are kept."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol, TypeVar

from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.group import Group
from wordle_tournament.rules.ids import ConnectionId, DuelId, GroupCode, PlayerId, TournamentId
from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.leaderboard import Leader
from wordle_tournament.rules.lobby import Room
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.result import Result
from wordle_tournament.rules.tournament import Tournament


class Conflict(Exception):  # noqa: N818 - an answer of the store, met by trying again
    """A write lost against another one, and changed nothing."""


Aggregate = Player | Room | Tournament | Duel | Group | Result
"""What is written as a whole, under one condition."""


@immutable
class Save:
    """Write `after` where `before` still stands; without `before`, where nothing does."""

    after: Aggregate
    before: Aggregate | None = None


@immutable
class Delete:
    """Remove what still stands as `before`."""

    before: Group | Player | Result


Change = Save | Delete


T = TypeVar("T", Player, Room, Tournament, Duel, Group, Result)


def save(after: T, before: T | None = None) -> Save:
    """Describe a write; the revision of what is written is the next one."""
    revision = 0 if before is None else before.revision
    return Save(replace(after, revision=revision + 1), before if revision else None)


class Store(Protocol):
    """The only owner of state. Every read is consistent, every write conditional."""

    def player(self, player: PlayerId) -> Player | None:
        """Load a player."""

    def players(self, players: Iterable[PlayerId]) -> Mapping[PlayerId, Player]:
        """Load those of several players who exist."""

    def room(self, language: str) -> Room:
        """Load the waiting room of a language; one never used is empty, at revision 0."""

    def tournament(self, tournament: TournamentId) -> Tournament | None:
        """Load a tournament."""

    def duel(self, duel: DuelId) -> Duel | None:
        """Load a duel; an id of any other form is of no duel."""

    def duels(self, tournament: TournamentId, round_number: int) -> Sequence[Duel]:
        """Load all duels of a round, in the order of its pairing."""

    def played(self, tournament: TournamentId, player: PlayerId) -> Sequence[Duel]:
        """Load the duels of a player in a tournament, as far as they still exist, in order."""

    def group(self, code: GroupCode) -> Group | None:
        """Load a group."""

    def overdue(self, before: datetime) -> Sequence[TournamentId]:
        """Find tournaments that should have been ticked before a time (not consistent)."""

    def commit(self, *changes: Change) -> None:
        """Make all changes or none; raises Conflict unless everything stands as it was loaded.

        A write that was already made by just this call, and repeated underneath, is a success.
        A duel's viewers are written only with a new duel: after that, by `show`.
        """

    def play(self, before: Duel, after: Duel) -> Duel:
        """Move one duel on, as `commit` does, and tell it as it now stands, viewers included."""

    def show(self, duel: DuelId, viewer: PlayerId, connection: ConnectionId | None) -> None:
        """Let a viewer see a duel on a connection, or no longer (None).

        Conflicts with nothing, and does nothing to a duel that does not exist.
        """

    def results(
        self, player: PlayerId, *, before: TournamentId | None, limit: int
    ) -> Sequence[Result]:
        """List a player's journal, newest first, of tournaments older than `before`."""

    def leaders(self, limit: int) -> Sequence[Leader]:
        """List the best rated players with a rated game, best first (not consistent).

        Those of equal rating come in any order.
        """

    def count_better(self, rating: int) -> int:
        """Count the players with a rated game who are rated higher (not consistent)."""
