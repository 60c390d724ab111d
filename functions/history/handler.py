"""The action `history`: one's finished tournaments."""

from wordle_tournament.entry.routes import route
from wordle_tournament.rules.ids import TournamentId
from wordle_tournament.usecases.profiles import show_history
from wordle_tournament.wire.incoming import History

handler = route(
    History,
    lambda game, sender, message, _arrival: show_history(
        game,
        sender,
        before=None if message.before is None else TournamentId(message.before),
        limit=message.limit or 20,
    ),
    notices_losses=False,
)
