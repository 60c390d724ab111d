"""The tick: the only place where duels expire and rounds advance, whoever asks for it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from wordle_tournament.ports.messages import Message
from wordle_tournament.ports.store import Change, Conflict, save
from wordle_tournament.rules import duel as duels
from wordle_tournament.rules import tournament as tournaments
from wordle_tournament.rules.duel import Duel, DuelEvent
from wordle_tournament.rules.ids import PlayerId, TournamentId
from wordle_tournament.rules.player import Player, TournamentSeat
from wordle_tournament.rules.result import Result
from wordle_tournament.rules.tournament import (
    LetGo,
    MoveDuels,
    OpenRound,
    Phase,
    Placement,
    PlayerLeft,
    Settle,
    Tournament,
    TournamentEvent,
    Wait,
)
from wordle_tournament.rules.watching import still_watching, with_viewers
from wordle_tournament.usecases.announcing import announce_duel, announce_tournament
from wordle_tournament.usecases.delivery import (
    deliver,
    deliver_duel,
    letters_to,
    letters_to_viewers,
)
from wordle_tournament.usecases.game import ATTEMPTS, Game, Happening
from wordle_tournament.usecases.group_news import tell_groups


def tick(game: Game, tournament: TournamentId) -> Tournament | None:
    """Bring a tournament up to now and tell it as it then stands.

    Idempotent, and legal for anyone at any time: every step is one conditional write, and
    whoever loses it looks again. Raises Conflict when it loses too often in a row.
    """
    losses = 0
    while True:
        loaded = game.store.tournament(tournament)
        if loaded is None:
            return None
        game.about["tournament"] = loaded.id
        round_duels = game.store.duels(loaded.id, loaded.round)
        now = game.clock.now()
        step = tournaments.advance(loaded, round_duels, now, game.pace)
        try:
            if isinstance(step, Wait):
                return _rest(game, loaded, step.until, now)
            _take(game, loaded, round_duels, step)
        except Conflict:
            losses += 1
            game.happened[Happening.CONFLICT] += 1
            if losses == ATTEMPTS:
                raise
            game.clock.pause(losses)


def tick_if_free(game: Game, tournament: TournamentId) -> None:
    """Tick after a command of a player that has been committed already.

    Where rivals keep winning, they or the clock bring the tournament on.
    """
    try:
        tick(game, tournament)
    except Conflict:
        return


def start_clock(game: Game, tournament: Tournament) -> None:
    """Start a clock of the tournament's round, unless the tournament is over."""
    if tournament.wake_at is not None:
        game.timers.start_round_clock(tournament.id, tournament.round, tournament.wake_at)


def tell_entrants(
    game: Game, tournament: Tournament, told: Sequence[Message], *, but: PlayerId | None = None
) -> Mapping[PlayerId, Player]:
    """Tell those who are still there, playing or put out, and return all as they then are.

    To be called after the commit, not before: who comes on a connection before these are loaded
    hears it there, and who comes later reads it in the snapshot.
    """
    players = load_entrants(game, tournament)
    present = [
        player for player in players.values() if player.id != but and player.sits_in(tournament.id)
    ]
    deliver(game, letters_to(present, told))
    return players


def load_tournament(game: Game, player: Player) -> Tournament | None:
    """Load the tournament a player has their seat in."""
    return None if player.tournament is None else game.store.tournament(player.tournament.id)


def load_entrants(game: Game, tournament: Tournament) -> Mapping[PlayerId, Player]:
    """Load the players of a tournament, as far as they still exist and have not been erased."""
    found = game.store.players(entrant.player for entrant in tournament.entrants)
    return {player.id: player for player in found.values() if not player.erased}


def leaving(player: Player, tournament: TournamentId) -> list[Change]:
    """The change that takes a player out of the tournament, if they are still in it."""
    return [save(replace(player, seat=None), player)] if player.sits_in(tournament) else []


def _rest(game: Game, tournament: Tournament, until: datetime | None, now: datetime) -> Tournament:
    """Note when to wake next, if the time noted has come; the sweep looks for it."""
    noted = tournament.wake_at
    if until is None or (noted is not None and now < noted <= until):
        return tournament
    resting = replace(tournament, wake_at=until)
    game.store.commit(save(resting, tournament))
    return resting


def _take(
    game: Game, tournament: Tournament, round_duels: Sequence[Duel], step: tournaments.Due
) -> None:
    match step:
        case LetGo(events):
            _let_go(game, tournament, events)
        case MoveDuels(moves):
            for duel, moved in moves:
                _move_duel(game, duel, moved)
        case OpenRound(wake_at):
            opened = replace(tournament, phase=Phase.DUELS, wake_at=wake_at)
            game.store.commit(save(opened, tournament))
        case Settle(events):
            _settle(game, tournament, events)


def _move_duel(game: Game, duel: Duel, events: tuple[DuelEvent, ...]) -> None:
    """Commit events of a duel and tell everybody who sees it; raises Conflict."""
    stored = game.store.play(duel, duels.apply_all(duel, events))
    deliver_duel(game, stored, letters_to_viewers(stored, announce_duel(duel, events)))


def _let_go(game: Game, tournament: Tournament, events: tuple[TournamentEvent, ...]) -> None:
    players = load_entrants(game, tournament)
    after = tournaments.apply_all(tournament, events)
    gone = [event.player for event in events if isinstance(event, PlayerLeft)]
    seats = [
        change
        for player in gone
        if player in players
        for change in leaving(players[player], tournament.id)
    ]
    game.store.commit(save(after, tournament), *seats)
    tell_entrants(game, tournament, announce_tournament(tournament, events))
    tell_groups(game, [players[player] for player in gone if player in players])


def _settle(game: Game, tournament: Tournament, events: tuple[TournamentEvent, ...]) -> None:
    """End the round, and deal the next one, in one transaction (R4.1, R5.5)."""
    now = game.clock.now()
    players = load_entrants(game, tournament)
    at_start = {entrant.player: entrant.rating for entrant in tournament.entrants}
    current = {player.id: player.rating for player in players.values()}
    # Who exists no longer has no rating to change, but a place that the others are told of.
    events = tournaments.with_ratings(events, at_start | current)
    after = tournaments.apply_all(tournament, events)
    placed = tournaments.newly_placed(tournament, after)
    dealt: tuple[Duel, ...] = ()
    if not after.over:
        deal = tournaments.deal_round(
            after,
            now,
            pace=game.pace,
            chance=game.chance,
            answers=lambda length: game.lexicon.answers(tournament.language, length),
        )
        watchers = still_watching(after.watchers, players, deal.tournament.pairing)
        events = (*events, *deal.events)
        after = replace(deal.tournament, watchers=watchers)
        dealt = tuple(with_viewers(duel, players, watchers) for duel in deal.duels)
    rated = [
        change
        for placement in placed
        if placement.player in players
        for change in _rate(players[placement.player], placement, tournament, now)
    ]
    game.store.commit(save(after, tournament), *rated, *map(save, dealt))
    if after.over:
        game.happened[_ending(after)] += 1
    start_clock(game, after)
    told = announce_tournament(tournament, events)
    entrants = tell_entrants(game, tournament, told)
    settled = [entrants[one.player] for one in placed if one.player in entrants]
    _tell_leavers(game, tournament, settled, told[:1])
    tell_groups(game, settled)


def _tell_leavers(
    game: Game, tournament: Tournament, placed: Sequence[Player], told: Sequence[Message]
) -> None:
    """Tell those who left during the round how it ended for them, wherever they now are (R4.6)."""
    leavers = [player for player in placed if not player.sits_in(tournament.id)]
    deliver(game, letters_to(leavers, told))


def _ending(tournament: Tournament) -> Happening:
    """Tell a tournament that was played to its end from one that everybody has left."""
    abandoned = all(entrant.left for entrant in tournament.entrants)
    return Happening.TOURNAMENT_ABORTED if abandoned else Happening.TOURNAMENT_FINISHED


def _rate(
    player: Player, placement: Placement, tournament: Tournament, now: datetime
) -> list[Change]:
    """Change the rating and write the journal, both or neither (R5.5)."""
    rating = player.rating + placement.change
    seat = TournamentSeat(tournament.id, placed=True)
    result = Result(
        player=player.id,
        tournament=tournament.id,
        placed_at=now,
        language=tournament.language,
        rounds=tournament.round,
        place=placement.place,
        change=placement.change,
        rating=rating,
    )
    rated = replace(
        player,
        rating=rating,
        games=player.games + 1,
        seat=seat if player.sits_in(tournament.id) else player.seat,
    )
    return [save(rated, player), save(result)]
