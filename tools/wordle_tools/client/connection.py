"""A player's connection: requests and answers, events in order, and coming back by itself."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar
from weakref import WeakKeyDictionary

from pydantic import SecretStr
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidStatus

from wordle_tools.client.errors import (
    BreachError,
    ClosedError,
    NotAnsweredError,
    RefusedError,
    TakenOverError,
    TokenRefusedError,
    UnreachableError,
)
from wordle_tools.client.messages import (
    PROTOCOL_VERSION,
    ErrorTold,
    Group,
    GroupLeft,
    GroupTold,
    GuessMade,
    History,
    Leaderboard,
    Left,
    Lobby,
    LobbyTold,
    MalformedMessageError,
    Message,
    Pong,
    Profile,
    ProfileTold,
    Replaced,
    Snapshot,
    Welcome,
    parse,
    request_id_of,
)
from wordle_tools.client.state import GameState, fold

log = logging.getLogger(__name__)

# The socket library logs the headers of a handshake, the token among them, at debug level.
_socket_log = logging.getLogger("wordle_tools.client.socket")
_socket_log.setLevel(logging.WARNING)

HANDSHAKES_AT_ONCE = 8
"""How many handshakes all clients of one process have under way at the same time."""

_LARGEST_FRAME_READ = 1024 * 1024
_REFUSED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_WORTH_ANOTHER_TRY = ("try_again", "too_many_requests")

_gates: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()
_Answer = TypeVar("_Answer", bound=Message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How patient a client is; all times in seconds.

    The gateway closes a connection after 10 minutes of silence and after 2 hours in any case.
    """

    ping_every: float = 240
    rotate_after: float = 110 * 60
    welcome_within: float = 10
    answer_within: float = 10
    sends: int = 3
    tries_when_busy: int = 6
    sync_after: float = 0.5
    overdue_after: float = 5
    first_delay: float = 0.25
    longest_delay: float = 15
    first_attempts: int = 4
    attempts: int = 12


class Tap(Protocol):
    """Hears every frame of a client; connections are counted from 1."""

    def opened(self, connection: int) -> None:
        """A handshake succeeded."""

    def sent(self, connection: int, text: str) -> None:
        """The client sent a frame."""

    def received(self, connection: int, text: str) -> None:
        """The server sent a frame."""

    def closed(self, connection: int) -> None:
        """The connection is gone."""


@dataclass(frozen=True, slots=True)
class Update:
    """The state after a message, and what took effect with it, in order of version."""

    state: GameState
    effective: tuple[Message, ...]


@dataclass(eq=False, slots=True)
class _Session:
    """One socket, from its handshake to its end."""

    number: int
    socket: ClientConnection
    last_sent: float
    superseded: bool = False
    reader: asyncio.Task[None] | None = None


@dataclass(eq=False, slots=True)
class _Request:
    """A command that waits for its answer."""

    action: str
    text: str
    answer: asyncio.Future[Message] = field(repr=False)
    sent_on: int = 0


class Client:
    """One player's way to the server; `async with` connects, says hello and closes.

    Reconnects with the same token when the connection is lost, sends unanswered commands again
    with their request ids, keeps the connection awake, replaces it before the gateway's time is
    up and stops for good when a newer connection of the player takes over.
    """

    def __init__(
        self,
        url: str,
        *,
        token: SecretStr | None = None,
        pace: Pace | None = None,
        tap: Tap | None = None,
        chance: random.Random | None = None,
    ) -> None:
        """Prepare a client for the WebSocket `url`; without a token a new player is made."""
        self._url = url
        self._token = token
        self._pace = pace or Pace()
        self._tap = tap
        self._chance = chance or random.Random()
        self._state = GameState()
        self._session: _Session | None = None
        self._connections = 0
        self._requests: dict[str, _Request] = {}
        self._requests_made = 0
        self._prefix = f"{self._chance.getrandbits(48):012x}"
        self._listeners: list[asyncio.Queue[Update | None]] = []
        self._welcomed: asyncio.Future[None] | None = None
        self._end: BaseException | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._syncing: asyncio.Task[None] | None = None
        self._clock_ahead_ms = 0

    def __repr__(self) -> str:
        return f"<Client {self._state.me or 'not yet welcomed'}>"

    @property
    def state(self) -> GameState:
        """All that the player knows."""
        return self._state

    @property
    def token(self) -> SecretStr | None:
        """The player's secret, to come back with."""
        return self._token

    @property
    def connected(self) -> bool:
        """Whether the server has welcomed the connection that is open now."""
        return self._session is not None

    @property
    def end(self) -> BaseException | None:
        """Why the client has ended, once it has."""
        return self._end

    def server_time(self) -> int:
        """The server's clock, in milliseconds since the epoch."""
        return _now_ms() + self._clock_ahead_ms

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def start(self) -> None:
        """Connect and say hello; raises `TokenRefusedError` or `UnreachableError`."""
        self._welcomed = asyncio.get_running_loop().create_future()
        self._spawn(self._stay_connected())
        self._spawn(self._sync_when_overdue())
        try:
            await self._welcomed
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close the connection for good."""
        self._finish(ClosedError("the client was closed"))
        await self._join_tasks()

    async def _join_tasks(self) -> None:
        """Stop what runs; each task closes its own socket on the way out."""
        current = asyncio.current_task()
        tasks = [task for task in self._tasks if task is not current]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def drop(self) -> None:
        """Cut the connection without a goodbye, as a failing network does."""
        if self._session is not None:
            self._session.socket.transport.abort()

    async def updates(self) -> AsyncIterator[Update]:
        """Give the present state, then every change of it; ends with the client, raising why."""
        listener: asyncio.Queue[Update | None] = asyncio.Queue()
        self._listeners.append(listener)
        try:
            yield Update(self._state, ())
            while self._end is None or not listener.empty():
                update = await listener.get()
                if update is not None:
                    yield update
        finally:
            self._listeners.remove(listener)
        if self._end is not None and not isinstance(self._end, ClosedError):
            raise self._end

    async def wait_until(self, holds: Callable[[GameState], bool]) -> GameState:
        """Wait for a state in which something holds; raises why the client ended if it does."""
        listener: asyncio.Queue[Update | None] = asyncio.Queue()
        self._listeners.append(listener)
        try:
            while not holds(self._state):
                if self._end is not None:
                    raise self._end
                await listener.get()
            return self._state
        finally:
            self._listeners.remove(listener)

    async def rename(self, nickname: str) -> Profile:
        """Take another nickname."""
        return (await self._expect(ProfileTold, "rename", nickname=nickname)).profile

    async def join(self, language: str) -> Lobby:
        """Ask for a tournament."""
        return (await self._expect(LobbyTold, "join", language=language)).lobby

    async def leave(self) -> Left:
        """Leave the lobby or the tournament."""
        return await self._expect(Left, "leave")

    async def guess(self, duel_id: str, turn: int, word: str) -> GuessMade:
        """Play one's turn."""
        return await self._expect(GuessMade, "guess", duelId=duel_id, turn=turn, word=word)

    async def watch(self) -> Snapshot:
        """See the running duels of the tournament."""
        return await self._expect(Snapshot, "watch")

    async def unwatch(self) -> Snapshot:
        """Stop watching."""
        return await self._expect(Snapshot, "unwatch")

    async def sync(self) -> Snapshot:
        """Ask for everything as it stands."""
        return await self._expect(Snapshot, "sync")

    async def ping(self) -> Pong:
        """Ask for a sign of life."""
        return await self._expect(Pong, "ping")

    async def create_group(self, language: str) -> Group:
        """Found a group and lead it."""
        return (await self._expect(GroupTold, "createGroup", language=language)).group

    async def join_group(self, code: str) -> Group:
        """Join the group with an invite code."""
        return (await self._expect(GroupTold, "joinGroup", code=code)).group

    async def leave_group(self) -> GroupLeft:
        """Leave one's group."""
        return await self._expect(GroupLeft, "leaveGroup")

    async def remove_from_group(self, player_id: str) -> Group:
        """Remove a member from the group that one leads."""
        return (await self._expect(GroupTold, "removeFromGroup", playerId=player_id)).group

    async def set_group_language(self, language: str) -> Group:
        """Choose the language of the group that one leads."""
        return (await self._expect(GroupTold, "setGroupLanguage", language=language)).group

    async def start_group(self) -> Lobby:
        """Take the group that one leads into a lobby."""
        return (await self._expect(LobbyTold, "startGroup")).lobby

    async def history(self, before: str | None = None, limit: int | None = None) -> History:
        """Read one's finished games, newest first."""
        return await self._expect(History, "history", before=before, limit=limit)

    async def leaderboard(self, limit: int | None = None) -> Leaderboard:
        """Read who is best."""
        return await self._expect(Leaderboard, "leaderboard", limit=limit)

    async def request(self, action: str, **fields: object) -> Message:
        """Send any action and give its answer; fields that are None are left out.

        Busy answers are waited out. Raises `RefusedError`, `NotAnsweredError` or why the client
        ended.
        """
        told = {name: value for name, value in fields.items() if value is not None}
        for attempt in range(self._pace.tries_when_busy - 1):
            try:
                return await self._ask(action, told)
            except RefusedError as refusal:
                if refusal.code not in _WORTH_ANOTHER_TRY:
                    raise
                await asyncio.sleep(self._wait_when_busy(refusal, attempt))
        return await self._ask(action, told)

    async def _expect(self, kind: type[_Answer], action: str, **fields: object) -> _Answer:
        answer = await self.request(action, **fields)
        if not isinstance(answer, kind):
            raise BreachError(f"{action} was answered by {answer.type}")
        return answer

    def _wait_when_busy(self, refusal: RefusedError, attempt: int) -> float:
        asked = refusal.details.get("retryAfterMs")
        seconds = asked / 1000 if isinstance(asked, int) else 0.0
        return seconds + self._delay(attempt)

    def _delay(self, failures: int) -> float:
        """A back-off that doubles with each failure, of which chance takes up to half."""
        pace = self._pace
        longest = min(pace.longest_delay, pace.first_delay * 2.0 ** min(failures, 30))
        return longest * self._chance.uniform(0.5, 1)

    async def _ask(self, action: str, fields: dict[str, object]) -> Message:
        if self._end is not None:
            raise self._end
        request_id, request = self._new_request(action, fields)
        self._requests[request_id] = request
        try:
            timeouts = 0
            while timeouts < self._pace.sends:
                session = self._session
                if session is not None:
                    await self._send(session, request)
                done, _ = await asyncio.wait({request.answer}, timeout=self._pace.answer_within)
                if done:
                    return request.answer.result()
                # Time without a connection does not count; a second silence is the connection's.
                timeouts += session is not None and session is self._session
                if timeouts > 1 and session is not None and not request.answer.done():
                    await session.socket.close()
            raise NotAnsweredError(f"{action} was not answered")
        finally:
            del self._requests[request_id]
            request.answer.cancel()

    def _new_request(self, action: str, fields: dict[str, object]) -> tuple[str, _Request]:
        self._requests_made += 1
        request_id = f"{self._prefix}-{self._requests_made}"
        text = json.dumps(
            {"action": action, "requestId": request_id, **fields},
            ensure_ascii=False,
            separators=(",", ":"),
        )
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        return request_id, _Request(action, text, answer)

    async def _send(self, session: _Session, request: _Request) -> None:
        """Send a command; if the connection breaks it is sent again on the next."""
        request.sent_on = session.number
        session.last_sent = asyncio.get_running_loop().time()
        if self._tap:
            self._tap.sent(session.number, request.text)
        try:
            await session.socket.send(request.text)
        except ConnectionClosed:
            log.debug("connection %d closed while sending %s", session.number, request.action)

    async def _stay_connected(self) -> None:
        """Keep one live connection until the client ends."""
        session = await self._connect_at_last()
        while True:
            lost = await self._keep_awake(session)
            if lost:
                self._session = None
                self._publish(())
                session = await self._connect_at_last()
            else:
                session = await self._rotate(session)

    async def _connect_at_last(self) -> _Session:
        """Connect with growing pauses; raises `FinalError` when there is no hope."""
        first = self._connections == 0
        attempts = self._pace.first_attempts if first else self._pace.attempts
        for failures in range(attempts):
            if failures:
                await asyncio.sleep(self._delay(failures - 1))
            elif not first:
                await asyncio.sleep(self._delay(0))
            try:
                return await self._connect()
            except InvalidStatus as refusal:
                status = refusal.response.status_code
                if self._token is not None and status in _REFUSED:
                    raise TokenRefusedError("the server does not accept the token") from None
                problem = f"the handshake was answered by HTTP {status}"
            except (OSError, TimeoutError, InvalidHandshake, InvalidMessage) as failure:
                problem = f"no connection ({type(failure).__name__})"
            except (ConnectionClosed, NotAnsweredError):
                problem = "the connection closed before the welcome"
            except RefusedError as refusal:
                if refusal.code == "unsupported_protocol":
                    raise UnreachableError("the server does not speak this protocol") from None
                problem = f"hello was refused: {refusal.code}"
            log.info("attempt %d: %s", failures + 1, problem)
        raise UnreachableError(f"{problem}, {attempts} times")

    async def _connect(self) -> _Session:
        """Shake hands, say hello and send what is unanswered."""
        headers = {}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token.get_secret_value()}"
        async with _gate():
            socket = await connect(
                self._url,
                additional_headers=headers,
                compression=None,
                ping_interval=None,
                close_timeout=2,
                max_size=_LARGEST_FRAME_READ,
                logger=_socket_log,
            )
        self._connections += 1
        session = _Session(self._connections, socket, asyncio.get_running_loop().time())
        if self._tap:
            self._tap.opened(session.number)
        session.reader = self._spawn(self._read(session))
        try:
            await self._hello(session)
        except BaseException:
            await socket.close()
            raise
        self._session = session
        self._publish(())
        for request in list(self._requests.values()):
            if request.sent_on != session.number and not request.answer.done():
                await self._send(session, request)
        return session

    async def _hello(self, session: _Session) -> None:
        answer = await self._ask_once(
            session, "hello", {"protocol": PROTOCOL_VERSION}, within=self._pace.welcome_within
        )
        if not isinstance(answer, Welcome):
            raise BreachError(f"hello was answered by {answer.type}")
        if self._welcomed and not self._welcomed.done():
            self._welcomed.set_result(None)

    async def _ask_once(
        self, session: _Session, action: str, fields: dict[str, object], *, within: float
    ) -> Message:
        """Ask on one connection only; raises `NotAnsweredError` when it closes or stays silent."""
        request_id, request = self._new_request(action, fields)
        self._requests[request_id] = request
        try:
            await self._send(session, request)
            assert session.reader is not None
            either: set[asyncio.Future[Any]] = {request.answer, session.reader}
            await asyncio.wait(
                either,
                timeout=within,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if request.answer.done():
                return request.answer.result()
            raise NotAnsweredError(f"{action} was not answered")
        finally:
            del self._requests[request_id]
            request.answer.cancel()

    async def _keep_awake(self, session: _Session) -> bool:
        """Ping now and then; True when the connection is lost, False when its time is up."""
        loop = asyncio.get_running_loop()
        assert session.reader is not None
        rotate_at = loop.time() + self._pace.rotate_after * self._chance.uniform(0.9, 1)
        while True:
            ping_at = session.last_sent + self._pace.ping_every
            pause = max(0.0, min(ping_at, rotate_at) - loop.time())
            done, _ = await asyncio.wait({session.reader}, timeout=pause)
            if done:
                return True
            if loop.time() >= rotate_at:
                return False
            if loop.time() >= session.last_sent + self._pace.ping_every:
                try:
                    await self._ask_once(session, "ping", {}, within=self._pace.answer_within)
                except NotAnsweredError:
                    await session.socket.close()
                    return True
                except RefusedError as refusal:
                    log.info("ping was refused: %s", refusal.code)

    async def _rotate(self, old: _Session) -> _Session:
        """Open the next connection before the present one is given up."""
        old.superseded = True
        try:
            session = await self._connect()
        except (
            OSError,
            TimeoutError,
            InvalidHandshake,
            InvalidMessage,
            ConnectionClosed,
            NotAnsweredError,
            RefusedError,
        ) as failure:
            log.info("could not rotate the connection: %s", type(failure).__name__)
            old.superseded = False
            await asyncio.sleep(self._delay(0))
            return old
        await old.socket.close()
        return session

    async def _read(self, session: _Session) -> None:
        """Take in what one socket brings until it closes."""
        try:
            async for frame in session.socket:
                self._receive(session, frame if isinstance(frame, str) else frame.decode())
                if self._end is not None:
                    return
        except ConnectionClosed:
            log.debug("connection %d closed", session.number)
        finally:
            if self._tap:
                self._tap.closed(session.number)
            await session.socket.close()

    def _receive(self, session: _Session, text: str) -> None:
        if self._tap:
            self._tap.received(session.number, text)
        try:
            message = parse(text)
        except MalformedMessageError as fault:
            log.warning("a message breaks the protocol: %s", fault)
            self._answer(request_id_of(text), BreachError(str(fault)))
            return
        if isinstance(message, Replaced):
            if not session.superseded:
                self._finish(TakenOverError("a newer connection of this player took over"))
            return
        if isinstance(message, Welcome):
            self._token = message.token
        if isinstance(message, Welcome | Snapshot | Pong):
            self._clock_ahead_ms = message.server_time - _now_ms()
        step = fold(self._state, message)
        self._state = step.state
        self._publish(step.effective)
        self._answer(message.request_id, message)
        if self._state.wants_sync and (self._syncing is None or self._syncing.done()):
            self._syncing = self._spawn(self._sync_when_in_doubt())

    def _answer(self, request_id: str | None, answer: Message | BreachError) -> None:
        request = self._requests.get(request_id) if request_id else None
        if request is None or request.answer.done():
            return
        if isinstance(answer, BreachError):
            request.answer.set_exception(answer)
        elif isinstance(answer, ErrorTold):
            request.answer.set_exception(
                RefusedError(request.action, answer.code, answer.message, answer.details or {})
            )
        else:
            request.answer.set_result(answer)

    async def _sync_when_in_doubt(self) -> None:
        """Ask for a snapshot if what is missing has not come by itself after a moment."""
        rounds = 0
        while True:
            await asyncio.sleep(self._pace.sync_after * 2.0 ** min(rounds, 6))
            if not self._state.wants_sync:
                return
            await self._sync_once()
            rounds += 1

    async def _sync_when_overdue(self) -> None:
        """Ask for a snapshot when a deadline has passed and nobody said what came of it."""
        listener: asyncio.Queue[Update | None] = asyncio.Queue()
        self._listeners.append(listener)
        asked = 0
        while True:
            due = self._state.due
            if due is None:
                pause = None
            else:
                late = max(0.0, (due - self.server_time()) / 1000)
                pause = late + self._pace.overdue_after * 2.0 ** min(asked, 4)
            try:
                async with asyncio.timeout(pause):
                    await listener.get()
            except TimeoutError:
                asked += 1
                await self._sync_once()
            if self._state.due != due:
                asked = 0

    async def _sync_once(self) -> None:
        try:
            await self.sync()
        except (RefusedError, NotAnsweredError) as failure:
            log.info("could not sync: %s", failure)

    def _publish(self, effective: tuple[Message, ...]) -> None:
        for listener in self._listeners:
            listener.put_nowait(Update(self._state, effective))

    def _finish(self, reason: BaseException) -> None:
        """End for good: tell everybody who waits."""
        if self._end is not None:
            return
        self._end = reason
        self._session = None
        for request in self._requests.values():
            if not request.answer.done():
                request.answer.set_exception(reason)
        if self._welcomed and not self._welcomed.done():
            self._welcomed.set_exception(reason)
        for listener in self._listeners:
            listener.put_nowait(None)
        current = asyncio.current_task()
        for task in self._tasks:
            if task is not current:
                task.cancel()

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_ended)
        return task

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            self._finish(error)


def _gate() -> asyncio.Semaphore:
    loop = asyncio.get_running_loop()
    return _gates.setdefault(loop, asyncio.Semaphore(HANDSHAKES_AT_ONCE))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
