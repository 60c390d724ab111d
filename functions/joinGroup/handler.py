"""The action `joinGroup`: come into a group by its code."""

from wordle_tournament.entry.routes import route
from wordle_tournament.usecases.grouping import join_group
from wordle_tournament.wire.incoming import JoinGroup

handler = route(
    JoinGroup,
    lambda game, sender, message, _arrival: join_group(game, sender, typed=message.code),
)
