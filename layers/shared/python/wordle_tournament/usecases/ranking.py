"""The leaderboard, and where the sender stands on it."""

from wordle_tournament.ports import messages
from wordle_tournament.rules import views
from wordle_tournament.rules.leaderboard import Leader
from wordle_tournament.usecases.delivery import reply
from wordle_tournament.usecases.game import Game, Sender


def show_leaderboard(game: Game, sender: Sender, *, limit: int) -> None:
    """Answer with the `limit` best rated players, and the sender's rank.

    Only players with a rated game have a rank.
    """
    leaders = game.store.leaders(limit)
    ranked = views.view_leaders(leaders)
    reply(game, sender, messages.Leaderboard(ranked, _own_rank(game, sender, ranked)))


def _own_rank(
    game: Game, sender: Sender, ranked: tuple[views.RankView, ...]
) -> views.RankView | None:
    """Find the sender among those shown, so that both agree; count who is better otherwise."""
    shown = next((one for one in ranked if one.player_id == sender.player), None)
    if shown is not None:
        return shown
    player = game.store.player(sender.player)
    if player is None or not player.games:
        return None
    own = Leader(player.id, player.nickname, player.rating, player.games)
    return views.view_rank(own, 1 + game.store.count_better(player.rating))
