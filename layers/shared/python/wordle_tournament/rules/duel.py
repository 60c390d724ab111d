"""A duel: two players, one hidden word, one shared board (R3)."""

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from wordle_tournament.rules.ids import ConnectionId, DuelId, PlayerId, TournamentId
from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.languages import LANGUAGES, canonical
from wordle_tournament.rules.refusals import Code, Refusal

TURNS = 12
"""Rows of the shared board: six turns for each player (R3.2)."""


class DuelPhase(StrEnum):
    """Where a duel stands; turns can be played only while it is running (R1.3)."""

    WAITING = "waiting"
    RUNNING = "running"
    ENDED = "ended"


class Outcome(StrEnum):
    """How a duel ended."""

    SOLVED = "solved"
    DRAW = "draw"
    LEFT = "left"


@immutable
class Ending:
    """The end of a duel; a draw has no winner (R3.4, R3.5, R4.2)."""

    outcome: Outcome
    winner: PlayerId | None = None


@immutable
class Row:
    """A guess on the board: the canonical word, and when the gateway received it."""

    guess: str
    received_at: datetime


@immutable
class Duel:
    """A duel as it is stored.

    `players[0]` begins. `rows` holds a row for each turn used up, None for a skipped one.
    `viewers` says on which connection each of those who see the duel sees it. `word` is hidden
    until the end (R3.10) and kept out of the representation.
    """

    id: DuelId
    tournament: TournamentId
    round: int
    language: str
    word: str = field(repr=False)
    players: tuple[PlayerId, PlayerId]
    viewers: Mapping[PlayerId, ConnectionId] = field(default_factory=dict)
    phase: DuelPhase = DuelPhase.WAITING
    version: int = 0
    rows: tuple[Row | None, ...] = ()
    deadline: datetime | None = None
    ending: Ending | None = None
    revision: int = 0

    @property
    def turn(self) -> int:
        """The turn being played, 1…12; 13 when the board is full."""
        return len(self.rows) + 1

    @property
    def over(self) -> bool:
        """Whether the duel has ended."""
        return self.phase is DuelPhase.ENDED

    def player_of(self, turn: int) -> PlayerId:
        """Tell whose `turn` it is: they alternate, whatever is skipped (R3.1, R3.3)."""
        return self.players[(turn - 1) % 2]

    def opponent_of(self, player: PlayerId) -> PlayerId:
        """Tell who plays against `player`."""
        return self.players[1] if player == self.players[0] else self.players[0]


@immutable
class DuelStarted:
    """The first turn has begun."""

    deadline: datetime


@immutable
class GuessScored:
    """A guess was accepted for `turn`; `deadline` is that of the next turn, if there is one."""

    turn: int
    player: PlayerId
    row: Row
    deadline: datetime | None


@immutable
class TurnSkipped:
    """The time for `turn` ran out; `deadline` is that of the next turn, if there is one."""

    turn: int
    player: PlayerId
    deadline: datetime | None


@immutable
class DuelEnded:
    """The duel is over."""

    ending: Ending


DuelEvent = DuelStarted | GuessScored | TurnSkipped | DuelEnded


def apply(duel: Duel, event: DuelEvent) -> Duel:
    """Fold one event into the duel; every event is one version."""
    duel = replace(duel, version=duel.version + 1)
    match event:
        case DuelStarted(deadline):
            return replace(duel, phase=DuelPhase.RUNNING, deadline=deadline)
        case GuessScored(row=row, deadline=deadline):
            return replace(duel, rows=(*duel.rows, row), deadline=deadline)
        case TurnSkipped(deadline=deadline):
            return replace(duel, rows=(*duel.rows, None), deadline=deadline)
        case DuelEnded(ending):
            return replace(duel, phase=DuelPhase.ENDED, deadline=None, ending=ending)


def apply_all(duel: Duel, events: tuple[DuelEvent, ...]) -> Duel:
    """Fold `events` into the duel."""
    for event in events:
        duel = apply(duel, event)
    return duel


def start(duel: Duel, now: datetime, turn_time: timedelta) -> tuple[DuelEvent, ...]:
    """Begin the first turn of a waiting duel (R3.2)."""
    return (DuelStarted(deadline=now + turn_time),)


def end_for_leavers(duel: Duel, leavers: frozenset[PlayerId]) -> tuple[DuelEvent, ...]:
    """End a duel that one of `leavers` should play: the opponent wins, if still there (R4.2)."""
    stayed = [player for player in duel.players if player not in leavers]
    if duel.over or len(stayed) == len(duel.players):
        return ()
    return (DuelEnded(Ending(Outcome.LEFT, winner=stayed[0] if stayed else None)),)


def expire(
    duel: Duel, now: datetime, *, settle_time: timedelta, turn_time: timedelta
) -> tuple[DuelEvent, ...]:
    """Skip the turn whose deadline and settling time have passed (R3.3, R3.8)."""
    if duel.deadline is None or now < duel.deadline + settle_time:
        return ()
    return _use_turn(
        duel,
        lambda deadline: TurnSkipped(duel.turn, duel.player_of(duel.turn), deadline),
        next_deadline=now + turn_time,
    )


@immutable
class Guess:
    """A player's attempt for `turn`: `word` as typed, received by the gateway at `received_at`."""

    player: PlayerId
    turn: int
    word: str
    received_at: datetime


def decide_guess(
    duel: Duel,
    guess: Guess,
    now: datetime,
    *,
    turn_time: timedelta,
    allows: Callable[[str], bool],
) -> tuple[DuelEvent, ...]:
    """Accept or refuse a guess (R3.4–R3.9, R9.4).

    `allows` looks a canonical word of the right length up in the word list. A guess counts by the
    time of its receipt, not by `now`; the opponent's time runs from `now`.
    Raises Refusal; that of a turn already used comes before any look at the word.
    """
    _check_turn(duel, guess)
    word = _check_word(duel, guess.word, allows)
    row = Row(word, guess.received_at)
    solved = word == duel.word
    return _use_turn(
        duel,
        lambda deadline: GuessScored(duel.turn, guess.player, row, deadline),
        next_deadline=now + turn_time,
        ending=Ending(Outcome.SOLVED, winner=guess.player) if solved else None,
    )


def find_repeat(duel: Duel, guess: Guess) -> Row | None:
    """Find the row of this very guess, if it already stands on the board (R3.9)."""
    if not 1 <= guess.turn <= len(duel.rows) or duel.player_of(guess.turn) != guess.player:
        return None
    row = duel.rows[guess.turn - 1]
    if row is None or row.guess != canonical(LANGUAGES[duel.language], guess.word):
        return None
    return row


def version_of_row(turn: int) -> int:
    """Tell the version of the event that used up `turn`: the start was the first event."""
    return turn + 1


def _use_turn(
    duel: Duel,
    used: Callable[[datetime | None], DuelEvent],
    *,
    next_deadline: datetime,
    ending: Ending | None = None,
) -> tuple[DuelEvent, ...]:
    if ending is None and duel.turn == TURNS:
        ending = Ending(Outcome.DRAW)
    if ending is None:
        return (used(next_deadline),)
    return (used(None), DuelEnded(ending))


def _check_turn(duel: Duel, guess: Guess) -> None:
    if duel.over:
        raise Refusal(Code.DUEL_OVER, "This duel has ended.")
    if duel.deadline is None:
        raise Refusal(Code.NOT_STARTED, "The round is still being introduced.")
    if guess.turn < duel.turn:
        raise Refusal(
            Code.STALE_TURN, f"Turn {guess.turn} is over.", {"turn": guess.turn, "now": duel.turn}
        )
    if guess.turn > duel.turn or duel.player_of(duel.turn) != guess.player:
        raise Refusal(Code.NOT_YOUR_TURN, "It is not your turn.", {"turn": duel.turn})
    if guess.received_at > duel.deadline:
        late_by = guess.received_at - duel.deadline
        late_by_ms = late_by // timedelta(milliseconds=1)
        raise Refusal(
            Code.DEADLINE_PASSED,
            f"The guess came {late_by_ms} ms after the deadline.",
            {"lateByMs": late_by_ms},
        )


def _check_word(duel: Duel, typed: str, allows: Callable[[str], bool]) -> str:
    word = canonical(LANGUAGES[duel.language], typed)
    if word is None:
        raise Refusal(Code.WRONG_LETTERS, "The language does not have all of these letters.")
    if len(word) != len(duel.word):
        raise Refusal(
            Code.WRONG_LENGTH,
            f"The word has {len(duel.word)} letters, the guess {len(word)}.",
            {"expected": len(duel.word), "got": len(word)},
        )
    if not allows(word):
        raise Refusal(Code.NOT_IN_WORD_LIST, "The word is not in the word list.")
    return word
