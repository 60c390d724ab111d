"""The action `leave`: leave the lobby or the tournament."""

from wordle_tournament.entry.routes import route
from wordle_tournament.usecases.lobbies import leave
from wordle_tournament.wire.incoming import Leave

handler = route(
    Leave,
    lambda game, sender, _message, _arrival: leave(game, sender),
)
