"""The action `unwatch`: see no others' duels any more."""

from wordle_tournament.entry.routes import route
from wordle_tournament.usecases.watching import unwatch
from wordle_tournament.wire.incoming import Unwatch

handler = route(
    Unwatch,
    lambda game, sender, _message, _arrival: unwatch(game, sender),
)
