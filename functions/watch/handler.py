"""The action `watch`: see all running duels of one's tournament."""

from wordle_tournament.entry.routes import route
from wordle_tournament.usecases.watching import watch
from wordle_tournament.wire.incoming import Watch

handler = route(
    Watch,
    lambda game, sender, _message, _arrival: watch(game, sender),
)
