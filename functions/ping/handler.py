"""The action `ping`: ask for the time, and keep the connection open."""

from wordle_tournament.entry.routes import route
from wordle_tournament.usecases.profiles import ping
from wordle_tournament.wire.incoming import Ping

handler = route(
    Ping,
    lambda game, sender, _message, _arrival: ping(game, sender),
    notices_losses=False,
)
