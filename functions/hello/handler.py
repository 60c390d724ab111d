"""The action `hello`: take the connection and be shown everything."""

from wordle_tournament.entry.routes import route
from wordle_tournament.usecases.greeting import greet
from wordle_tournament.wire.incoming import Hello

handler = route(
    Hello,
    lambda game, sender, message, arrival: greet(
        game, sender, protocol=message.protocol, token_issued_at=arrival.token_issued_at
    ),
)
