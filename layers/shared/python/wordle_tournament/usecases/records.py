"""Everything that is stored about one player."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from wordle_tournament.rules import views
from wordle_tournament.rules.ids import PlayerId, TournamentId
from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.result import Result
from wordle_tournament.rules.tournament import Entrant, Tournament
from wordle_tournament.usecases.game import Game

_PAGE = 50

_ALL_THAT_RUN = timedelta(days=365)
"""Every running tournament must be ticked long before so much time has passed."""


@immutable
class Entry:
    """What a tournament holds of a player; the word of a running duel is not shown (R3.10)."""

    tournament: TournamentId
    language: str
    started_at: datetime
    entrant: Entrant
    duels: tuple[views.DuelView, ...]


@immutable
class Record:
    """A player with their journal and all tournaments that are still kept."""

    player: Player
    results: tuple[Result, ...]
    entries: tuple[Entry, ...]


def find_record(game: Game, player_id: PlayerId) -> Record | None:
    """Gather what is stored about a player; None for somebody unknown."""
    player = game.store.player(player_id)
    if player is None:
        return None
    return Record(
        player=player,
        results=tuple(list_results(game, player_id)),
        entries=tuple(
            Entry(
                tournament=tournament.id,
                language=tournament.language,
                started_at=tournament.started_at,
                entrant=tournament.entrant(player_id),
                duels=tuple(map(views.view_duel, game.store.played(tournament.id, player_id))),
            )
            for tournament in find_tournaments(game, player_id)
        ),
    )


def list_results(game: Game, player_id: PlayerId) -> Iterator[Result]:
    """List a player's journal, newest first."""
    before = None
    while page := game.store.results(player_id, before=before, limit=_PAGE):
        yield from page
        before = page[-1].tournament


def find_tournaments(game: Game, player_id: PlayerId) -> Iterator[Tournament]:
    """Find all tournaments that a player has entered, as far as they are kept.

    Those whose place is fixed stand in the journal. The others run still: all that run are looked
    at, because a player who has left one does not know of it any more.
    """
    running = game.store.overdue(game.clock.now() + _ALL_THAT_RUN)
    finished = [result.tournament for result in list_results(game, player_id)]
    for tournament_id in dict.fromkeys([*running, *finished]):
        tournament = game.store.tournament(tournament_id)
        if tournament is not None and player_id in {one.player for one in tournament.entrants}:
            yield tournament
