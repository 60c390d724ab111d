"""Whatever is sent, in any order and at any time, a tournament keeps the rules and ends."""

from datetime import timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.rules.examples import MS
from tests.rules.referee import LISTED, PLAYERS, UNLISTED, Referee
from wordle_tournament.rules.duel import Guess
from wordle_tournament.rules.ids import DuelId, PlayerId

PLAYER = st.sampled_from(PLAYERS)
DUEL = st.integers(0, 3)
WORDS = st.sampled_from(["right", "listed", "listed", "unlisted", "too long", "no letters"])


class AnyOrder(RuleBasedStateMachine):
    """Commands and wake-ups, each checked by the referee."""

    referee: Referee

    @initialize(
        lives=st.lists(st.integers(1, 3), min_size=8, max_size=8),
        ratings=st.lists(st.integers(0, 3000), min_size=8, max_size=8),
        seed=st.integers(0, 2**32),
    )
    def begin(self, lives: list[int], ratings: list[int], seed: int) -> None:
        """R1.1, R1.2: fewer lives than three bring the end nearer."""
        self.referee = Referee(lives, ratings, seed)

    @rule(
        number=DUEL,
        player=st.one_of(st.none(), st.none(), PLAYER),
        turns_ahead=st.sampled_from([0, 0, 0, 0, -2, -1, 1, 2, 13]),
        word=WORDS,
        after_deadline=st.sampled_from([-20_000, -20_000, -1, 0, 1, 100]),
    )
    def guess(
        self,
        number: int,
        player: PlayerId | None,
        turns_ahead: int,
        word: str,
        after_deadline: int,
    ) -> None:
        """R3.4–R3.9: anybody's guess, most often that of the player on turn."""
        duel = self._duel(number)
        book = self.referee.books[duel]
        length = len(book.word)
        typed = {
            "right": book.word,
            "listed": LISTED * length,
            "unlisted": UNLISTED * length,
            "too long": LISTED * (length + 1),
            "no letters": "?" * length,
        }[word]
        deadline = book.deadline or self.referee.now
        self.referee.guess(
            duel,
            Guess(
                player=player or book.on_turn,
                turn=len(book.rows) + 1 + turns_ahead,
                word=typed,
                received_at=deadline + after_deadline * MS,
            ),
        )

    @rule(number=DUEL, misses=st.integers(0, 11))
    def solve(self, number: int, misses: int) -> None:
        """R3.4: a whole duel in time, with a few wrong guesses before the right one."""
        duel = self._duel(number)
        book = self.referee.books[duel]
        for _ in range(misses):
            if book.deadline is not None and len(book.rows) < 11:
                word = LISTED * len(book.word)
                turn = len(book.rows) + 1
                assert not self.referee.guess(duel, Guess(book.on_turn, turn, word, book.deadline))
        if book.deadline is not None:
            turn = len(book.rows) + 1
            self.referee.guess(duel, Guess(book.on_turn, turn, book.word, book.deadline))
            assert book.ending is not None

    @rule(ms=st.integers(1, 90_000))
    def pass_time(self, ms: int) -> None:
        """Time passes, and nobody wakes up."""
        self.referee.now += ms * MS

    @rule(offset=st.sampled_from([-1, 0, 1, 600_000]))
    def wake_up(self, offset: int) -> None:
        """A timer fires: a moment early, on time, late, much too late."""
        at = self.referee.next_due() + offset * MS
        self.referee.now = max(self.referee.now, at)
        self.referee.tick()

    @rule()
    def open_round(self) -> None:
        """R1.3: the intro ends, as the clock of the round sees it."""
        if not self.referee.running:
            self.wake_up(0)

    @rule()
    def tick(self) -> None:
        """Anybody may wake the tournament at any time, twice, too."""
        self.referee.tick()
        self.referee.tick()

    @rule(moves=st.integers(1, 4))
    def begin_tick_and_crash(self, moves: int) -> None:
        """Of what is due only a part is done."""
        self.referee.step(moves_at_once=moves)

    @rule(player=PLAYER)
    def disconnect(self, player: PlayerId) -> None:
        """R7.2, R7.5"""
        self.referee.disconnect(player)

    @rule(player=PLAYER)
    def reconnect(self, player: PlayerId) -> None:
        """R7.2: in time or too late, with or without a loss before."""
        self.referee.reconnect(player)

    @rule(player=PLAYER, offset=st.sampled_from([-1, 0, 1]), wakes=st.booleans())
    def lose_and_return(self, player: PlayerId, offset: int, wakes: bool) -> None:
        """R7.2: back around the very end of the grace period."""
        self.referee.disconnect(player)
        self.referee.now += timedelta(seconds=60) + offset * MS
        if wakes:
            self.referee.tick()
        self.referee.reconnect(player)

    @rule(player=PLAYER)
    def leave(self, player: PlayerId) -> None:
        """R4.2, R4.6"""
        self.referee.leave(player)

    @rule(player=PLAYER, points=st.integers(-50, 50))
    def play_elsewhere(self, player: PlayerId, points: int) -> None:
        """R5.5, R6.6: who is out may win or lose points in another tournament meanwhile."""
        self.referee.ratings[player] += points

    @invariant()
    def keeps_the_rules(self) -> None:
        """The tournament agrees with the books, and no word is seen."""
        self.referee.check()

    def teardown(self) -> None:
        """Time alone ends every tournament, with everybody placed and rated once."""
        if hasattr(self, "referee"):
            self.referee.play_out()

    def _duel(self, number: int) -> DuelId:
        ids = list(self.referee.books)
        return ids[number % len(ids)]


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
