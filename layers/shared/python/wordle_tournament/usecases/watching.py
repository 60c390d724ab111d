"""Watching the duels of one's own tournament (R4.6)."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from wordle_tournament.ports.store import Change, save
from wordle_tournament.rules.ids import ConnectionId, PlayerId, TournamentId
from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.rules.tournament import Tournament
from wordle_tournament.rules.watching import without_watchers
from wordle_tournament.usecases.delivery import answer
from wordle_tournament.usecases.game import Game, Sender, insist
from wordle_tournament.usecases.presence import attend
from wordle_tournament.usecases.rounds import load_tournament
from wordle_tournament.usecases.snapshots import take_snapshot


def watch(game: Game, sender: Sender) -> None:
    """Show the sender all running duels, then their events; raises Refusal.

    Players who are out, have a bye or have finished their duel may (R4.6).
    """

    def attempt() -> tuple[Player, Tournament]:
        player = attend(game, sender)
        tournament = _tournament_of(game, player)
        _check_free(game, tournament, player.id)
        if tournament.watchers.get(player.id) != sender.connection:
            watchers = {**tournament.watchers, player.id: sender.connection}
            game.store.commit(save(replace(tournament, watchers=watchers), tournament))
        return player, tournament

    player, tournament = insist(game, attempt)
    _show_duels(game, tournament, player.id, sender.connection)
    answer(game, sender, take_snapshot(game, player))


def unwatch(game: Game, sender: Sender) -> None:
    """Stop showing the sender other players' duels; raises Refusal when in no tournament."""

    def attempt() -> tuple[Player, Tournament]:
        player = attend(game, sender)
        tournament = _tournament_of(game, player)
        if player.id in tournament.watchers:
            game.store.commit(save(without_watchers(tournament, {player.id}), tournament))
        return player, tournament

    player, tournament = insist(game, attempt)
    _show_duels(game, tournament, player.id, None)
    answer(game, sender, take_snapshot(game, player))


@immutable
class Watched:
    """A tournament and those of some players who are watching it."""

    tournament: Tournament
    watchers: frozenset[PlayerId]


def find_watched(game: Game, players: Iterable[Player]) -> list[Watched]:
    """Find the tournaments that `players` have their seat in and are watching."""
    watchers: dict[TournamentId, set[PlayerId]] = {}
    for player in players:
        if player.tournament is not None:
            watchers.setdefault(player.tournament.id, set()).add(player.id)
    return [
        watched
        for tournament, who in watchers.items()
        for watched in watched_in(game.store.tournament(tournament), who)
    ]


def watched_in(tournament: Tournament | None, players: Collection[PlayerId]) -> list[Watched]:
    """Tell of a loaded tournament, as `find_watched` does, whether `players` are watching it."""
    if tournament is None or tournament.watchers.keys().isdisjoint(players):
        return []
    return [Watched(tournament, frozenset(tournament.watchers.keys() & players))]


def unwatching(watched: Watched) -> Change:
    """The change that takes the watchers off, for the same commit as what they do instead."""
    before = watched.tournament
    return save(without_watchers(before, watched.watchers), before)


def hide_duels(game: Game, watched: Iterable[Watched]) -> None:
    """Stop showing the duels that are running to those who no longer watch."""
    for one in watched:
        for watcher in one.watchers:
            _show_duels(game, one.tournament, watcher, None)


def _show_duels(
    game: Game, tournament: Tournament, player: PlayerId, connection: ConnectionId | None
) -> None:
    for duel in game.store.duels(tournament.id, tournament.round):
        shown_at = duel.viewers.get(player)
        if not duel.over and player not in duel.players and shown_at != connection:
            game.store.show(duel.id, player, connection)


def _tournament_of(game: Game, player: Player) -> Tournament:
    tournament = load_tournament(game, player)
    if tournament is None or tournament.over:
        raise Refusal(Code.NOT_PLAYING, "You are in no running tournament.")
    return tournament


def _check_free(game: Game, tournament: Tournament, player: PlayerId) -> None:
    own = tournament.duel_of(player) if tournament.entrant(player).active else None
    duel = own and game.store.duel(own)
    if duel and not duel.over:
        raise Refusal(Code.STILL_PLAYING, "Your own duel is not over.")
