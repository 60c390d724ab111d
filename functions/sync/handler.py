"""The action `sync`: be shown everything as it is."""

from wordle_tournament.entry.routes import route
from wordle_tournament.usecases.snapshots import sync
from wordle_tournament.wire.incoming import Sync

handler = route(
    Sync,
    lambda game, sender, _message, _arrival: sync(game, sender),
)
