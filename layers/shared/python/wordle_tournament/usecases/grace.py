"""The end of the grace period after a lost connection (R7.2, R8.5)."""

from datetime import datetime

from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.usecases.game import Game, insist
from wordle_tournament.usecases.grouping import drop_member
from wordle_tournament.usecases.presence import back_by
from wordle_tournament.usecases.rounds import tick


def expire_grace(game: Game, player_id: PlayerId, loss: int) -> datetime | None:
    """Let a player go who has not come back since their `loss`-th loss (R7.2, R8.5).

    Tells when to ask again if it is too early; None when there is nothing more to wait for.
    """
    player = game.store.player(player_id)
    if player is None or player.losses != loss or player.connection is not None:
        return None
    due = back_by(game, player)
    if game.clock.now() < due:
        return due
    if player.tournament is not None:
        tick(game, player.tournament.id)
    if player.group is not None:
        insist(game, lambda: drop_member(game, player_id, loss))
    return None
