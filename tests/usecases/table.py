"""A game in memory with its players around it, for tests of the use cases."""

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from wordle_tournament.adapters.memory import MemoryStore
from wordle_tournament.adapters.memory_outside import (
    Grace,
    MemoryClock,
    MemoryLexicon,
    MemoryPush,
    MemoryTimers,
    MemoryTokens,
    RoundClock,
    Timer,
)
from wordle_tournament.ports import messages
from wordle_tournament.ports.messages import Frame, Message
from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.ids import ConnectionId, DuelId, PlayerId
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.refusals import Refusal
from wordle_tournament.rules.tournament import Pace, Tournament
from wordle_tournament.usecases.game import Game, Sender, Superseded
from wordle_tournament.usecases.grace import expire_grace
from wordle_tournament.usecases.greeting import greet
from wordle_tournament.usecases.guessing import guess_word
from wordle_tournament.usecases.lobbies import join_lobby, leave
from wordle_tournament.usecases.presence import drain_losses, lose
from wordle_tournament.usecases.rounds import tick

M = TypeVar("M", bound=Message)

WORDS = tuple(
    first + middle + last for first in "bcdf" for middle in ("al", "ola", "oral") for last in "klmn"
)
"""Some words of four, five and six letters; the game does not mind that few are English."""

NEVER_HIDDEN = {4: "zzzz", 5: "zzzzz", 6: "zzzzzz"}
"""Words that may be guessed and are never right."""


class Client:
    """One player's end: what a connection sends, and what came to it."""

    def __init__(self, table: "Table", player: PlayerId) -> None:
        self.table = table
        self.player = player
        self.connections = 0
        self.connected_at = table.clock.now()
        self.connect()

    @property
    def connection(self) -> ConnectionId:
        """The connection in use."""
        return ConnectionId(f"{self.player}-{self.connections}")

    def connect(self) -> None:
        """Open a new connection, without a word about the old one."""
        self.connections += 1
        self.connected_at = self.table.clock.now()

    def sender(self, request_id: str | None = "request") -> Sender:
        """Speak on the connection in use."""
        return Sender(self.player, self.connection, self.connected_at, request_id)

    def hello(self) -> messages.Welcome:
        """Send `hello` and return the answer."""
        self.do(
            lambda game, sender: greet(game, sender, protocol=1, token_issued_at=self.connected_at)
        )
        return self.answer(messages.Welcome)

    def join(self, language: str = "en") -> None:
        """Ask for a game."""
        self.do(lambda game, sender: join_lobby(game, sender, language=language))

    def leave(self) -> None:
        """Leave lobby or tournament."""
        self.do(leave)

    def guess(
        self, duel: DuelId, turn: int, word: str, received_at: datetime | None = None
    ) -> None:
        """Play a turn; received now unless said otherwise."""
        at = received_at or self.table.clock.now()
        self.do(
            lambda game, sender: guess_word(
                game, sender, duel_id=duel, turn=turn, word=word, received_at=at
            )
        )

    def vanish(self) -> None:
        """Lose the connection without a goodbye: only pushes find out."""
        self.table.push.vanish(self.connection)

    def disconnect(self) -> None:
        """Lose the connection, and the gateway says so."""
        self.table.push.vanish(self.connection)
        lose(self.table.game, self.player, self.connection)
        drain_losses(self.table.game)

    def do(self, use_case: Callable[[Game, Sender], None]) -> None:
        """Run a use case as this player; refusals and a newer connection come out as raised."""
        try:
            use_case(self.table.game, self.sender())
        finally:
            drain_losses(self.table.game)

    def heard(self) -> list[Message]:
        """All messages that came on the connection in use, in order."""
        return [frame.message for frame in self.table.push.received(self.connection)]

    def take(self) -> list[Message]:
        """The messages since the last call."""
        return [frame.message for frame in self.table.push.take(self.connection)]

    def answer(self, kind: type[M]) -> M:
        """The last direct answer, which must be of a kind."""
        answers: list[Frame] = [
            frame
            for frame in self.table.push.received(self.connection)
            if frame.request_id is not None
        ]
        message = answers[-1].message
        assert isinstance(message, kind), message
        return message

    def stored(self) -> Player:
        """The player as stored."""
        player = self.table.store.player(self.player)
        assert player is not None
        return player


class Table:
    """A game in memory; time stands still until it is moved."""

    def __init__(self, seed: int = 1, pace: Pace | None = None) -> None:
        self.store = MemoryStore()
        self.push = MemoryPush()
        self.timers = MemoryTimers()
        self.clock = MemoryClock()
        self.game = Game(
            store=self.store,
            push=self.push,
            timers=self.timers,
            tokens=MemoryTokens(),
            clock=self.clock,
            chance=random.Random(seed),
            lexicon=MemoryLexicon({"en": WORDS, "de": WORDS}, {"en": NEVER_HIDDEN.values()}),
            pace=pace or Pace(),
            invite_base_url="https://example.test/g/",
        )

    def client(self, name: str) -> Client:
        """A player who has connected and said hello."""
        client = Client(self, PlayerId(name))
        client.hello()
        return client

    def eight(self) -> list[Client]:
        """Eight players in a tournament that has just begun."""
        clients = [self.client(f"p{number}") for number in range(8)]
        for client in clients:
            client.join()
        return clients

    def tournament(self, client: Client) -> Tournament:
        """The tournament a client has a seat in."""
        seat = client.stored().tournament
        assert seat is not None
        tournament = self.store.tournament(seat.id)
        assert tournament is not None
        return tournament

    def duels(self, client: Client) -> list[Duel]:
        """The duels of the round of a client's tournament, as stored."""
        tournament = self.tournament(client)
        return list(self.store.duels(tournament.id, tournament.round))

    def duel(self, client: Client) -> Duel:
        """The client's own duel of the round, as stored."""
        return next(duel for duel in self.duels(client) if client.player in duel.players)

    def pass_time(self, by: timedelta) -> None:
        """Let time pass, waking every timer when it is due, the earliest first."""
        end = self.clock.now() + by
        while (wake := self.timers.next_wake()) is not None and wake <= end:
            self.clock.set(max(wake, self.clock.now()))
            self.timers.fire_due(self.clock.now(), self.wake)
        self.clock.set(end)

    def wake(self, timer: Timer) -> datetime | None:
        """Do what a timer's function does; tells when it wakes next."""
        try:
            match timer:
                case RoundClock(tournament=tournament_id, round_number=number):
                    tournament = tick(self.game, tournament_id)
                    return tournament.wake_at if tournament and tournament.round == number else None
                case Grace(player=player, loss=loss):
                    return expire_grace(self.game, player, loss)
        finally:
            drain_losses(self.game)


def code_of(command: Callable[[], None]) -> str:
    """The code with which a command is refused; fails when it is not."""
    try:
        command()
    except Refusal as refusal:
        return refusal.code
    except Superseded:
        return "superseded"
    raise AssertionError("not refused")
