"""Events as messages: each carries the version at which its thing then stands."""

from collections.abc import Iterable

from wordle_tournament.ports import messages
from wordle_tournament.ports.messages import Message
from wordle_tournament.rules import duel as duels
from wordle_tournament.rules import tournament as tournaments
from wordle_tournament.rules import views
from wordle_tournament.rules.duel import Duel, DuelEvent, Ending, Row
from wordle_tournament.rules.tournament import Tournament, TournamentEvent
from wordle_tournament.rules.words import score_guess


def announce_duel(before: Duel, events: Iterable[DuelEvent]) -> list[Message]:
    """Tell what happened in a duel since `before`."""
    told = []
    duel = before
    for event in events:
        duel = duels.apply(duel, event)
        told.append(_duel_message(duel, event))
    return told


def announce_guess(duel: Duel, turn: int, row: Row) -> Message:
    """Tell of the guess that used up `turn`, as it was told first (R3.9)."""
    is_last = turn == len(duel.rows)
    return messages.GuessMade(
        duel_id=duel.id,
        version=duels.version_of_row(turn),
        turn=turn,
        player_id=duel.player_of(turn),
        word=views.view_word(duel, row.guess),
        letters=views.view_letters(duel, row.guess),
        marks=score_guess(duel.word, row.guess),
        received_at=row.received_at,
        next=views.view_turn(duel, turn + 1, duel.deadline) if is_last else None,
    )


def announce_ending(duel: Duel, ending: Ending) -> Message:
    """Tell how a duel ended, and its word (R3.10)."""
    shown = views.view_ending(duel, ending)
    return messages.DuelEnded(
        duel_id=duel.id,
        version=duel.version,
        outcome=shown.outcome,
        winner=shown.winner,
        word=shown.word,
        letters=shown.letters,
    )


def announce_tournament(before: Tournament, events: Iterable[TournamentEvent]) -> list[Message]:
    """Tell what happened in a tournament since `before`."""
    told = []
    tournament = before
    for event in events:
        tournament = tournaments.apply(tournament, event)
        told.append(_tournament_message(tournament, event))
    return told


def _duel_message(duel: Duel, event: DuelEvent) -> Message:
    match event:
        case duels.DuelStarted():
            return messages.DuelStarted(views.view_duel(duel))
        case duels.GuessScored(turn=turn, row=row):
            return announce_guess(duel, turn, row)
        case duels.TurnSkipped(turn=turn, player=player, deadline=deadline):
            following = views.view_turn(duel, turn + 1, deadline)
            return messages.TurnSkipped(duel.id, duel.version, turn, player, following)
        case duels.DuelEnded(ending):
            return announce_ending(duel, ending)


def _tournament_message(tournament: Tournament, event: TournamentEvent) -> Message:
    of, version = tournament.id, tournament.version
    match event:
        case tournaments.TournamentStarted():
            return messages.TournamentStarted(views.view_tournament(tournament))
        case tournaments.RoundIntroduced(round=number, pairing=pairing, ends_at=ends_at):
            pairings = views.view_pairings(of, number, pairing)
            return messages.RoundIntro(of, version, number, pairings, pairing.bye, ends_at)
        case tournaments.PlayerDisconnected(player=player, back_by=back_by):
            return messages.PlayerDisconnected(of, version, player, back_by)
        case tournaments.PlayerReconnected(player=player):
            return messages.PlayerReconnected(of, version, player)
        case tournaments.PlayerLeft(player=player):
            return messages.PlayerLeft(of, version, player)
        case tournaments.RoundEnded(round=number, entrants=entrants):
            standings = tuple(map(views.view_standing, entrants))
            return messages.RoundEnded(of, version, number, standings)
        case tournaments.TournamentEnded():
            standings = tuple(map(views.view_standing, tournament.entrants))
            return messages.TournamentEnded(of, version, standings)
