"""A game in memory with its players around it, for tests of the use cases."""

import random
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar

from tests.usecases.following import Follower, follow
from tests.usecases.instruments import Crash, SteppedPush, SteppedStore, SteppedTimers, Steps
from wordle_tournament.adapters.memory_outside import (
    Grace,
    MemoryClock,
    MemoryInsults,
    MemoryLexicon,
    MemoryTokens,
    RoundClock,
    Timer,
)
from wordle_tournament.ports import messages
from wordle_tournament.ports.messages import Frame, Message
from wordle_tournament.ports.store import Aggregate, save
from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.group import Group
from wordle_tournament.rules.ids import ConnectionId, DuelId, GroupCode, PlayerId, TournamentId
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.refusals import Refusal
from wordle_tournament.rules.tournament import Pace, Tournament
from wordle_tournament.usecases import grouping, profiles, snapshots, watching
from wordle_tournament.usecases.game import Game, Sender, Superseded
from wordle_tournament.usecases.grace import expire_grace
from wordle_tournament.usecases.greeting import greet
from wordle_tournament.usecases.guessing import guess_word
from wordle_tournament.usecases.lobbies import join_lobby, leave
from wordle_tournament.usecases.presence import drain_losses, lose
from wordle_tournament.usecases.rounds import tick
from wordle_tournament.usecases.sweeping import sweep

M = TypeVar("M", bound=Message)

MS = timedelta(milliseconds=1)
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)

WORDS = tuple(
    first + middle + last
    for first in "bcdfgh"
    for middle in ("xu", "oxu", "oxux")
    for last in "klmnpr"
)
"""Words of four, five and six letters that come up in no nickname, id or name of a field."""

NEVER_HIDDEN = {4: "zzzz", 5: "zzzzz", 6: "zzzzzz"}
"""Words that may be guessed and are never right."""


class Client:
    """One player's end: what a connection sends, and what came to it."""

    def __init__(self, table: "Table", player: PlayerId) -> None:
        self.table = table
        self.player = player
        self.connections = 0
        self.connected_at = table.clock.now()
        self.requests = 0
        self.unanswered = 0
        self.crossed = False
        self.connect()

    @property
    def connection(self) -> ConnectionId:
        """The connection in use."""
        return ConnectionId(f"{self.player}-{self.connections}")

    def connect(self) -> None:
        """Open a new connection, without a word about the old one."""
        self.connections += 1
        self.table.clock.advance(MS)
        self.connected_at = self.table.clock.now()

    def sender(self, request_id: str | None = "request") -> Sender:
        """Speak on the connection in use."""
        return Sender(self.player, self.connection, self.connected_at, request_id)

    def hello(self, protocol: int = 1) -> messages.Welcome:
        """Send `hello` and return the answer."""
        told = self.do(
            lambda game, sender: greet(
                game, sender, protocol=protocol, token_issued_at=self.connected_at
            )
        )
        assert isinstance(told, messages.Welcome)
        return told

    def come_back(self) -> messages.Welcome:
        """Open a new connection and say hello on it."""
        self.connect()
        return self.hello()

    def sync(self) -> messages.Snapshot:
        """Ask for everything as it is."""
        told = self.do(snapshots.sync)
        assert isinstance(told, messages.Snapshot)
        return told

    def ping(self) -> None:
        """Ask for the time."""
        self.do(profiles.ping)

    def rename(self, nickname: str) -> None:
        """Choose another nickname."""
        self.do(lambda game, sender: profiles.rename(game, sender, nickname=nickname))

    def join(self, language: str = "en") -> None:
        """Ask for a game."""
        self.do(lambda game, sender: join_lobby(game, sender, language=language))

    def leave(self) -> None:
        """Leave lobby or tournament."""
        self.do(leave)

    def watch(self) -> messages.Snapshot:
        """Watch the duels of the tournament."""
        told = self.do(watching.watch)
        assert isinstance(told, messages.Snapshot)
        return told

    def unwatch(self) -> messages.Snapshot:
        """Watch no longer."""
        told = self.do(watching.unwatch)
        assert isinstance(told, messages.Snapshot)
        return told

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

    def create_group(self, language: str = "en") -> GroupCode:
        """Form a group and tell its code."""
        told = self.do(lambda game, sender: grouping.create_group(game, sender, language=language))
        assert isinstance(told, messages.GroupChanged)
        return told.group.code

    def join_group(self, code: GroupCode) -> None:
        """Come into a group."""
        self.do(lambda game, sender: grouping.join_group(game, sender, typed=code))

    def leave_group(self) -> None:
        """Go out of the group."""
        self.do(grouping.leave_group)

    def remove(self, member: "Client") -> None:
        """Take another member out of the group."""
        self.do(lambda game, sender: grouping.remove_member(game, sender, member=member.player))

    def set_group_language(self, language: str) -> None:
        """Choose the language of the group."""
        self.do(lambda game, sender: grouping.set_group_language(game, sender, language=language))

    def start_group(self) -> None:
        """Seat the group in a lobby."""
        self.do(grouping.start_group)

    def vanish(self) -> None:
        """Lose the connection without a goodbye: only pushes find out."""
        self.table.push.vanish(self.connection)

    def disconnect(self) -> None:
        """Lose the connection, and the gateway says so."""
        self.vanish()
        self.say_goodbye(self.connection)

    def say_goodbye(self, connection: ConnectionId) -> None:
        """Let the gateway tell the end of a connection of this player, perhaps late."""
        lose(self.table.game, self.player, connection)
        drain_losses(self.table.game)

    def do(self, use_case: Callable[[Game, Sender], None]) -> Message:
        """Run a use case as this player, and return the direct answer.

        Refusals and a newer connection come out as raised. What is done is answered exactly once,
        with the request's id, and what is refused by nothing but what is raised. A client that
        does not wait for an answer has `crossed` its own requests, and cannot tell their order.
        """
        self.requests += 1
        self.unanswered += 1
        self.crossed |= self.unanswered > 1
        connection = self.connection
        request_id = f"{connection}#{self.requests}"
        try:
            use_case(self.table.game, self.sender(request_id))
        except (Refusal, Superseded):
            assert self.table.answers_on(connection, request_id) == []
            raise
        finally:
            self.unanswered -= 1
            drain_losses(self.table.game)
        (answer,) = self.table.answers_on(connection, request_id)
        return answer.message

    def heard(self) -> list[Message]:
        """All messages that came on the connection in use, in order."""
        return [frame.message for frame in self.table.push.received(self.connection)]

    def all_heard(self, kind: type[M]) -> list[M]:
        """All messages of a kind that came on the connection in use."""
        return [message for message in self.heard() if isinstance(message, kind)]

    def take(self) -> list[Message]:
        """The messages since the last call."""
        return [frame.message for frame in self.table.push.take(self.connection)]

    def answer(self, kind: type[M]) -> M:
        """The last direct answer, which must be of a kind."""
        answers: list[Frame] = [
            frame
            for sent in self.table.push.sent
            for frame in sent.get(self.connection, ())
            if frame.request_id is not None
        ]
        message = answers[-1].message
        assert isinstance(message, kind), message
        return message

    def follow(self) -> Follower:
        """What a client knows that folds all it heard on the connection in use."""
        return follow(self.player, self.heard())

    def stored(self) -> Player:
        """The player as stored."""
        player = self.table.store.player(self.player)
        assert player is not None
        return player

    def group(self) -> Group:
        """The player's group as stored."""
        code = self.stored().group
        assert code is not None
        group = self.table.store.group(code)
        assert group is not None
        return group


class Table:
    """A game in memory; time stands still until it is moved."""

    def __init__(self, seed: int = 1, pace: Pace | None = None) -> None:
        self.steps = Steps()
        self.store = SteppedStore(self.steps)
        self.push = SteppedPush(self.steps)
        self.timers = SteppedTimers(self.steps)
        self.clock = MemoryClock()
        self.chance = random.Random(seed)
        self.clients: list[Client] = []
        self.ratings_at_start: dict[PlayerId, int] = {}
        self.game = Game(
            store=self.store,
            push=self.push,
            timers=self.timers,
            tokens=MemoryTokens(),
            clock=self.clock,
            chance=self.chance,
            lexicon=MemoryLexicon({"en": WORDS, "de": WORDS}, {"en": NEVER_HIDDEN.values()}),
            pace=pace or Pace(),
            insults=MemoryInsults({"oaf"}),
            invite_base_url="https://example.test/g/",
            draining=False,
        )

    def drain(self) -> None:
        """Let no tournament begin from now on."""
        self.game = replace(self.game, draining=True)

    def stranger(self, name: str) -> Client:
        """A player who has connected and has not said a word."""
        client = Client(self, PlayerId(name))
        self.clients.append(client)
        return client

    def client(self, name: str, rating: int | None = None) -> Client:
        """A player who has connected and said hello."""
        client = self.stranger(name)
        client.hello()
        if rating is not None:
            player = client.stored()
            self.store.commit(save(replace(player, rating=rating), player))
            self.ratings_at_start[player.id] = rating
        return client

    def several(self, names: str) -> list[Client]:
        """Players who have connected and said hello, one for each letter."""
        return [self.client(name) for name in names]

    def eight(self) -> list[Client]:
        """Eight players in a tournament that has just begun."""
        clients = [self.client(f"p{number}") for number in range(8)]
        for client in clients:
            client.join()
        return clients

    def friends(self, names: str) -> list[Client]:
        """A group of players, one for each letter, the first of whom leads."""
        leader, *others = clients = self.several(names)
        code = leader.create_group()
        for client in others:
            client.join_group(code)
        return clients

    def find(self, player: PlayerId) -> Client:
        """The client of a player."""
        return next(client for client in self.clients if client.player == player)

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

    def set_lives(self, client: Client, lives: Mapping[PlayerId, int]) -> None:
        """Bring the end of a client's tournament nearer, and let all clients know."""
        tournament = self.tournament(client)
        entrants = tuple(
            replace(entrant, lives=lives.get(entrant.player, entrant.lives))
            for entrant in tournament.entrants
        )
        self.store.commit(save(replace(tournament, entrants=entrants), tournament))
        for one in self.clients:
            if one.stored().ear == one.connection:
                one.sync()

    def open_round(self, client: Client) -> list[Duel]:
        """Let the intro pass and tell the running duels."""
        ends_at = self.tournament(client).intro_ends_at
        assert ends_at is not None
        self.pass_time(ends_at - self.clock.now())
        return self.duels(client)

    def solve(self, duel: Duel) -> Client:
        """Let the player on turn guess the word; tells who that is."""
        client = self.find(duel.player_of(duel.turn))
        client.guess(duel.id, duel.turn, duel.word)
        return client

    def miss(self, duel: Duel) -> Client:
        """Let the player on turn guess a word that is wrong; tells who that is."""
        client = self.find(duel.player_of(duel.turn))
        client.guess(duel.id, duel.turn, NEVER_HIDDEN[len(duel.word)])
        return client

    def hears(self, client: Client) -> bool:
        """Whether all that is sent to a client arrives."""
        return self.push.reaches(client.connection)

    def remember(self) -> Callable[[], None]:
        """Keep all as it is now; what is returned brings it back, any number of times."""
        things: list[object] = [self.store, self.push, self.timers, self.clock, *self.clients]
        kept = [_copied(vars(thing)) for thing in things]
        chance = self.chance.getstate()

        def bring_back() -> None:
            for thing, state in zip(things, kept, strict=True):
                vars(thing).update(_copied(state))
            self.chance.setstate(chance)
            self.game.lost.clear()
            self.steps.taken.clear()
            self.steps.before = None

        return bring_back

    def everything(self) -> Mapping[tuple[type[Aggregate], Hashable], Aggregate]:
        """All that is stored, to compare with what is stored later."""
        return self.store.everything()

    def answers_on(self, connection: ConnectionId, request_id: str) -> list[Frame]:
        """The direct answers to a request that were sent on a connection."""
        return [
            frame
            for sent in self.push.sent
            for frame in sent.get(connection, ())
            if frame.request_id == request_id
        ]

    def pass_time(self, by: timedelta, *, sweeping: bool = False) -> None:
        """Let time pass, waking every timer when it is due, the earliest first.

        With `sweeping` every full minute is swept, too.
        """
        end = self.clock.now() + by
        while True:
            due = [self.timers.next_wake()]
            if sweeping:
                due.append(_next_minute(self.clock.now()))
            wake = min((at for at in due if at is not None), default=None)
            if wake is None or wake > end:
                break
            self.clock.set(max(wake, self.clock.now()))
            self.timers.fire_due(self.clock.now(), self.wake)
            if sweeping and self.clock.now() == _next_minute(self.clock.now() - MS):
                self.sweep()
        self.clock.set(max(end, self.clock.now()))

    def sweep(self) -> None:
        """Do what the minute sweep does."""

        def failed(_: TournamentId, error: Exception) -> None:
            raise error

        sweep(self.game, failed)
        drain_losses(self.game)

    def tick(self, tournament: TournamentId) -> None:
        """Wake a tournament."""
        tick(self.game, tournament)
        drain_losses(self.game)

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


def code_of(command: Callable[[], object]) -> str:
    """The code with which a command is refused; fails when it is not."""
    try:
        command()
    except Refusal as refusal:
        return refusal.code
    except Superseded:
        return "superseded"
    raise AssertionError("not refused")


def changes_nothing(table: Table, command: Callable[[], object]) -> str:
    """The code with which a command is refused, which must change, and tell, nothing."""
    before = table.everything()
    sent = len(table.push.sent)
    code = code_of(command)
    assert table.everything() == before
    assert len(table.push.sent) == sent
    return code


def once(table: Table, rival: Callable[[], object]) -> Callable[[object], None]:
    """A hook of the store that lets a rival write before, or after, the next write."""

    def hook(_: object) -> None:
        table.store.before_commit = table.store.after_commit = None
        rival()

    return hook


def crash_after(table: Table, name: str) -> Callable[[int], None]:
    """A hook of the steps that ends the process once a step of this name has been taken."""

    def hook(_: int) -> None:
        if name in table.steps.taken:
            raise Crash

    return hook


def texts(frames: Iterable[Frame]) -> Sequence[str]:
    """All that can be read in frames, letters set apart as well as words."""
    return [repr(frame).casefold() for frame in frames]


def spellings(word: str) -> Sequence[str]:
    """How a word would look in `texts`."""
    return [word.casefold(), repr(tuple(word))[1:-1].casefold()]


def _copied(state: Mapping[str, object]) -> dict[str, object]:
    """Copy what changes in place, lists within it included; all else never changes."""
    copied: dict[str, object] = {}
    for name, value in state.items():
        if isinstance(value, dict):
            copied[name] = {
                key: list(one) if isinstance(one, list) else one for key, one in value.items()
            }
        elif isinstance(value, list | set):
            copied[name] = value.copy()
        else:
            copied[name] = value
    return copied


def _next_minute(now: datetime) -> datetime:
    return now.replace(second=0, microsecond=0) + MINUTE
