"""The action `leaderboard`: the best rated players, and one's own rank."""

from wordle_tournament.entry.routes import route
from wordle_tournament.usecases.ranking import show_leaderboard
from wordle_tournament.wire.incoming import Leaderboard

handler = route(
    Leaderboard,
    lambda game, sender, message, _arrival: show_leaderboard(
        game, sender, limit=message.limit or 100
    ),
    notices_losses=False,
)
