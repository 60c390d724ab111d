"""Everything as it is for one player (R7.4)."""

from collections.abc import Sequence

from wordle_tournament.ports.messages import Snapshot
from wordle_tournament.rules import views
from wordle_tournament.rules.duel import Duel, DuelPhase
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.tournament import Tournament
from wordle_tournament.rules.watching import without_watchers
from wordle_tournament.usecases.delivery import answer
from wordle_tournament.usecases.game import Game, Sender
from wordle_tournament.usecases.group_news import show_group
from wordle_tournament.usecases.presence import attend
from wordle_tournament.usecases.rounds import load_tournament
from wordle_tournament.usecases.seating import show_lobby


def sync(game: Game, sender: Sender) -> None:
    """Answer with everything as it is."""
    answer(game, sender, take_snapshot(game, attend(game, sender)))


def take_snapshot(game: Game, player: Player) -> Snapshot:
    """Read everything that concerns a player; a tournament is shown until they leave it.

    Duels are one's own running one, or all running ones when watching. Where the player's seat,
    group or connection changed between two of the reads, all are made again: a seat that the
    snapshot does not know of would be lost on a client that heard of it just before.
    """
    while True:
        snapshot = _read(game, player)
        latest = game.store.player(player.id)
        if latest is None or latest == player:
            return snapshot
        player = latest


def _read(game: Game, player: Player) -> Snapshot:
    tournament = load_tournament(game, player)
    duels = game.store.duels(tournament.id, tournament.round) if tournament else ()
    if tournament is not None and not _watches(tournament, player):
        tournament = without_watchers(tournament, {player.id})
    return Snapshot(
        server_time=game.clock.now(),
        profile=views.view_profile(player),
        lobby=show_lobby(game, player.lobby) if player.lobby else None,
        group=show_group(game, player.group) if player.group else None,
        tournament=views.view_tournament(tournament, player.id) if tournament else None,
        duels=tuple(map(views.view_duel, _seen(tournament, duels, player))),
    )


def _watches(tournament: Tournament, player: Player) -> bool:
    """Whether the player is watching on the connection of now; it ended with an older one."""
    current = player.connection and player.connection.id
    return current is not None and tournament.watchers.get(player.id) == current


def _seen(tournament: Tournament | None, duels: Sequence[Duel], player: Player) -> list[Duel]:
    watching = tournament is not None and player.id in tournament.watchers
    return [
        duel
        for duel in duels
        if duel.phase is DuelPhase.RUNNING and (watching or player.id in duel.players)
    ]
