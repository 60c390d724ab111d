"""Tournaments as items: hash key `id`; the index `wake` finds those that are overdue."""

from datetime import timedelta
from zlib import crc32

from pynamodb.attributes import BooleanAttribute, ListAttribute, UnicodeAttribute

from wordle_tournament.adapters.dynamodb.attributes import Integer, Moment, Record, TextMap, Texts
from wordle_tournament.adapters.dynamodb.items import Item, Kind
from wordle_tournament.rules.ids import ConnectionId, PlayerId, TournamentId
from wordle_tournament.rules.pairing import Pairing
from wordle_tournament.rules.tournament import Entrant, Phase, Tournament

WAKE_INDEX = "wake"
"""The index of tournaments by the time at which they must be ticked; those over are not in it."""

WAKE_SHARDS = ("0", "1", "2", "3")
"""Hash keys of the index `wake`: a partition takes 1,000 writes a second."""


class EntrantMap(Record):
    """A player of a tournament."""

    player = UnicodeAttribute()
    nickname = UnicodeAttribute()
    rating = Integer()
    lives = Integer()
    back_by = Moment(null=True)
    left = BooleanAttribute()
    place = Integer(null=True)
    change = Integer(null=True)
    rating_after = Integer(null=True)


class TournamentItem(Item):
    """A tournament; `paired` lists the players of the round's duels, two by two."""

    id = UnicodeAttribute(hash_key=True)
    language = UnicodeAttribute()
    entrants = ListAttribute(of=EntrantMap)
    started_at = Moment()
    round = Integer()
    phase = UnicodeAttribute()
    paired = Texts()
    bye = UnicodeAttribute(null=True)
    words = Texts()
    intro_ends_at = Moment(null=True)
    wake_shard = UnicodeAttribute(null=True)
    wake_at = Moment(null=True)
    watchers = TextMap()
    version = Integer()


def to_item(tournament: Tournament) -> TournamentItem:
    """Write a tournament; one that is over is in no index."""
    return TournamentItem(
        id=tournament.id,
        language=tournament.language,
        entrants=[_to_map(entrant) for entrant in tournament.entrants],
        started_at=tournament.started_at,
        round=tournament.round,
        phase=tournament.phase.value,
        paired=[player for duel in tournament.pairing.duels for player in duel],
        bye=tournament.pairing.bye,
        words=tournament.words,
        intro_ends_at=tournament.intro_ends_at,
        wake_shard=None if tournament.wake_at is None else wake_shard(tournament.id),
        wake_at=tournament.wake_at,
        watchers=tournament.watchers,
        version=tournament.version,
        revision=tournament.revision,
    )


def from_item(item: TournamentItem) -> Tournament:
    """Read a tournament."""
    paired = [PlayerId(player) for player in item.paired]
    return Tournament(
        id=TournamentId(item.id),
        language=item.language,
        entrants=tuple(_from_map(entrant) for entrant in item.entrants),
        started_at=item.started_at,
        round=item.round,
        phase=Phase(item.phase),
        pairing=Pairing(
            duels=tuple(zip(paired[::2], paired[1::2], strict=True)),
            bye=PlayerId(item.bye) if item.bye else None,
        ),
        words=tuple(item.words),
        intro_ends_at=item.intro_ends_at,
        wake_at=item.wake_at,
        watchers={
            PlayerId(player): ConnectionId(connection)
            for player, connection in item.watchers.items()
        },
        version=item.version,
        revision=item.revision,
    )


def wake_shard(tournament: TournamentId) -> str:
    """Choose the part of the index in which a tournament waits."""
    return WAKE_SHARDS[crc32(tournament.encode()) % len(WAKE_SHARDS)]


def _to_map(entrant: Entrant) -> EntrantMap:
    return EntrantMap(
        player=entrant.player,
        nickname=entrant.nickname,
        rating=entrant.rating,
        lives=entrant.lives,
        back_by=entrant.back_by,
        left=entrant.left,
        place=entrant.place,
        change=entrant.change,
        rating_after=entrant.rating_after,
    )


def _from_map(entrant: EntrantMap) -> Entrant:
    return Entrant(
        player=PlayerId(entrant.player),
        nickname=entrant.nickname,
        rating=entrant.rating,
        lives=entrant.lives,
        back_by=entrant.back_by,
        left=entrant.left,
        place=entrant.place,
        change=entrant.change,
        rating_after=entrant.rating_after,
    )


TOURNAMENTS = Kind(
    item=TournamentItem,
    to_item=to_item,
    from_item=from_item,
    # A season in which complaints can be looked into; what lasts is in the results.
    lifetime=timedelta(days=90),
    indexes={WAKE_INDEX: ("wake_shard", "wake_at")},
)
