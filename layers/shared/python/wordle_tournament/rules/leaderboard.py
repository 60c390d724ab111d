"""The leaderboard: the best rated of all who have finished a rated game (R5)."""

from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.rules.immutable import immutable


@immutable
class Leader:
    """A player as the leaderboard knows them; `games` is at least 1."""

    player: PlayerId
    nickname: str
    rating: int
    games: int
