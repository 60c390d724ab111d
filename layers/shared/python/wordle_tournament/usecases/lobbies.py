"""Asking for a game, and leaving it again (R4.2, R6)."""

from dataclasses import replace

from wordle_tournament.ports import messages
from wordle_tournament.ports.store import Conflict, save
from wordle_tournament.rules import tournament as tournaments
from wordle_tournament.rules.ids import TournamentId
from wordle_tournament.rules.player import LobbySeat, Player, TournamentSeat
from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.rules.watching import without_watchers
from wordle_tournament.usecases.announcing import announce_tournament
from wordle_tournament.usecases.delivery import answer
from wordle_tournament.usecases.game import Game, Sender, insist
from wordle_tournament.usecases.group_news import tell_groups
from wordle_tournament.usecases.languages import require_language
from wordle_tournament.usecases.presence import attend
from wordle_tournament.usecases.rounds import tell_entrants, tick, tick_if_free
from wordle_tournament.usecases.seating import (
    give_seat_back,
    show_lobby,
    take_seats,
    tell_seated,
)
from wordle_tournament.usecases.watching import find_watched, hide_duels, unwatching, watched_in


def join_lobby(game: Game, sender: Sender, *, language: str) -> None:
    """Seat the sender in a lobby of the language (R6.1–R6.4); raises Refusal.

    A repeat is answered with the lobby the sender sits in.
    """
    require_language(language)

    def attempt() -> Player:
        player = attend(game, sender)
        if player.lobby is not None and player.lobby.language == language:
            _answer_with_lobby(game, sender, player.lobby)
            return player
        if player.playing:
            raise Refusal(Code.ALREADY_PLAYING, "You are already in a lobby or a tournament.")
        watched = find_watched(game, [player])
        seated = take_seats(game, [player], language, *map(unwatching, watched))
        hide_duels(game, watched)
        tell_seated(game, seated, sender)
        return player

    tell_groups(game, [insist(game, attempt)])


def leave(game: Game, sender: Sender) -> None:
    """Leave the lobby (R6.5) or the tournament, still in (R4.2) or out already (R6.6)."""

    def attempt() -> Player:
        player = attend(game, sender)
        match player.seat:
            case None:
                raise Refusal(Code.NOT_PLAYING, "You are in no lobby and no tournament.")
            case LobbySeat(id=lobby) as seat:
                seated = give_seat_back(game, player, player, seat)
                answer(game, sender, messages.Left("lobby", lobby))
                tell_seated(game, seated)
            case TournamentSeat(id=tournament):
                tick(game, tournament)  # A round already decided is not lost by leaving after it.
                player = attend(game, sender)
                _leave_tournament(game, sender, player, tournament)
        return player

    tell_groups(game, [insist(game, attempt)])


def _leave_tournament(
    game: Game, sender: Sender, player: Player, tournament_id: TournamentId
) -> None:
    if not player.sits_in(tournament_id):
        raise Conflict  # The tick, or another message of the same player, was faster.
    gone = save(replace(player, seat=None), player)
    tournament = game.store.tournament(tournament_id)
    events = [] if tournament is None else tournaments.leave(tournament, player.id)
    watched = watched_in(tournament, {player.id})
    if tournament is None or not events:
        game.store.commit(gone, *map(unwatching, watched))
        hide_duels(game, watched)
        answer(game, sender, messages.Left("tournament", tournament_id))
        return
    after = tournaments.apply_all(tournament, events)
    game.store.commit(gone, save(without_watchers(after, {player.id}), tournament))
    hide_duels(game, watched)
    answer(game, sender, messages.Left("tournament", tournament_id))
    tell_entrants(game, tournament, announce_tournament(tournament, events), but=player.id)
    tick_if_free(game, tournament_id)


def _answer_with_lobby(game: Game, sender: Sender, seat: LobbySeat) -> None:
    shown = show_lobby(game, seat)
    if shown is None:
        raise Refusal(Code.ALREADY_PLAYING, "Your tournament has just begun.")
    answer(game, sender, messages.LobbyChanged(shown))
