"""Duels as items: hash key `tournament`, range key `number`.

An item stays below 1,024 bytes, one write unit, with a full board and eight viewers.
`number` is "<round>.<number in the round>" with two digits for the round, so that the duels of a
round sort together in the order of its pairing. `rows` is one string, since the SDK takes as long
over each element of a list as over a string: each turn used up ends in a semicolon; before it
stand the guess, a space and its receipt in milliseconds since the epoch, or nothing if the turn
was skipped.
"""

import re
from datetime import timedelta

from pynamodb.attributes import UnicodeAttribute

from wordle_tournament.adapters.dynamodb.attributes import Integer, Moment, TextMap
from wordle_tournament.adapters.dynamodb.items import Item, Kind
from wordle_tournament.rules.duel import Duel, DuelPhase, Ending, Outcome, Row
from wordle_tournament.rules.ids import ConnectionId, DuelId, PlayerId, TournamentId
from wordle_tournament.rules.moments import from_ms, to_ms
from wordle_tournament.rules.tournament import duel_id

_DUEL_ID = re.compile(r"([\w-]{1,64})\.([1-9][0-9]?)\.([0-3])")


class DuelItem(Item):
    """A duel; `begins` has the first turn, `follows` the second."""

    tournament = UnicodeAttribute(hash_key=True)
    number = UnicodeAttribute(range_key=True)
    language = UnicodeAttribute()
    word = UnicodeAttribute()
    begins = UnicodeAttribute()
    follows = UnicodeAttribute()
    viewers = TextMap()
    phase = UnicodeAttribute()
    version = Integer()
    rows = UnicodeAttribute()
    deadline = Moment(null=True)
    outcome = UnicodeAttribute(null=True)
    winner = UnicodeAttribute(null=True)


def to_key(duel: DuelId) -> tuple[str, str] | None:
    """Turn the id of a duel into hash and range key; None for an id of any other form."""
    match = _DUEL_ID.fullmatch(duel)
    if match is None:
        return None
    tournament, round_number, number = match.groups()
    return tournament, f"{round_prefix(int(round_number))}{number}"


def round_prefix(round_number: int) -> str:
    """Tell how the range keys of a round's duels begin."""
    return f"{round_number:02d}."


def to_item(duel: Duel) -> DuelItem:
    """Write a duel; raises ValueError for one whose id cannot be found again."""
    key = to_key(duel.id)
    if key is None:
        raise ValueError(f"{duel.id!r} is not the id of a duel.")
    ending = duel.ending
    return DuelItem(
        tournament=key[0],
        number=key[1],
        language=duel.language,
        word=duel.word,
        begins=duel.players[0],
        follows=duel.players[1],
        viewers=duel.viewers,
        phase=duel.phase.value,
        version=duel.version,
        rows="".join(map(_write_row, duel.rows)),
        deadline=duel.deadline,
        outcome=ending and ending.outcome.value,
        winner=ending and ending.winner,
        revision=duel.revision,
    )


def from_item(item: DuelItem) -> Duel:
    """Read a duel."""
    tournament = TournamentId(item.tournament)
    round_number, number = map(int, item.number.split("."))
    return Duel(
        id=duel_id(tournament, round_number, number),
        tournament=tournament,
        round=round_number,
        language=item.language,
        word=item.word,
        players=(PlayerId(item.begins), PlayerId(item.follows)),
        viewers={
            PlayerId(viewer): ConnectionId(connection)
            for viewer, connection in item.viewers.items()
        },
        phase=DuelPhase(item.phase),
        version=item.version,
        rows=tuple(map(_read_row, item.rows.split(";")[:-1])),
        deadline=item.deadline,
        ending=_ending(item),
        revision=item.revision,
    )


def _write_row(row: Row | None) -> str:
    return ";" if row is None else f"{row.guess} {to_ms(row.received_at)};"


def _read_row(text: str) -> Row | None:
    if not text:
        return None
    guess, received_at = text.split(" ")
    return Row(guess, from_ms(int(received_at)))


def _ending(item: DuelItem) -> Ending | None:
    if item.outcome is None:
        return None
    return Ending(Outcome(item.outcome), PlayerId(item.winner) if item.winner else None)


DUELS = Kind(
    item=DuelItem,
    to_item=to_item,
    from_item=from_item,
    # As long as their tournament.
    lifetime=timedelta(days=90),
    own_writes=frozenset({"viewers"}),
)
