"""The action `rename`: take another nickname."""

from wordle_tournament.entry.routes import route
from wordle_tournament.usecases.profiles import rename
from wordle_tournament.wire.incoming import Rename

handler = route(
    Rename,
    lambda game, sender, message, _arrival: rename(game, sender, nickname=message.nickname),
)
