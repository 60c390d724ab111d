"""The action `removeFromGroup`: take a member out, as the leader."""

from wordle_tournament.entry.routes import route
from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.usecases.grouping import remove_member
from wordle_tournament.wire.incoming import RemoveFromGroup

handler = route(
    RemoveFromGroup,
    lambda game, sender, message, _arrival: remove_member(
        game, sender, member=PlayerId(message.player_id)
    ),
)
