"""The action `join`: ask for a game."""

from wordle_tournament.entry.routes import route
from wordle_tournament.usecases.lobbies import join_lobby
from wordle_tournament.wire.incoming import Join

handler = route(
    Join,
    lambda game, sender, message, _arrival: join_lobby(game, sender, language=message.language),
)
