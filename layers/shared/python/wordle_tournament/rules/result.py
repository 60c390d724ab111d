"""The rating journal: what each finished tournament did to a player's rating (R5.5)."""

from datetime import datetime

from wordle_tournament.rules.ids import PlayerId, TournamentId
from wordle_tournament.rules.immutable import immutable


@immutable
class Result:
    """One entry: the place in a tournament, fixed at `placed_at`, and the rating after it.

    The sum of a player's changes plus 1000 is their rating (R5.5).
    """

    player: PlayerId
    tournament: TournamentId
    placed_at: datetime
    language: str
    rounds: int
    place: int
    change: int
    rating: int
    revision: int = 0
