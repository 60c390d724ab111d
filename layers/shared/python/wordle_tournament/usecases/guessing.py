"""A guess: one read of the duel, one conditional write, one push per viewer (R3)."""

from datetime import datetime

from wordle_tournament.rules import duel as duels
from wordle_tournament.rules.duel import Duel, Guess, Row
from wordle_tournament.rules.ids import DuelId
from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.usecases.announcing import (
    announce_duel,
    announce_ending,
    announce_guess,
)
from wordle_tournament.usecases.delivery import (
    answering,
    deliver,
    deliver_duel,
    letters_to_viewers,
)
from wordle_tournament.usecases.game import Game, Sender, insist
from wordle_tournament.usecases.rounds import tick_if_free


def guess_word(
    game: Game, sender: Sender, *, duel_id: DuelId, turn: int, word: str, received_at: datetime
) -> None:
    """Play a turn with `word` as typed; `received_at` is the gateway's time of receipt (R3.8).

    Raises Refusal. A repeat of an accepted guess gets its answer again (R3.9).
    """
    guess = Guess(sender.player, turn, word, received_at)
    insist(game, lambda: _play(game, sender, duel_id, guess))


def _play(game: Game, sender: Sender, duel_id: DuelId, guess: Guess) -> None:
    duel = _find_duel(game, sender, duel_id)
    repeated = duels.find_repeat(duel, guess)
    if repeated is not None:
        _answer_again(game, sender, duel, guess.turn, repeated)
        return
    events = duels.decide_guess(
        duel,
        guess,
        game.clock.now(),
        turn_time=game.pace.turn,
        allows=lambda word: game.lexicon.allows(duel.language, len(duel.word), word),
    )
    stored = game.store.play(duel, duels.apply_all(duel, events))
    deliver_duel(game, stored, letters_to_viewers(stored, announce_duel(duel, events), sender))
    if stored.over:
        tick_if_free(game, stored.tournament)


def _answer_again(game: Game, sender: Sender, duel: Duel, turn: int, row: Row) -> None:
    """Answer like the first time, and go on to what the first time may have left undone."""
    told = [announce_guess(duel, turn, row)]
    if duel.ending is not None and turn == len(duel.rows):
        told.append(announce_ending(duel, duel.ending))
    deliver(game, [answering(sender, told)])
    if duel.over:
        tick_if_free(game, duel.tournament)


def _find_duel(game: Game, sender: Sender, duel_id: DuelId) -> Duel:
    duel = game.store.duel(duel_id)
    if duel is None:
        raise Refusal(Code.NO_SUCH_DUEL, "There is no such duel.")
    game.about.update(tournament=duel.tournament, duel=duel.id)
    if sender.player not in duel.players:
        raise Refusal(Code.NOT_YOUR_DUEL, "You do not play this duel.")
    return duel
