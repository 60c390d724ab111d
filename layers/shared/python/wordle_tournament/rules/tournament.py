"""A tournament: rounds of duels until one player, or nobody, is left (R1, R4, R7)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from wordle_tournament.rules import duel as duels_of
from wordle_tournament.rules.chance import Chance
from wordle_tournament.rules.duel import Duel, DuelEvent, DuelPhase
from wordle_tournament.rules.ids import ConnectionId, DuelId, PlayerId, TournamentId
from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.languages import WORD_LENGTHS
from wordle_tournament.rules.pairing import Pairing, pair
from wordle_tournament.rules.places import Fate, settle_round
from wordle_tournament.rules.rating import rating_change

LIVES = 3
"""Lives at the start (R1.1)."""


class Phase(StrEnum):
    """Where a tournament stands."""

    INTRO = "intro"
    DUELS = "duels"
    ENDED = "ended"


@immutable
class Pace:
    """The durations of a stage: turn (R3.2), intro (R1.3), grace (R7.2), settling time (R3.8)."""

    turn: timedelta = timedelta(seconds=30)
    intro: timedelta = timedelta(seconds=6)
    grace: timedelta = timedelta(seconds=60)
    settle: timedelta = timedelta(seconds=1)


@immutable
class Entrant:
    """A player of a tournament; `rating` is the one at its start (R5.4).

    `back_by` is set while the connection is lost (R7.2), `place`, `change` and `rating_after`
    once the place is fixed (R4.1, R5.5).
    """

    player: PlayerId
    nickname: str
    rating: int
    lives: int = LIVES
    back_by: datetime | None = None
    left: bool = False
    place: int | None = None
    change: int | None = None
    rating_after: int | None = None

    @property
    def active(self) -> bool:
        """Whether the player is in: neither placed nor gone."""
        return self.place is None and not self.left


@immutable
class Tournament:
    """A tournament as it is stored.

    `words` are all hidden words so far (R9.3), kept out of the representation; `watchers` says
    who watches on which connection; `wake_at` is when it must be ticked at the latest.
    `version` counts events, `revision` writes.
    """

    id: TournamentId
    language: str
    entrants: tuple[Entrant, ...]
    started_at: datetime
    round: int = 1
    phase: Phase = Phase.INTRO
    pairing: Pairing = field(default_factory=Pairing)
    words: tuple[str, ...] = field(default=(), repr=False)
    intro_ends_at: datetime | None = None
    wake_at: datetime | None = None
    watchers: Mapping[PlayerId, ConnectionId] = field(default_factory=dict)
    version: int = 0
    revision: int = 0

    @property
    def over(self) -> bool:
        """Whether the tournament has ended (R1.4, R1.5)."""
        return self.phase is Phase.ENDED

    def entrant(self, player: PlayerId) -> Entrant:
        """Find a player of the tournament; raises KeyError for anybody else."""
        for entrant in self.entrants:
            if entrant.player == player:
                return entrant
        raise KeyError(player)

    @property
    def active(self) -> tuple[PlayerId, ...]:
        """The players who are in."""
        return tuple(entrant.player for entrant in self.entrants if entrant.active)

    def duel_ids(self) -> tuple[DuelId, ...]:
        """The ids of the duels of the round, in the order of the pairing."""
        return tuple(
            duel_id(self.id, self.round, number) for number in range(len(self.pairing.duels))
        )

    def duel_of(self, player: PlayerId) -> DuelId | None:
        """The id of the player's duel in this round; None with a bye or when out."""
        for number, players in enumerate(self.pairing.duels):
            if player in players:
                return duel_id(self.id, self.round, number)
        return None


def duel_id(tournament: TournamentId, round_number: int, number: int) -> DuelId:
    """Name a duel after tournament, round (1…) and number in the round (0…3)."""
    return DuelId(f"{tournament}.{round_number}.{number}")


@immutable
class TournamentStarted:
    """Eight players have been seated."""


@immutable
class RoundIntroduced:
    """A round was drawn; its turns begin at `ends_at` (R1.3)."""

    round: int
    pairing: Pairing
    ends_at: datetime


@immutable
class PlayerDisconnected:
    """A player in lost the connection and may come back until `back_by` (R7.2)."""

    player: PlayerId
    back_by: datetime


@immutable
class PlayerReconnected:
    """A player came back in time (R7.2)."""

    player: PlayerId


@immutable
class PlayerLeft:
    """A player left, or did not come back in time (R4.2, R7.2)."""

    player: PlayerId


@immutable
class RoundEnded:
    """The last duel of a round has ended; `entrants` are all as they stand after it."""

    round: int
    entrants: tuple[Entrant, ...]


@immutable
class TournamentEnded:
    """One player is left, or nobody (R1.4, R1.5)."""


TournamentEvent = (
    TournamentStarted
    | RoundIntroduced
    | PlayerDisconnected
    | PlayerReconnected
    | PlayerLeft
    | RoundEnded
    | TournamentEnded
)


def apply(tournament: Tournament, event: TournamentEvent) -> Tournament:
    """Fold one event into the tournament; every event is one version."""
    tournament = replace(tournament, version=tournament.version + 1)
    match event:
        case TournamentStarted():
            return tournament
        case RoundIntroduced(round=number, pairing=pairing, ends_at=ends_at):
            return replace(
                tournament,
                round=number,
                phase=Phase.INTRO,
                pairing=pairing,
                intro_ends_at=ends_at,
                wake_at=ends_at,
            )
        case PlayerDisconnected(player=player, back_by=back_by):
            return _with_entrant(tournament, player, back_by=back_by)
        case PlayerReconnected(player=player):
            return _with_entrant(tournament, player, back_by=None)
        case PlayerLeft(player=player):
            watchers = {one: at for one, at in tournament.watchers.items() if one != player}
            left = _with_entrant(tournament, player, back_by=None, left=True)
            return replace(left, watchers=watchers)
        case RoundEnded(entrants=entrants):
            return replace(tournament, entrants=entrants)
        case TournamentEnded():
            return replace(tournament, phase=Phase.ENDED, wake_at=None, watchers={})


def apply_all(tournament: Tournament, events: Iterable[TournamentEvent]) -> Tournament:
    """Fold `events` into the tournament."""
    for event in events:
        tournament = apply(tournament, event)
    return tournament


def disconnect(
    tournament: Tournament, player: PlayerId, back_by: datetime
) -> list[TournamentEvent]:
    """Note that a player lost the connection; who is out loses nothing (R7.2, R7.5)."""
    entrant = tournament.entrant(player)
    if not entrant.active or entrant.back_by == back_by:
        return []
    return [PlayerDisconnected(player, back_by)]


def reconnect(tournament: Tournament, player: PlayerId, now: datetime) -> list[TournamentEvent]:
    """Note that a player came back; who is in and comes too late has left (R7.2, R7.5)."""
    entrant = tournament.entrant(player)
    if entrant.back_by is None:
        return []
    too_late = entrant.active and now > entrant.back_by
    return [PlayerLeft(player) if too_late else PlayerReconnected(player)]


def leave(tournament: Tournament, player: PlayerId) -> list[TournamentEvent]:
    """Let a player leave; who is out just goes (R4.2, R4.6)."""
    return [PlayerLeft(player)] if tournament.entrant(player).active else []


def forget_name(tournament: Tournament, player: PlayerId, instead: str) -> Tournament:
    """Give a player another nickname, which is told to nobody; anybody else's stays."""
    return replace(
        tournament,
        entrants=tuple(
            replace(entrant, nickname=instead) if entrant.player == player else entrant
            for entrant in tournament.entrants
        ),
    )


def overdue_leavers(tournament: Tournament, now: datetime) -> list[TournamentEvent]:
    """Count those as having left who did not come back in time (R7.2)."""
    return [
        PlayerLeft(entrant.player)
        for entrant in tournament.entrants
        if entrant.active and entrant.back_by is not None and entrant.back_by <= now
    ]


@immutable
class Deal:
    """A new round: the tournament `before` and with it, what happened, and its duels."""

    before: Tournament
    tournament: Tournament
    events: tuple[TournamentEvent, ...]
    duels: tuple[Duel, ...]


def begin(
    tournament: Tournament,
    now: datetime,
    *,
    pace: Pace,
    chance: Chance,
    answers: Callable[[int], Sequence[str]],
) -> Deal:
    """Start a tournament with its first round (R1.2, R6.4); `answers` lists words by length."""
    started = apply(tournament, TournamentStarted())
    dealt = deal_round(started, now, pace=pace, chance=chance, answers=answers)
    return replace(dealt, before=tournament, events=(TournamentStarted(), *dealt.events))


def deal_round(
    tournament: Tournament,
    now: datetime,
    *,
    pace: Pace,
    chance: Chance,
    answers: Callable[[int], Sequence[str]],
) -> Deal:
    """Draw pairing, lengths and hidden words of the next round (R2, R3.1, R9.2, R9.3)."""
    event = RoundIntroduced(
        round=tournament.round + 1 if tournament.pairing.duels else tournament.round,
        pairing=pair(tournament.active, tournament.pairing, chance),
        ends_at=now + pace.intro,
    )
    dealt = apply(tournament, event)
    for _ in dealt.pairing.duels:
        word = _draw_word(dealt.words, chance, answers)
        dealt = replace(dealt, words=(*dealt.words, word))
    words = dealt.words[len(tournament.words) :]
    duels = tuple(
        Duel(
            id=duel,
            tournament=dealt.id,
            round=dealt.round,
            language=dealt.language,
            word=word,
            players=players,
        )
        for duel, word, players in zip(dealt.duel_ids(), words, dealt.pairing.duels, strict=True)
    )
    return Deal(tournament, dealt, (event,), duels)


def _draw_word(used: Sequence[str], chance: Chance, answers: Callable[[int], Sequence[str]]) -> str:
    length = chance.choice(WORD_LENGTHS)
    return chance.choice([word for word in answers(length) if word not in used])


def settle(tournament: Tournament, duels: Sequence[Duel]) -> tuple[TournamentEvent, ...]:
    """End a round whose duels are all over: lives, places, rating changes (R1, R4, R5).

    `rating_after` of those placed now still has to be filled in by `with_ratings`.
    """
    in_at_start = {
        entrant.player: entrant for entrant in tournament.entrants if entrant.place is None
    }
    result = settle_round(
        {player: entrant.lives for player, entrant in in_at_start.items()},
        {player: _fate(entrant, duels) for player, entrant in in_at_start.items()},
    )
    entrants = tuple(
        replace(
            entrant,
            lives=result.lives.get(entrant.player, entrant.lives),
            place=result.places.get(entrant.player, entrant.place),
        )
        for entrant in tournament.entrants
    )
    rated = tuple(
        replace(entrant, change=_change(entrant, entrants)) if entrant.place else entrant
        for entrant in entrants
    )
    ended: TournamentEvent = RoundEnded(tournament.round, rated)
    if sum(entrant.active for entrant in rated) <= 1:
        return (ended, TournamentEnded())
    return (ended,)


def with_ratings(
    events: tuple[TournamentEvent, ...], ratings: Mapping[PlayerId, int]
) -> tuple[TournamentEvent, ...]:
    """Fill in the ratings after the change of those just placed, from their current `ratings`."""

    def rated(entrant: Entrant) -> Entrant:
        current = ratings.get(entrant.player)
        if entrant.change is None or entrant.rating_after is not None or current is None:
            return entrant
        return replace(entrant, rating_after=current + entrant.change)

    return tuple(
        replace(event, entrants=tuple(map(rated, event.entrants)))
        if isinstance(event, RoundEnded)
        else event
        for event in events
    )


@immutable
class Placement:
    """A place that a round has fixed, and the rating change that goes with it (R4.1, R5.2)."""

    player: PlayerId
    place: int
    change: int


def newly_placed(before: Tournament, after: Tournament) -> tuple[Placement, ...]:
    """Tell the places that have been fixed since `before`."""
    return tuple(
        Placement(entrant.player, entrant.place, entrant.change)
        for entrant in after.entrants
        if entrant.place is not None
        and entrant.change is not None
        and before.entrant(entrant.player).place is None
    )


def _fate(entrant: Entrant, duels: Sequence[Duel]) -> Fate:
    if entrant.left:
        return Fate.LEFT
    for duel in duels:
        if entrant.player in duel.players and duel.ending is not None:
            if duel.ending.winner is None:
                return Fate.DREW
            return Fate.WON if duel.ending.winner == entrant.player else Fate.LOST
    return Fate.BYE


def _change(entrant: Entrant, entrants: Sequence[Entrant]) -> int | None:
    if entrant.place is None:
        return None
    others = [(one.rating, one.place) for one in entrants if one.player != entrant.player]
    return rating_change(entrant.rating, entrant.place, others)


@immutable
class Wait:
    """Nothing is due before `until`; None when the tournament is over."""

    until: datetime | None


@immutable
class LetGo:
    """Players did not come back in time."""

    events: tuple[TournamentEvent, ...]


@immutable
class MoveDuels:
    """Duels have to start, to skip a turn or to end: each a change of its own."""

    moves: tuple[tuple[Duel, tuple[DuelEvent, ...]], ...]


@immutable
class OpenRound:
    """All duels of the round have started: its intro is over."""

    wake_at: datetime


@immutable
class Settle:
    """All duels of the round are over."""

    events: tuple[TournamentEvent, ...]


Due = LetGo | MoveDuels | OpenRound | Settle
Step = Wait | Due


def advance(tournament: Tournament, duels: Sequence[Duel], now: datetime, pace: Pace) -> Step:
    """Decide the next thing that is due; `duels` are all those of the round.

    Doing it and asking again until the answer is `Wait` brings the tournament up to `now`,
    whoever asks, however often and however late.
    """
    if tournament.over:
        return Wait(until=None)
    if all(duel.over for duel in duels):
        return Settle(settle(tournament, duels))
    if overdue := overdue_leavers(tournament, now):
        return LetGo(tuple(overdue))
    if moves := _due_moves(tournament, duels, now, pace):
        return MoveDuels(moves)
    due = _next_due(tournament, duels, pace)
    if tournament.phase is Phase.INTRO and all(
        duel.phase is not DuelPhase.WAITING for duel in duels
    ):
        return OpenRound(wake_at=due)
    return Wait(until=due)


def _due_moves(
    tournament: Tournament, duels: Sequence[Duel], now: datetime, pace: Pace
) -> tuple[tuple[Duel, tuple[DuelEvent, ...]], ...]:
    leavers = frozenset(entrant.player for entrant in tournament.entrants if entrant.left)
    intro_over = tournament.intro_ends_at is not None and tournament.intro_ends_at <= now

    def due(duel: Duel) -> tuple[DuelEvent, ...]:
        if ended := duels_of.end_for_leavers(duel, leavers):
            return ended
        if duel.phase is DuelPhase.WAITING:
            return duels_of.start(duel, now, pace.turn) if intro_over else ()
        return duels_of.expire(duel, now, settle_time=pace.settle, turn_time=pace.turn)

    return tuple((duel, events) for duel in duels if (events := due(duel)))


def _next_due(tournament: Tournament, duels: Sequence[Duel], pace: Pace) -> datetime:
    """The earliest end of the intro, of a turn (settling time included) or of a grace period."""
    turns = [duel.deadline + pace.settle for duel in duels if duel.deadline is not None]
    intro = [
        tournament.intro_ends_at
        for duel in duels
        if duel.phase is DuelPhase.WAITING and tournament.intro_ends_at is not None
    ]
    graces = [
        entrant.back_by
        for entrant in tournament.entrants
        if entrant.active and entrant.back_by is not None
    ]
    return min([*turns, *intro, *graces])


def _with_entrant(
    tournament: Tournament,
    player: PlayerId,
    *,
    back_by: datetime | None,
    left: bool = False,
) -> Tournament:
    return replace(
        tournament,
        entrants=tuple(
            replace(entrant, back_by=back_by, left=left) if entrant.player == player else entrant
            for entrant in tournament.entrants
        ),
    )
