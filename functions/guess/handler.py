"""The action `guess`: play a turn."""

from wordle_tournament.entry.routes import route
from wordle_tournament.rules.ids import DuelId
from wordle_tournament.usecases.guessing import guess_word
from wordle_tournament.wire.incoming import Guess

handler = route(
    Guess,
    lambda game, sender, message, arrival: guess_word(
        game,
        sender,
        duel_id=DuelId(message.duel_id),
        turn=message.turn,
        word=message.word,
        received_at=arrival.received_at,
    ),
)
