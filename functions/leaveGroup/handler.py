"""The action `leaveGroup`: go out of the group."""

from wordle_tournament.entry.routes import route
from wordle_tournament.usecases.grouping import leave_group
from wordle_tournament.wire.incoming import LeaveGroup

handler = route(
    LeaveGroup,
    lambda game, sender, _message, _arrival: leave_group(game, sender),
)
