"""The rating journal as items: hash key `player`, range key `tournament`, in order of time.

Entries stay: their sum is the rating, however long somebody plays.
"""

from pynamodb.attributes import UnicodeAttribute

from wordle_tournament.adapters.dynamodb.attributes import Integer, Moment
from wordle_tournament.adapters.dynamodb.items import Item, Kind
from wordle_tournament.rules.ids import PlayerId, TournamentId
from wordle_tournament.rules.result import Result


class ResultItem(Item):
    """An entry of the journal."""

    player = UnicodeAttribute(hash_key=True)
    tournament = UnicodeAttribute(range_key=True)
    placed_at = Moment()
    language = UnicodeAttribute()
    rounds = Integer()
    place = Integer()
    change = Integer()
    rating = Integer()


def to_item(result: Result) -> ResultItem:
    """Write an entry."""
    return ResultItem(
        player=result.player,
        tournament=result.tournament,
        placed_at=result.placed_at,
        language=result.language,
        rounds=result.rounds,
        place=result.place,
        change=result.change,
        rating=result.rating,
        revision=result.revision,
    )


def from_item(item: ResultItem) -> Result:
    """Read an entry."""
    return Result(
        player=PlayerId(item.player),
        tournament=TournamentId(item.tournament),
        placed_at=item.placed_at,
        language=item.language,
        rounds=item.rounds,
        place=item.place,
        change=item.change,
        rating=item.rating,
        revision=item.revision,
    )


RESULTS = Kind(item=ResultItem, to_item=to_item, from_item=from_item)
