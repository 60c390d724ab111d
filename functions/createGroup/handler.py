"""The action `createGroup`: form a group of friends."""

from wordle_tournament.entry.routes import route
from wordle_tournament.usecases.grouping import create_group
from wordle_tournament.wire.incoming import CreateGroup

handler = route(
    CreateGroup,
    lambda game, sender, message, _arrival: create_group(game, sender, language=message.language),
)
