"""A referee: plays a tournament through the rules and checks each step against own books."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import product

import pytest

from tests.rules.examples import NOW
from tests.rules.oracles import oracle_places, oracle_rating_changes
from wordle_tournament.rules import duel as duels_of
from wordle_tournament.rules import tournament as tournaments
from wordle_tournament.rules import views
from wordle_tournament.rules.duel import (
    Duel,
    DuelEnded,
    DuelEvent,
    DuelPhase,
    DuelStarted,
    Ending,
    Guess,
    GuessScored,
    Outcome,
    Row,
    TurnSkipped,
)
from wordle_tournament.rules.ids import DuelId, PlayerId, TournamentId
from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.rules.tournament import (
    Deal,
    Entrant,
    LetGo,
    MoveDuels,
    OpenRound,
    Pace,
    Phase,
    PlayerDisconnected,
    PlayerLeft,
    PlayerReconnected,
    Settle,
    Tournament,
    TournamentEvent,
    Wait,
)

PACE = Pace()
PLAYERS = tuple(PlayerId(f"player-{number}") for number in range(8))

# Words of different lengths share no letter, so that none is found inside another.
ANSWERS = {
    length: tuple("".join(word) for word in product(letters, repeat=length))[:60]
    for length, letters in ((4, "bcdf"), (5, "ghjk"), (6, "mpqx"))
}
LISTED, UNLISTED = "z", "y"

_STEPS_OF_ONE_TICK = 40
_WAKE_UPS_OF_A_TOURNAMENT = 2_000


@dataclass
class DuelBook:
    """What has happened in a duel."""

    word: str
    players: tuple[PlayerId, PlayerId]
    rows: list[str | None] = field(default_factory=list)
    deadline: datetime | None = None
    started: bool = False
    ending: Ending | None = None

    @property
    def on_turn(self) -> PlayerId:
        """Whose turn it is."""
        return self.players[len(self.rows) % 2]

    def use_turn(self, guess: str | None, now: datetime) -> None:
        """Write down a guess, or a skip."""
        player = self.on_turn
        self.rows.append(guess)
        self.deadline = now + PACE.turn
        if guess == self.word:
            self.end(Ending(Outcome.SOLVED, player))
        elif len(self.rows) == 12:
            self.end(Ending(Outcome.DRAW))

    def end(self, ending: Ending) -> None:
        """Write down the end."""
        assert self.ending is None
        self.ending, self.deadline = ending, None


class Referee:
    """A tournament of eight at a time `now`, driven as the use cases drive it."""

    def __init__(self, lives: Sequence[int], ratings: Sequence[int], seed: int) -> None:
        """Begin with the `lives` and `ratings` of the eight."""
        self.now = NOW
        self._chance = random.Random(seed)
        self.lives = dict(zip(PLAYERS, lives, strict=True))
        self._ratings_at_start = list(ratings)
        self.ratings = dict(zip(PLAYERS, ratings, strict=True))
        self.places: dict[PlayerId, int] = {}
        self.changes: dict[PlayerId, int] = {}
        self.left: set[PlayerId] = set()
        self.back_by: dict[PlayerId, datetime] = {}
        self.books: dict[DuelId, DuelBook] = {}
        self.duels: dict[DuelId, Duel] = {}
        self._words: set[str] = set()
        self._met: set[frozenset[PlayerId]] = set()
        self._rested: PlayerId | None = None
        entrants = tuple(
            Entrant(player, nickname=f"Nick {at}", rating=self.ratings[player], lives=count)
            for at, (player, count) in enumerate(self.lives.items())
        )
        self.tournament = Tournament(TournamentId("cup"), "en", entrants, started_at=NOW)
        self._events = 0
        self._round = 0
        self._take_deal(
            tournaments.begin(
                self.tournament, NOW, pace=PACE, chance=self._chance, answers=ANSWERS.__getitem__
            )
        )

    @property
    def active(self) -> list[PlayerId]:
        """Everybody still in, by the books."""
        return [one for one in PLAYERS if one not in self.places and one not in self.left]

    @property
    def running(self) -> list[DuelId]:
        """The duels in which turns can be played."""
        return [one for one, book in self.books.items() if book.deadline is not None]

    def guess(self, number: DuelId, guess: Guess) -> Code | None:
        """Send a guess; give the code with which it was refused, as it should be."""
        duel, book = self.duels[number], self.books[number]
        expected = _expected_refusal(book, guess)
        decide = partial(
            duels_of.decide_guess,
            duel,
            guess,
            self.now,
            turn_time=PACE.turn,
            allows=lambda word: word[0] == LISTED or word in ANSWERS[len(word)],
        )
        if expected is not None:
            with pytest.raises(Refusal) as refused:
                decide()
            assert refused.value.code is expected
            assert book.word not in f"{refused.value.message} {refused.value.details}"
            return expected
        events = decide()
        turn, row = len(book.rows) + 1, Row(guess.word, guess.received_at)
        book.use_turn(guess.word, self.now)
        used = GuessScored(turn, guess.player, row, book.deadline)
        self._move(number, events, [used, *_end_of(book)])
        return None

    def disconnect(self, player: PlayerId) -> None:
        """Lose the connection of a player."""
        back_by = self.now + PACE.grace
        expected: list[TournamentEvent] = []
        if player in self.active and self.back_by.get(player) != back_by:
            self.back_by[player] = back_by
            expected = [PlayerDisconnected(player, back_by)]
        events = tournaments.disconnect(self.tournament, player, back_by)
        self._apply(events, expected)

    def reconnect(self, player: PlayerId) -> None:
        """Bring a player back, in time or too late."""
        expected: list[TournamentEvent] = []
        if player in self.back_by:
            too_late = player in self.active and self.now > self.back_by[player]
            del self.back_by[player]
            expected = [PlayerLeft(player) if too_late else PlayerReconnected(player)]
            if too_late:
                self.left.add(player)
        self._apply(tournaments.reconnect(self.tournament, player, self.now), expected)

    def leave(self, player: PlayerId) -> None:
        """Let a player leave."""
        expected: list[TournamentEvent] = []
        if player in self.active:
            expected = [PlayerLeft(player)]
            self._write_leaver(player)
        self._apply(tournaments.leave(self.tournament, player), expected)

    def step(self, *, moves_at_once: int = 4) -> bool:
        """Do the next thing that is due, of several moves only some; False if nothing is due."""
        step = tournaments.advance(self.tournament, list(self.duels.values()), self.now, PACE)
        match step:
            case Wait(until):
                assert until == self._next_due()
                assert until is None or until > self.now
                return False
            case LetGo(events):
                overdue = [one for one in self.active if self._overdue(one)]
                assert overdue
                for player in overdue:
                    self._write_leaver(player)
                self._apply(events, [PlayerLeft(player) for player in overdue])
            case MoveDuels(moves):
                due = [number for number in self.books if self._is_due(number)]
                assert [duel.id for duel, _ in moves] == due
                for duel, moved in moves[:moves_at_once]:
                    assert duel is self.duels[duel.id]
                    self._move(duel.id, moved, self._write_move(self.books[duel.id]))
            case OpenRound(wake_at):
                assert all(book.started or book.ending for book in self.books.values())
                assert wake_at == self._next_due()
                self.tournament = replace(self.tournament, phase=Phase.DUELS, wake_at=wake_at)
            case Settle(events):
                self._settle(events)
        return True

    def tick(self) -> None:
        """Bring the tournament up to now, and see that once more changes nothing."""
        for _ in range(_STEPS_OF_ONE_TICK):
            if not self.step():
                break
        before = self.tournament, dict(self.duels)
        assert not self.step()
        assert before == (self.tournament, self.duels)

    def next_due(self) -> datetime:
        """Tell when something is due next; now, when the round or the tournament is over."""
        if all(book.ending for book in self.books.values()):
            return self.now
        return self._next_due() or self.now

    def play_out(self) -> None:
        """Let time alone end the tournament, and check what it comes to."""
        for _ in range(_WAKE_UPS_OF_A_TOURNAMENT):
            round_before = self._round
            self.tick()
            if self.tournament.over or self._round > round_before:
                self.check()
            if self.tournament.over:
                break
            self.now = max(self.now, self.next_due())
        assert self.tournament.over
        assert self.places.keys() == set(PLAYERS)
        assert [self.changes[player] for player in PLAYERS] == oracle_rating_changes(
            self._ratings_at_start, [self.places[player] for player in PLAYERS]
        )

    def check(self) -> None:
        """Hold the tournament against the books, and look for words in what players see."""
        assert self.tournament.version == self._events
        assert list(self.tournament.active) == self.active
        for entrant in self.tournament.entrants:
            player = entrant.player
            assert entrant.lives == self.lives[player]
            assert entrant.place == self.places.get(player)
            assert entrant.change == self.changes.get(player)
            assert entrant.left == (player in self.left)
            assert entrant.back_by == self.back_by.get(player)
        for number, book in self.books.items():
            _check_duel(self.duels[number], book)
        secrets = [book.word for book in self.books.values() if book.ending is None]
        shown = list(self._views())
        told = [*shown, *map(repr, [*shown, self.tournament, *self.duels.values()])]
        for text in (text for one in told for text in _texts(one)):
            assert not [word for word in secrets if word in text]

    def _views(self) -> Iterator[object]:
        yield views.view_tournament(self.tournament)
        yield views.view_tournament(self.tournament, PLAYERS[0])
        yield from map(views.view_standing, self.tournament.entrants)
        for duel in self.duels.values():
            yield views.view_duel(duel)
            yield views.view_turn(duel, duel.turn, duel.deadline)

    def _take_deal(self, deal: Deal) -> None:
        assert deal.before == self.tournament
        self._round += 1
        after = tournaments.apply_all(self.tournament, deal.events)
        assert replace(deal.tournament, words=()) == replace(after, words=())
        self._events += len(deal.events)
        self.tournament = deal.tournament
        self.duels = {duel.id: duel for duel in deal.duels}
        self.books = {duel.id: DuelBook(duel.word, duel.players) for duel in deal.duels}
        pairing = self.tournament.pairing
        assert (self.tournament.round, self.tournament.phase) == (self._round, Phase.INTRO)
        assert self.tournament.intro_ends_at == self.tournament.wake_at == self.now + PACE.intro
        assert tuple(duel.players for duel in deal.duels) == pairing.duels
        assert tuple(self.duels) == self.tournament.duel_ids()
        self._check_pairing([set(duel) for duel in pairing.duels], pairing.bye)
        for duel in deal.duels:
            assert (duel.tournament, duel.round) == (self.tournament.id, self._round)
            assert duel.language == self.tournament.language
            assert duel.word in ANSWERS[len(duel.word)]
            assert duel.word not in self._words
            self._words.add(duel.word)
            assert {self.tournament.duel_of(player) for player in duel.players} == {duel.id}
            _check_duel(duel, self.books[duel.id])

    def _check_pairing(self, pairs: list[set[PlayerId]], bye: PlayerId | None) -> None:
        everybody = [player for pair in pairs for player in pair]
        if bye is not None:
            everybody.append(bye)
            assert bye != self._rested
            assert self.tournament.duel_of(bye) is None
        assert sorted(everybody) == sorted(self.active)
        assert len(pairs) == len(self.active) // 2
        met = {frozenset(pair) for pair in pairs}
        assert len(self.active) == 2 or not met & self._met
        self._met, self._rested = met, bye

    def _apply(
        self, events: Sequence[TournamentEvent], expected: Sequence[TournamentEvent]
    ) -> None:
        assert list(events) == list(expected)
        self._events += len(events)
        self.tournament = tournaments.apply_all(self.tournament, events)

    def _move(
        self, number: DuelId, events: tuple[DuelEvent, ...], expected: list[DuelEvent]
    ) -> None:
        assert list(events) == expected
        self.duels[number] = duels_of.apply_all(self.duels[number], events)

    def _write_leaver(self, player: PlayerId) -> None:
        self.left.add(player)
        self.back_by.pop(player, None)

    def _overdue(self, player: PlayerId) -> bool:
        return player in self.back_by and self.back_by[player] <= self.now

    def _intro_over(self) -> bool:
        assert self.tournament.intro_ends_at is not None
        return self.tournament.intro_ends_at <= self.now

    def _is_due(self, number: DuelId) -> bool:
        book = self.books[number]
        if book.ending is not None:
            return False
        if self.left & set(book.players):
            return True
        if book.deadline is None:
            return self._intro_over()
        return book.deadline + PACE.settle <= self.now

    def _write_move(self, book: DuelBook) -> list[DuelEvent]:
        if self.left & set(book.players):
            stayed = [player for player in book.players if player not in self.left]
            book.end(Ending(Outcome.LEFT, *stayed))
            return _end_of(book)
        if not book.started:
            book.started, book.deadline = True, self.now + PACE.turn
            return [DuelStarted(book.deadline)]
        turn, player = len(book.rows) + 1, book.on_turn
        book.use_turn(None, self.now)
        return [TurnSkipped(turn, player, book.deadline), *_end_of(book)]

    def _settle(self, events: tuple[TournamentEvent, ...]) -> None:
        assert all(book.ending is not None for book in self.books.values())
        before = self.tournament
        lives_before = {one: self.lives[one] for one in PLAYERS if one not in self.places}
        for book in self.books.values():
            assert book.ending is not None
            for player in set(book.players) - self.left - {book.ending.winner}:
                self.lives[player] -= 1
        lives_after = {one: self.lives[one] for one in lives_before}
        placed, was_last = oracle_places(lives_after, self.left & lives_before.keys())
        assert not placed.keys() & self.places.keys()
        self.places |= placed

        events = tournaments.with_ratings(events, self.ratings)
        self._events += len(events)
        self.tournament = tournaments.apply_all(self.tournament, events)
        assert self.tournament.over == was_last

        so_far = [self.places.get(player, 0) for player in PLAYERS]
        changes = oracle_rating_changes(self._ratings_at_start, so_far)
        for placement in tournaments.newly_placed(before, self.tournament):
            player = placement.player
            assert placement.place == placed.pop(player)
            assert placement.change == changes[PLAYERS.index(player)]
            self.changes[player] = placement.change
            self.ratings[player] += placement.change
            assert self.tournament.entrant(player).rating_after == self.ratings[player]
        assert not placed
        if self.tournament.over:
            assert (self.tournament.wake_at, self.active) == (None, [])
            return
        self._take_deal(
            tournaments.deal_round(
                self.tournament,
                self.now,
                pace=PACE,
                chance=self._chance,
                answers=ANSWERS.__getitem__,
            )
        )

    def _next_due(self) -> datetime | None:
        if self.tournament.over:
            return None
        due = [self.back_by[player] for player in self.active if player in self.back_by]
        for book in self.books.values():
            if book.deadline is not None:
                due.append(book.deadline + PACE.settle)
            elif book.ending is None:
                assert self.tournament.intro_ends_at is not None
                due.append(self.tournament.intro_ends_at)
        return min(due)


def _expected_refusal(book: DuelBook, guess: Guess) -> Code | None:
    if book.ending is not None:
        return Code.DUEL_OVER
    if book.deadline is None:
        return Code.NOT_STARTED
    turn = len(book.rows) + 1
    if guess.turn < turn:
        return Code.STALE_TURN
    if guess.turn > turn or guess.player != book.on_turn:
        return Code.NOT_YOUR_TURN
    if guess.received_at - book.deadline > timedelta(0):
        return Code.DEADLINE_PASSED
    if not guess.word.isalpha():
        return Code.WRONG_LETTERS
    if len(guess.word) != len(book.word):
        return Code.WRONG_LENGTH
    return Code.NOT_IN_WORD_LIST if guess.word[0] == UNLISTED else None


def _end_of(book: DuelBook) -> list[DuelEvent]:
    return [] if book.ending is None else [DuelEnded(book.ending)]


def _check_duel(duel: Duel, book: DuelBook) -> None:
    assert [row and row.guess for row in duel.rows] == book.rows
    assert len(duel.rows) <= 12
    assert (duel.word, duel.players) == (book.word, book.players)
    assert (duel.deadline, duel.ending) == (book.deadline, book.ending)
    assert duel.version == book.started + len(book.rows) + (book.ending is not None)
    assert duel.over == (duel.phase is DuelPhase.ENDED) == (book.ending is not None)
    assert (duel.phase is DuelPhase.RUNNING) == (book.deadline is not None)


def _texts(told: object) -> Iterator[str]:
    """Find every text in what is told, and every row of letters read as one."""
    if isinstance(told, str):
        yield told
    elif is_dataclass(told):
        for one in fields(told):
            yield from _texts(getattr(told, one.name))
    elif isinstance(told, Mapping):
        yield from _texts(tuple(told.items()))
    elif isinstance(told, tuple):
        yield "".join(one for one in told if isinstance(one, str))
        for one in told:
            yield from _texts(one)
