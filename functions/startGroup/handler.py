"""The action `startGroup`: seat the whole group in one lobby."""

from wordle_tournament.entry.routes import route
from wordle_tournament.usecases.grouping import start_group
from wordle_tournament.wire.incoming import StartGroup

handler = route(
    StartGroup,
    lambda game, sender, _message, _arrival: start_group(game, sender),
)
