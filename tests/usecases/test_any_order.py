"""Whatever ten players do, in any order, lost timers included, the game holds and goes on."""

from collections.abc import Callable
from datetime import timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.usecases.invariants import (
    check_everything,
    check_followers,
    check_pushes,
    play_out,
)
from tests.usecases.table import MS, NEVER_HIDDEN, SECOND, Client, Table
from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.group import Group
from wordle_tournament.rules.ids import DuelId, GroupCode
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.refusals import Refusal
from wordle_tournament.rules.tournament import Tournament
from wordle_tournament.usecases.game import Superseded

PLAYERS = 10
PLAYER = st.integers(0, PLAYERS - 1)
LANGUAGE = st.sampled_from(["en", "en", "en", "de"])


class AnyOrder(RuleBasedStateMachine):
    """Actions of ten players, and time that passes."""

    table: Table

    @initialize(
        seed=st.integers(0, 2**32),
        waiting=st.sampled_from([8, 8, 8, 9, 7, 6, 0]),
        friends=st.integers(0, 4),
        lives=st.integers(1, 3),
    )
    def begin(self, seed: int, waiting: int, friends: int, lives: int) -> None:
        """Some are friends, some ask for a game; whoever has few lives is soon out."""
        self.table = Table(seed)
        self.lives = lives
        self.timers_lost = False
        check_pushes(self.table)
        clients = [self.table.client(f"p{number}") for number in range(PLAYERS)]
        if friends:
            code = clients[-1].create_group()
            for client in clients[-friends:-1]:
                client.join_group(code)
        for client in clients[:waiting]:
            client.join()

    @rule(player=PLAYER, language=LANGUAGE)
    def join(self, player: int, language: str) -> None:
        """R6.1–R6.4"""
        self._do(player, lambda client: client.join(language))

    @rule(player=PLAYER)
    def leave(self, player: int) -> None:
        """R4.2, R6.5, R6.6"""
        self._do(player, lambda client: client.leave())

    @rule(player=PLAYER)
    def hello(self, player: int) -> None:
        """R7.3, R7.4: once more on the same connection, or the first time on a new one."""
        self._do(player, lambda client: client.hello())

    @rule(player=PLAYER, greets=st.booleans(), notices=st.booleans())
    def come_on_a_new_connection(self, player: int, greets: bool, notices: bool) -> None:
        """R7.3: with or without a goodbye of the older one, before or after."""
        client = self.table.clients[player]
        older = client.connection
        client.connect()
        if greets:
            self._do(player, lambda client: client.hello())
        if notices:
            client.say_goodbye(older)

    @rule(player=PLAYER)
    def disconnect(self, player: int) -> None:
        """R6.5, R7.2"""
        self.table.clients[player].disconnect()

    @rule(player=PLAYER)
    def vanish(self, player: int) -> None:
        """R7.2: without a goodbye."""
        self.table.clients[player].vanish()

    @rule(player=PLAYER)
    def sync(self, player: int) -> None:
        """R7.4"""
        self._do(player, lambda client: client.sync())

    @rule(player=PLAYER)
    def ask_for_little(self, player: int) -> None:
        """R10.1"""
        self._do(player, lambda client: client.ping())
        self._do(player, lambda client: client.rename(f"Name {self.table.clock.now():%S%f}"))

    @rule(player=PLAYER, watching=st.booleans())
    def watch(self, player: int, watching: bool) -> None:
        """R4.6"""
        self._do(player, lambda client: client.watch() if watching else client.unwatch())

    @rule(
        player=PLAYER,
        number=st.integers(0, 3),
        ahead=st.sampled_from([0, 0, 0, -1, 1]),
        word=st.sampled_from(["right", "wrong", "short"]),
        late=st.sampled_from([0, 0, 0, 40_000]),
    )
    def guess(self, player: int, number: int, ahead: int, word: str, late: int) -> None:
        """R3.4–R3.9: in any duel, in turn or not."""
        duels = [duel for duel in self.table.store.all_of(Duel) if not duel.over]
        duel = duels[number % len(duels)] if duels else None
        if duel is None:
            self._do(player, lambda client: client.guess(DuelId("x.1.0"), 1, "zzzz"))
            return
        typed = {"right": duel.word, "wrong": NEVER_HIDDEN[len(duel.word)], "short": "zz"}[word]
        received_at = self.table.clock.now() + late * MS
        self._do(
            player,
            lambda client: client.guess(duel.id, duel.turn + ahead, typed, received_at),
        )

    @rule(misses=st.integers(0, 11), solves=st.booleans())
    def play_all_duels(self, misses: int, solves: bool) -> None:
        """R3: each running duel goes on for some turns, as far as its players are there."""
        for duel in self.table.store.all_of(Duel):
            self._play(duel, misses, solves)

    @rule(rounds=st.integers(1, 4), watch=st.booleans())
    def play_rounds(self, rounds: int, watch: bool) -> None:
        """R1.2, R4.6: whoever is there solves at once, and perhaps watches the others."""
        for _ in range(rounds):
            self.table.pass_time(6 * SECOND)
            for duel in self.table.store.all_of(Duel):
                self._play(duel, 0, solves=True)
                if watch:
                    for player in range(PLAYERS):
                        self._do(player, lambda client: client.watch())

    @rule(language=LANGUAGE, player=PLAYER)
    def create_group(self, player: int, language: str) -> None:
        """R8.1"""
        self._do(player, lambda client: client.create_group(language))

    @rule(player=PLAYER, number=st.integers(0, 4))
    def join_group(self, player: int, number: int) -> None:
        """R8.1"""
        codes = sorted(group.code for group in self.table.store.all_of(Group))
        code = codes[number % len(codes)] if codes else GroupCode("none")
        self._do(player, lambda client: client.join_group(code))

    @rule(player=PLAYER)
    def leave_group(self, player: int) -> None:
        """R8.5"""
        self._do(player, lambda client: client.leave_group())

    @rule(player=PLAYER, other=PLAYER, language=LANGUAGE)
    def change_the_group(self, player: int, other: int, language: str) -> None:
        """R8.6"""
        self._do(player, lambda client: client.remove(self.table.clients[other]))
        self._do(player, lambda client: client.set_group_language(language))

    @rule(player=PLAYER)
    def start_group(self, player: int) -> None:
        """R8.2, R8.6: most often by whoever leads."""
        self._do(player, lambda client: client.start_group())
        for group in self.table.store.all_of(Group):
            leader = self.table.find(group.leader)
            self._do(self.table.clients.index(leader), lambda client: client.start_group())

    @rule(ms=st.sampled_from([1, 999, 6_000, 31_000, 59_999, 60_000, 61_000]), sweep=st.booleans())
    def pass_time(self, ms: int, sweep: bool) -> None:
        """R3.2, R7.2: timers wake."""
        self.table.pass_time(ms * MS, sweeping=sweep)

    @rule(ms=st.integers(1, 90_000))
    def sleep(self, ms: int) -> None:
        """All timers are late."""
        self.table.clock.advance(ms * MS)

    @rule()
    def wake_everything_twice(self) -> None:
        """All timers are early, and doubled."""
        for timer in list(self.table.timers.waiting):
            self.table.wake(timer)
            self.table.wake(timer)

    @rule()
    def lose_all_timers(self) -> None:
        """R7.2, R8.5: only the sweep, and those who want something, go on."""
        for timer in list(self.table.timers.waiting):
            self.timers_lost = True
            self.table.timers.lose(timer)

    @invariant()
    def keeps_the_rules(self) -> None:
        """Seats, groups, ratings, and what everybody knows."""
        self._shorten()
        check_everything(self.table)
        check_followers(self.table)
        self._check_leaders()

    def teardown(self) -> None:
        """Time, timers and the sweep end every tournament."""
        if hasattr(self, "table"):
            play_out(self.table)
            check_followers(self.table)

    def _do(self, player: int, action: Callable[[Client], object]) -> None:
        """Act as a player who is connected; each action is answered once, or refused."""
        client = self.table.clients[player]
        if not self.table.hears(client):
            client.connect()
        try:
            action(client)
        except (Refusal, Superseded):
            return

    def _play(self, duel: Duel, misses: int, solves: bool) -> None:
        for last in (*[False] * misses, solves):
            stored = self.table.store.duel(duel.id)
            if stored is None or stored.deadline is None or stored.over:
                return
            word = stored.word if last else NEVER_HIDDEN[len(stored.word)]
            client = self.table.find(stored.player_of(stored.turn))
            if not self.table.hears(client) or client.stored().connection is None:
                return
            self._guess(client, stored, word)

    def _guess(self, client: Client, duel: Duel, word: str) -> None:
        try:
            client.guess(duel.id, duel.turn, word)
        except Refusal:
            return

    def _shorten(self) -> None:
        """Let whoever is new in a tournament have only so many lives."""
        for tournament in self.table.store.all_of(Tournament):
            lives = {one.player: min(one.lives, self.lives) for one in tournament.entrants}
            if lives == {one.player: one.lives for one in tournament.entrants}:
                continue
            for client in self.table.clients:
                seat = client.stored().tournament
                if seat is not None and seat.id == tournament.id:
                    self.table.set_lives(client, lives)
                    break

    def _check_leaders(self) -> None:
        """R8.5: whoever leads is there, or has not been gone for 60 s, or nobody is there."""
        now = self.table.clock.now()
        players = {player.id: player for player in self.table.store.all_of(Player)}
        for group in self.table.store.all_of(Group):
            leader = players[group.leader]
            waiting = [timer for timer in self.table.timers.waiting.values() if timer <= now]
            if self.timers_lost or waiting or leader.connection is not None:
                continue
            assert leader.lost_at is not None
            assert now < leader.lost_at + 60 * SECOND + timedelta(milliseconds=1)


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
