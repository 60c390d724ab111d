"""The sweep: finds tournaments that nobody has woken in time, and brings them on."""

from collections.abc import Callable
from datetime import timedelta

from wordle_tournament.ports.store import Conflict
from wordle_tournament.rules.ids import TournamentId
from wordle_tournament.usecases.game import Game
from wordle_tournament.usecases.rounds import start_clock, tick

OVERDUE = timedelta(seconds=5)
"""How late a wake-up may be before its clock is taken for lost."""

STUCK = timedelta(minutes=3)
"""How late a wake-up must be for several sweeps to have failed at it."""


def count_stuck(game: Game) -> int:
    """Count the tournaments that the sweeps before could not bring on."""
    return len(game.store.overdue(game.clock.now() - STUCK))


def sweep(game: Game, failed: Callable[[TournamentId, Exception], None]) -> list[TournamentId]:
    """Tick every overdue tournament and start another clock for its round; tells which.

    One that breaks is reported to `failed` and keeps none of the others waiting.
    """
    rescued = []
    for tournament_id in game.store.overdue(game.clock.now() - OVERDUE):
        try:
            if _rescue(game, tournament_id):
                rescued.append(tournament_id)
        except Conflict:
            continue  # Others are bringing it on just now; the next sweep looks again.
        except Exception as error:  # noqa: BLE001 - told, and the next one's turn
            failed(tournament_id, error)
    return rescued


def _rescue(game: Game, tournament_id: TournamentId) -> bool:
    tournament = tick(game, tournament_id)
    if tournament is None:
        return False
    start_clock(game, tournament)
    return True
