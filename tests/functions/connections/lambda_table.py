"""The game in memory whose players, timers and sweep go through the real functions."""

import json
from datetime import UTC, datetime
from typing import TypeVar

from tests.functions.conftest import CONTEXT, Functions, arriving
from tests.usecases.table import Client, Table
from wordle_tools.bench.functions import load_handler
from wordle_tournament.adapters.memory_outside import Grace, RoundClock, Timer
from wordle_tournament.ports import messages
from wordle_tournament.ports.messages import Message
from wordle_tournament.rules.ids import ConnectionId, DuelId, GroupCode, PlayerId, TournamentId
from wordle_tournament.rules.moments import to_ms
from wordle_tournament.rules.refusals import Refusal
from wordle_tournament.rules.tournament import Entrant, Tournament
from wordle_tournament.usecases.game import Superseded

M = TypeVar("M", bound=Message)


class LambdaClient(Client):
    """A player whose every message, and whose goodbye, is an event to a function."""

    table: "LambdaTable"

    def say(self, action: str, **fields: object) -> Message:
        """Send an action; refusals and a newer connection are raised as the answer tells them."""
        return self.say_received(self.table.clock.now(), action, **fields)

    def say_received(self, at: datetime, action: str, **fields: object) -> Message:
        """Let an action be handled now that the gateway received at some time."""
        self.requests += 1
        connection, request_id = self.connection, f"{self.connection}#{self.requests}"
        body = json.dumps({"action": action, "requestId": request_id, **fields})
        event = arriving(self.table.functions.event("message"), self, body=body)
        event["requestContext"]["requestTimeEpoch"] = to_ms(at)
        self.table.functions.call(self, action, event)
        (frame,) = self.table.answers_on(connection, request_id)
        match frame.message:
            case messages.Error(code=code, message=text, details=details):
                raise Refusal(code, text, details)
            case messages.Replaced():
                raise Superseded
            case answer:
                return answer

    def ask(self, kind: type[M], action: str, **fields: object) -> M:
        """Send an action that is answered by a message of this kind."""
        answer = self.say(action, **fields)
        assert isinstance(answer, kind), answer
        return answer

    def hello(self, protocol: int = 1) -> messages.Welcome:
        return self.ask(messages.Welcome, "hello", protocol=protocol)

    def sync(self) -> messages.Snapshot:
        return self.ask(messages.Snapshot, "sync")

    def join(self, language: str = "en") -> None:
        self.say("join", language=language)

    def leave(self) -> None:
        self.say("leave")

    def watch(self) -> messages.Snapshot:
        return self.ask(messages.Snapshot, "watch")

    def unwatch(self) -> messages.Snapshot:
        return self.ask(messages.Snapshot, "unwatch")

    def create_group(self, language: str = "en") -> GroupCode:
        return self.ask(messages.GroupChanged, "createGroup", language=language).group.code

    def join_group(self, code: GroupCode) -> None:
        self.say("joinGroup", code=code)

    def guess(
        self, duel: DuelId, turn: int, word: str, received_at: datetime | None = None
    ) -> None:
        at = received_at or self.table.clock.now()
        self.say_received(at, "guess", duelId=duel, turn=turn, word=word)

    def say_goodbye(self, connection: ConnectionId) -> None:
        event = arriving(self.table.functions.event("disconnect"), self)
        event["requestContext"]["connectionId"] = connection
        assert self.table.functions.call(self, "disconnect", event) == []


def outcome_of(client: Client, action: str, **fields: object) -> str:
    """Send an action and tell the code of its refusal, or the type of its answer."""
    assert isinstance(client, LambdaClient)
    try:
        return client.say(action, **fields).type
    except Refusal as refusal:
        return refusal.code
    except Superseded:
        return messages.Replaced.type


class LambdaTable(Table):
    """A table whose time passes by the functions of timers and sweep."""

    functions: Functions

    def stranger(self, name: str) -> LambdaClient:
        client = LambdaClient(self, PlayerId(name))
        self.clients.append(client)
        return client

    def tick(self, tournament: TournamentId) -> None:
        stored = self.store.tournament(tournament)
        assert stored is not None
        self.wake(RoundClock(tournament, stored.round, self.clock.now()))

    def sweep(self) -> None:
        load_handler("sweep")(self.functions.event("sweep"), CONTEXT)

    def wake(self, timer: Timer) -> datetime | None:
        """Run a timer's task; tells when its state machine wakes next, in whole seconds."""
        match timer:
            case RoundClock(tournament=tournament, round_number=number):
                state = load_handler("tick")({"tournamentId": tournament, "round": number}, CONTEXT)
            case Grace(player=player, loss=loss):
                state = load_handler("expireGrace")({"playerId": player, "loss": loss}, CONTEXT)
        return None if state["over"] else _read_time(state["wakeAt"])

    def only_tournament(self) -> Tournament:
        """The one tournament there is."""
        (tournament,) = self.store.all_of(Tournament)
        return tournament

    def entrant(self, client: Client) -> Entrant:
        """What the only tournament there is holds of a player."""
        return self.only_tournament().entrant(client.player)


def _read_time(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
