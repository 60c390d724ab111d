"""Erasing a player, for an operator who is asked to."""

from contextlib import suppress

from wordle_tournament.ports.store import Change, Conflict, Delete, save
from wordle_tournament.rules import tournament as tournaments
from wordle_tournament.rules.ids import PlayerId, TournamentId
from wordle_tournament.rules.player import (
    ERASED_NICKNAME,
    LobbySeat,
    Player,
    TournamentSeat,
    erase,
)
from wordle_tournament.rules.watching import without_watchers
from wordle_tournament.usecases.announcing import announce_tournament
from wordle_tournament.usecases.game import Game, insist
from wordle_tournament.usecases.group_news import announce_group
from wordle_tournament.usecases.grouping import dismissal, group_of
from wordle_tournament.usecases.records import find_tournaments, list_results
from wordle_tournament.usecases.rounds import load_tournament, tell_entrants, tick, tick_if_free
from wordle_tournament.usecases.seating import give_seat_back, tell_seated
from wordle_tournament.usecases.watching import hide_duels, watched_in


def erase_player(game: Game, player_id: PlayerId) -> bool:
    """Leave nothing of a player but the id; tells whether there was anybody.

    The player leaves group, lobby and tournament first, as if they had asked to. Repeating this
    does the rest of what an earlier attempt has not come to.
    """
    if game.store.player(player_id) is None:
        return False
    insist(game, lambda: _withdraw(game, player_id))
    for tournament in find_tournaments(game, player_id):
        _forget_name(game, tournament.id, player_id)
    for result in list_results(game, player_id):
        with suppress(Conflict):  # Somebody else is erasing the same player.
            game.store.commit(Delete(result))
    return True


def _withdraw(game: Game, player_id: PlayerId) -> None:
    """Take a player out of everything and erase them, in one transaction; raises Conflict."""
    player = _up_to_date(game, player_id)
    if player is None or player.erased:
        return
    group = group_of(game, player)
    parting, remaining = (None, None) if group is None else dismissal(game, player, group)
    together_with = [] if parting is None else [parting]
    match player.seat:
        case None:
            game.store.commit(save(erase(player), player), *together_with)
        case LobbySeat() as lobby:
            seated = give_seat_back(game, player, erase(player), lobby, *together_with)
            tell_seated(game, seated)
        case TournamentSeat():
            _leave_tournament(game, player, together_with)
    if player.connection is not None:
        game.push.close(player.connection.id)
    if remaining is not None:
        announce_group(game, remaining)


def _up_to_date(game: Game, player_id: PlayerId) -> Player | None:
    """Load a player, after all that was decided in their tournament (as with `leave`)."""
    player = game.store.player(player_id)
    if player is None or player.tournament is None:
        return player
    tick(game, player.tournament.id)
    return game.store.player(player_id)


def _leave_tournament(game: Game, player: Player, together_with: list[Change]) -> None:
    tournament = load_tournament(game, player)
    changes = [save(erase(player), player), *together_with]
    if tournament is None:
        game.store.commit(*changes)
        return
    watched = watched_in(tournament, {player.id})
    events = tournaments.leave(tournament, player.id)
    after = tournaments.apply_all(tournament, events)
    after = tournaments.forget_name(after, player.id, ERASED_NICKNAME)
    game.store.commit(*changes, save(without_watchers(after, {player.id}), tournament))
    hide_duels(game, watched)
    if events:
        tell_entrants(game, tournament, announce_tournament(tournament, events), but=player.id)
        tick_if_free(game, tournament.id)


def _forget_name(game: Game, tournament_id: TournamentId, player_id: PlayerId) -> None:
    def attempt() -> None:
        tournament = game.store.tournament(tournament_id)
        if tournament is None:
            return
        after = tournaments.forget_name(tournament, player_id, ERASED_NICKNAME)
        if after != tournament:
            game.store.commit(save(after, tournament))

    insist(game, attempt)
