"""Everything as it is for one player (R7.4)."""

from collections.abc import Sequence

from wordle_tournament.ports.messages import Snapshot
from wordle_tournament.rules import views
from wordle_tournament.rules.duel import Duel, DuelPhase
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.tournament import Tournament
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

    Duels are one's own running one, or all running ones when watching.
    """
    tournament = load_tournament(game, player)
    duels = game.store.duels(tournament.id, tournament.round) if tournament else ()
    seen = _seen(tournament, duels, player) if tournament else []
    return Snapshot(
        server_time=game.clock.now(),
        profile=views.view_profile(player),
        lobby=show_lobby(game, player.lobby) if player.lobby else None,
        group=show_group(game, player.group) if player.group else None,
        tournament=views.view_tournament(tournament, player.id) if tournament else None,
        duels=tuple(map(views.view_duel, seen)),
    )


def _seen(tournament: Tournament, duels: Sequence[Duel], player: Player) -> list[Duel]:
    watching = player.id in tournament.watchers
    return [
        duel
        for duel in duels
        if duel.phase is DuelPhase.RUNNING and (watching or player.id in duel.players)
    ]
