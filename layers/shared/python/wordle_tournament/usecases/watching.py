"""Watching the duels of one's own tournament (R4.6)."""

from dataclasses import replace

from wordle_tournament.ports.store import save
from wordle_tournament.rules.ids import ConnectionId, PlayerId, TournamentId
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.rules.tournament import Tournament
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
    player = attend(game, sender)
    _tournament_of(game, player)
    stop_watching(game, player)
    answer(game, sender, take_snapshot(game, player))


def stop_watching(game: Game, player: Player) -> None:
    """Stop showing a player the duels of the tournament they had their seat in."""
    if player.tournament is None:
        return
    tournament_id = player.tournament.id

    def attempt() -> Tournament | None:
        return _without_watcher(game, tournament_id, player.id)

    tournament = insist(game, attempt)
    if tournament is not None:
        _show_duels(game, tournament, player.id, None)


def _without_watcher(
    game: Game, tournament_id: TournamentId, player: PlayerId
) -> Tournament | None:
    """Take a watcher off; None when the player was not watching."""
    tournament = game.store.tournament(tournament_id)
    if tournament is None or player not in tournament.watchers:
        return None
    watchers = {one: at for one, at in tournament.watchers.items() if one != player}
    game.store.commit(save(replace(tournament, watchers=watchers), tournament))
    return tournament


def _show_duels(
    game: Game, tournament: Tournament, player: PlayerId, connection: ConnectionId | None
) -> None:
    for duel in game.store.duels(tournament.id, tournament.round):
        if not duel.over and player not in duel.players:
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
