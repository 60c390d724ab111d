"""The action `setGroupLanguage`: choose the language of the group's games."""

from wordle_tournament.entry.routes import route
from wordle_tournament.usecases.grouping import set_group_language
from wordle_tournament.wire.incoming import SetGroupLanguage

handler = route(
    SetGroupLanguage,
    lambda game, sender, message, _arrival: set_group_language(
        game, sender, language=message.language
    ),
)
