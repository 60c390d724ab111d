"""Who sees which duel: its two players, and those of the tournament who are watching (R4.6)."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.ids import ConnectionId, PlayerId
from wordle_tournament.rules.pairing import Pairing
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.tournament import Tournament


def with_viewers(
    duel: Duel,
    players: Mapping[PlayerId, Player],
    watchers: Mapping[PlayerId, ConnectionId] | None = None,
) -> Duel:
    """Let a new duel be seen by its players, where they hear events, and by `watchers`."""
    ears = {player: players[player].ear for player in duel.players if player in players}
    viewers = {player: ear for player, ear in ears.items() if ear is not None}
    return replace(duel, viewers={**(watchers or {}), **viewers})


def still_watching(
    watchers: Mapping[PlayerId, ConnectionId],
    players: Mapping[PlayerId, Player],
    following: Pairing,
) -> dict[PlayerId, ConnectionId]:
    """Keep those who watch on over the following round.

    Watching ends with the connection it was asked for on, with leaving, and with the beginning
    of one's own next duel.
    """
    playing = {player for duel in following.duels for player in duel}
    return {
        watcher: connection
        for watcher, connection in watchers.items()
        if watcher not in playing and watcher in players and players[watcher].ear == connection
    }


def without_watchers(tournament: Tournament, watchers: Collection[PlayerId]) -> Tournament:
    """Take watchers off a tournament."""
    remaining = {one: at for one, at in tournament.watchers.items() if one not in watchers}
    return replace(tournament, watchers=remaining)
