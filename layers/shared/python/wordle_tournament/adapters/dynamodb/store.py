"""The store on DynamoDB."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count, islice
from typing import Any

import botocore.session
from pynamodb.expressions.operand import Path

from wordle_tournament.adapters.dynamodb.connection import (
    CONDITION_FAILED,
    DynamoConnection,
    LostWrite,
    Write,
)
from wordle_tournament.adapters.dynamodb.duels import DUELS, round_prefix, to_key
from wordle_tournament.adapters.dynamodb.groups import GROUPS
from wordle_tournament.adapters.dynamodb.players import (
    BOARD_INDEX,
    BOARD_SHARDS,
    PLAYERS,
    read_leader,
)
from wordle_tournament.adapters.dynamodb.results import RESULTS
from wordle_tournament.adapters.dynamodb.rooms import ROOMS
from wordle_tournament.adapters.dynamodb.tables import Table
from wordle_tournament.adapters.dynamodb.tournaments import TOURNAMENTS, WAKE_INDEX, WAKE_SHARDS
from wordle_tournament.ports.outside import Clock
from wordle_tournament.ports.store import Aggregate, Change, Delete
from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.group import Group
from wordle_tournament.rules.ids import ConnectionId, DuelId, GroupCode, PlayerId, TournamentId
from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.leaderboard import Leader
from wordle_tournament.rules.lobby import Room
from wordle_tournament.rules.moments import to_ms
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.result import Result
from wordle_tournament.rules.tournament import Tournament

_SHOW_RETRIES = 10
"""How often a viewer is written again when a transaction holds the duel: for milliseconds."""


@immutable
class Tables:
    """The names of the tables."""

    players: str
    rooms: str
    tournaments: str
    duels: str
    groups: str
    results: str


class DynamoStore:
    """Keeps each aggregate as one item.

    Every item carries a revision, and a write demands the one that was read; where the SDK has
    repeated a write, one that failed only against itself is told from one that lost.
    """

    def __init__(
        self, tables: Tables, clock: Clock, session: botocore.session.Session | None = None
    ) -> None:
        """Make a client, in a `session` shared with clients of other services if there are any.

        What a session loads is most of the time that it takes to make a client.
        """
        self._clock = clock
        self._connection = DynamoConnection(session or botocore.session.get_session())
        now = clock.now
        self._players = Table(self._connection, tables.players, PLAYERS, now)
        self._rooms = Table(self._connection, tables.rooms, ROOMS, now)
        self._tournaments = Table(self._connection, tables.tournaments, TOURNAMENTS, now)
        self._duels = Table(self._connection, tables.duels, DUELS, now)
        self._groups = Table(self._connection, tables.groups, GROUPS, now)
        self._results = Table(self._connection, tables.results, RESULTS, now)

    def player(self, player: PlayerId) -> Player | None:
        """Load a player."""
        return self._players.get(player)

    def players(self, players: Iterable[PlayerId]) -> Mapping[PlayerId, Player]:
        """Load those of several players who exist."""
        found = self._players.get_many(players, self._clock.pause)
        return {player.id: player for player in found}

    def room(self, language: str) -> Room:
        """Load the waiting room of a language; one never used is empty, at revision 0."""
        return self._rooms.get(language) or Room(language)

    def tournament(self, tournament: TournamentId) -> Tournament | None:
        """Load a tournament."""
        return self._tournaments.get(tournament)

    def duel(self, duel: DuelId) -> Duel | None:
        """Load a duel; an id of any other form is of no duel."""
        key = to_key(duel)
        return None if key is None else self._duels.get(*key)

    def duels(self, tournament: TournamentId, round_number: int) -> Sequence[Duel]:
        """Load all duels of a round, in the order of its pairing."""
        of_round = Path("number").startswith(round_prefix(round_number))
        found = self._duels.query(tournament, of_round)
        return list(filter(None, map(self._duels.alive, found)))

    def played(self, tournament: TournamentId, player: PlayerId) -> Sequence[Duel]:
        """Load the duels of a player in a tournament, as far as they still exist, in order."""
        found = filter(None, map(self._duels.alive, self._duels.query(tournament, None)))
        return [duel for duel in found if player in duel.players]

    def group(self, code: GroupCode) -> Group | None:
        """Load a group."""
        return self._groups.get(code)

    def overdue(self, before: datetime) -> Sequence[TournamentId]:
        """Find tournaments that should have been ticked before a time, the latest last."""
        due = Path("wake_at") < {"N": str(to_ms(before))}
        found = [
            (int(item["wake_at"]["N"]), TournamentId(item["id"]["S"]))
            for shard in WAKE_SHARDS
            for item in self._tournaments.query(shard, due, index=WAKE_INDEX)
        ]
        return [tournament for _, tournament in sorted(found)]

    def commit(self, *changes: Change) -> None:
        """Make all changes or none; raises Conflict unless everything stands as it was loaded.

        One change is a plain write, several are a transaction, which takes at most 100.
        """
        writes = list(map(self._describe, changes))
        if len(writes) > 1:
            self._connection.write_all(writes)
        elif writes:
            try:
                self._connection.write(writes[0])
            except LostWrite as lost:
                if not (lost.repeated and self._is_made(changes[0])):
                    raise

    def play(self, before: Duel, after: Duel) -> Duel:
        """Move one duel on, as `commit` does, and tell it as it now stands, viewers included."""
        after = replace(after, revision=before.revision + 1)
        try:
            answer = self._connection.write(
                self._duels.update(before, after), ReturnValues="ALL_NEW"
            )
        except LostWrite as lost:
            stored = self.duel(after.id) if lost.repeated else None
            if stored is None or replace(stored, viewers=after.viewers) != after:
                raise
            return stored
        return self._duels.read(answer["Attributes"])

    def show(self, duel: DuelId, viewer: PlayerId, connection: ConnectionId | None) -> None:
        """Let a viewer see a duel on a connection, or no longer (None)."""
        key = to_key(duel)
        if key is None:
            return
        view = Path(["viewers", viewer])
        action = view.remove() if connection is None else view.set({"S": connection})
        write = self._duels.edit(*key, action)
        for attempt in count():
            try:
                self._connection.write(write)
            except LostWrite as lost:
                if lost.code == CONDITION_FAILED:
                    return
                if attempt == _SHOW_RETRIES:
                    raise
                self._clock.pause(attempt)
            else:
                return

    def results(
        self, player: PlayerId, *, before: TournamentId | None, limit: int
    ) -> Sequence[Result]:
        """List a player's journal, newest first, of tournaments older than `before`."""
        older = None if before is None else Path("tournament") < {"S": before}
        found = self._results.query(player, older, descending=True, page=limit)
        return list(islice(filter(None, map(self._results.alive, found)), limit))

    def leaders(self, limit: int) -> Sequence[Leader]:
        """List the best rated players with a rated game, best first (not consistent)."""
        found = [
            read_leader(item)
            for shard in BOARD_SHARDS
            for item in islice(
                self._players.query(shard, None, index=BOARD_INDEX, descending=True, page=limit),
                limit,
            )
        ]
        return sorted(found, key=lambda leader: leader.rating, reverse=True)[:limit]

    def count_better(self, rating: int) -> int:
        """Count the players with a rated game who are rated higher (not consistent)."""
        better = Path("rating") > {"N": str(rating)}
        return sum(self._players.count(shard, better, index=BOARD_INDEX) for shard in BOARD_SHARDS)

    def _describe(self, change: Change) -> Write:
        if isinstance(change, Delete):
            return self._table(change.before).delete(change.before)
        table = self._table(change.after)
        if change.before is None:
            return table.create(change.after)
        return table.update(change.before, change.after)

    def _is_made(self, change: Change) -> bool:
        """Tell whether a change stands as if it had just been made."""
        if isinstance(change, Delete):
            return self._table(change.before).again(change.before) is None
        after = change.after
        stored = self._table(after).again(after)
        if isinstance(stored, Duel) and isinstance(after, Duel):
            stored = replace(stored, viewers=after.viewers)
        return bool(stored == after)

    def _table(self, aggregate: Aggregate) -> Table[Any, Any]:
        match aggregate:
            case Player():
                return self._players
            case Room():
                return self._rooms
            case Tournament():
                return self._tournaments
            case Duel():
                return self._duels
            case Group():
                return self._groups
            case Result():
                return self._results
