"""A client against a server that does what servers, gateways and networks do."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable
from typing import Any, TypeVar

import pytest
from pydantic import SecretStr

from tests.tools import sample
from tests.tools.scripted_server import ScriptedServer, scripted_server
from wordle_tools.client.connection import HANDSHAKES_AT_ONCE, Client, Pace
from wordle_tools.client.errors import (
    BreachError,
    ClosedError,
    NotAnsweredError,
    RefusedError,
    TakenOverError,
    TokenRefusedError,
    UnreachableError,
)

Content = dict[str, Any]
Result = TypeVar("Result")

HASTY = Pace(first_delay=0.001, longest_delay=0.01, sync_after=0.001)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    """A server for one test."""
    async with scripted_server() as script:
        yield script


async def both(one: Awaitable[Result], other: Awaitable[object]) -> Result:
    """Wait for both sides of a conversation."""
    result, _ = await asyncio.gather(one, other)
    return result


async def test_hello_comes_first_and_brings_a_token(server: ScriptedServer) -> None:
    """A new player connects without a token."""
    client = Client(server.url)
    line = await both(server.welcomed(), client.start())
    assert line.authorization is None
    assert client.token == SecretStr("hush")
    assert client.state.me == "p0"
    await client.close()


async def test_a_token_travels_in_the_header(server: ScriptedServer) -> None:
    """A returning player connects with the token, which no query string carries."""
    client = Client(server.url, token=SecretStr("mine"))
    line = await both(server.welcomed(), client.start())
    assert line.authorization == "Bearer mine"
    assert line.socket.request is not None
    assert "?" not in line.socket.request.path
    await client.close()


async def test_answers_find_their_questions(server: ScriptedServer) -> None:
    """Answers come in any order and are told apart by request id."""
    client = Client(server.url)
    line = await both(server.welcomed(), client.start())
    ping, rename = asyncio.create_task(client.ping()), asyncio.create_task(client.rename("Nil"))
    asked = {message["action"]: message for message in [await line.said.get() for _ in range(2)]}
    told = {**sample.profile(), "nickname": "Nil"}
    await line.says({"type": "profile", "profile": told}, to=asked["rename"])
    await line.says({"type": "pong", "serverTime": 7}, to=asked["ping"])
    assert (await rename).nickname == "Nil"
    assert (await ping).server_time == 7
    assert client.state.profile is not None
    assert client.state.profile.nickname == "Nil"
    await client.close()


async def test_an_error_is_raised_with_code_message_and_details(server: ScriptedServer) -> None:
    """Errors are typed."""
    client = Client(server.url)
    line = await both(server.welcomed(), client.start())
    guess = asyncio.create_task(client.guess("d0", 1, "toolong"))
    asked = await line.hears("guess")
    error = {"type": "error", "code": "wrong_length", "message": "Too long."}
    await line.says({**error, "details": {"expected": 4, "got": 7}}, to=asked)
    with pytest.raises(RefusedError) as caught:
        await guess
    assert caught.value.code == "wrong_length"
    assert caught.value.message == "Too long."
    assert caught.value.details == {"expected": 4, "got": 7}
    await client.close()


async def test_a_malformed_answer_is_a_breach(server: ScriptedServer) -> None:
    """The caller learns of it instead of waiting for ever."""
    client = Client(server.url)
    line = await both(server.welcomed(), client.start())
    ping = asyncio.create_task(client.ping())
    await line.says({"type": "pong", "serverTime": "now"}, to=await line.hears("ping"))
    with pytest.raises(BreachError):
        await ping
    await client.close()


@pytest.mark.parametrize("code", ["try_again", "too_many_requests"])
async def test_a_busy_server_is_asked_again(server: ScriptedServer, code: str) -> None:
    """Nothing was changed, so that the same wish may be sent as a new request."""
    client = Client(server.url, pace=HASTY)
    line = await both(server.welcomed(), client.start())
    ping = asyncio.create_task(client.ping())
    first = await line.hears("ping")
    busy = {"type": "error", "code": code, "message": "Busy.", "details": {"retryAfterMs": 1}}
    await line.says(busy, to=first)
    second = await line.hears("ping")
    assert second["requestId"] != first["requestId"]
    await line.says({"type": "pong", "serverTime": 1}, to=second)
    await ping
    await client.close()


async def test_a_lost_connection_is_replaced_with_the_same_token(server: ScriptedServer) -> None:
    """R7.2: coming back is the client's business."""
    client = Client(server.url, pace=HASTY)
    line = await both(server.welcomed(), client.start())
    line.socket.transport.abort()
    back = await server.welcomed()
    assert back.authorization == "Bearer hush"
    await client.wait_until(lambda _: client.connected)
    await client.close()


async def test_an_unanswered_command_is_sent_again_after_coming_back(
    server: ScriptedServer,
) -> None:
    """R3.9: the same request id and the same words, so that it counts once."""
    client = Client(server.url, pace=HASTY)
    line = await both(server.welcomed(), client.start())
    guess = asyncio.create_task(client.guess("d0", 1, "some"))
    asked = await line.hears("guess")
    line.socket.transport.abort()
    back = await server.welcomed(tournament=sample.tournament(), duels=[sample.duel()])
    again = await back.hears("guess")
    assert again == asked
    await back.says(sample.guess_made(), to=again)
    assert (await guess).word == "some"
    await client.close()


async def test_a_command_given_while_away_is_sent_on_return(server: ScriptedServer) -> None:
    """A lost connection is no reason to refuse a player."""
    client = Client(server.url, pace=HASTY)
    line = await both(server.welcomed(), client.start())
    server.handshake_may_end.clear()
    line.socket.transport.abort()
    await client.wait_until(lambda _: not client.connected)
    ping = asyncio.create_task(client.ping())
    server.handshake_may_end.set()
    back = await server.welcomed()
    await back.says({"type": "pong", "serverTime": 1}, to=await back.hears("ping"))
    await ping
    await client.close()


async def test_silence_is_answered_by_asking_again(server: ScriptedServer) -> None:
    """First on the same connection, then on a new one."""
    client = Client(server.url, pace=Pace(answer_within=0.5, first_delay=0.001))
    line = await both(server.welcomed(), client.start())
    guess = asyncio.create_task(client.guess("d0", 1, "some"))
    first, second = await line.hears("guess"), await line.hears("guess")
    assert first == second
    back = await server.welcomed()
    third = await back.hears("guess")
    assert third == first
    await back.says(sample.guess_made(), to=third)
    await guess
    await client.close()


async def test_lasting_silence_is_an_error(server: ScriptedServer) -> None:
    """A caller does not wait for ever."""
    client = Client(server.url, pace=Pace(answer_within=0.01, sends=1))
    await both(server.welcomed(), client.start())
    with pytest.raises(NotAnsweredError):
        await client.ping()
    await client.close()


async def test_a_gap_is_closed_by_sync(server: ScriptedServer) -> None:
    """Order and gaps."""
    client = Client(server.url, pace=HASTY)
    line = await both(
        server.welcomed(tournament=sample.tournament(), duels=[sample.duel()]), client.start()
    )
    await line.says(sample.turn_skipped(3, 2))
    asked = await line.hears("sync")
    duel = sample.duel(version=3, rows=sample.skipped_rows(2), turn=3)
    await line.says(sample.snapshot(tournament=sample.tournament(), duels=[duel]), to=asked)
    await client.wait_until(lambda state: not state.wants_sync)
    assert client.state.my_duel is not None
    assert client.state.my_duel.version == 3
    await client.close()


async def test_a_deadline_that_nobody_speaks_of_is_asked_about(server: ScriptedServer) -> None:
    """When in doubt a client sends `sync`: a push may be lost without a gap."""
    client = Client(server.url, pace=Pace(overdue_after=0.001))
    overdue = sample.duel(deadline=500)
    line = await both(
        server.welcomed(tournament=sample.tournament(), duels=[overdue]), client.start()
    )
    asked = await line.hears("sync")
    await line.says(
        sample.snapshot(tournament=sample.tournament(), duels=[sample.duel()]), to=asked
    )
    await client.wait_until(lambda state: state.due == sample.FAR_OFF)
    await client.close()


async def test_an_overtaken_event_needs_no_sync(server: ScriptedServer) -> None:
    """Frames can overtake each other by a little."""
    client = Client(server.url, pace=Pace(sync_after=60))
    line = await both(
        server.welcomed(tournament=sample.tournament(), duels=[sample.duel()]), client.start()
    )
    await line.says(sample.turn_skipped(3, 2))
    await line.says(sample.guess_made())
    state = await client.wait_until(lambda state: len(state.duels["d0"].rows) == 2)
    assert [row.turn for row in state.duels["d0"].rows] == [1, 2]
    assert line.said.empty()
    await client.close()


async def test_replaced_is_final(server: ScriptedServer) -> None:
    """R7.3: two devices do not chase each other."""
    client = Client(server.url, pace=HASTY)
    line = await both(server.welcomed(), client.start())
    await line.says({"type": "replaced"})
    with pytest.raises(TakenOverError):
        await client.wait_until(lambda _: False)
    await line.socket.wait_closed()
    with pytest.raises(TakenOverError):
        await client.ping()
    await client.close()
    assert server.lines.empty()


async def test_a_refused_token_is_final(server: ScriptedServer) -> None:
    """A bad token is never treated as a new player."""
    server.refuse_with = [401]
    client = Client(server.url, token=SecretStr("forged"), pace=HASTY)
    with pytest.raises(TokenRefusedError):
        await client.start()
    assert server.lines.empty()


async def test_a_server_out_of_reach_is_given_up(server: ScriptedServer) -> None:
    """After a few attempts, in one sentence."""
    server.refuse_with = [500] * 4
    client = Client(server.url, pace=HASTY)
    with pytest.raises(UnreachableError, match="HTTP 500, 4 times"):
        await client.start()


async def test_a_handshake_that_fails_now_and_then_is_tried_again(
    server: ScriptedServer,
) -> None:
    """Gateways throttle."""
    server.refuse_with = [429, 503]
    client = Client(server.url, pace=HASTY)
    await both(server.welcomed(), client.start())
    await client.close()


async def test_a_client_keeps_the_connection_awake(server: ScriptedServer) -> None:
    """The gateway closes a connection after 10 minutes of silence."""
    client = Client(server.url, pace=Pace(ping_every=0.01))
    line = await both(server.welcomed(), client.start())
    for _ in range(3):
        await line.says({"type": "pong", "serverTime": 1}, to=await line.hears("ping"))
    await client.close()


async def test_a_ping_without_an_answer_means_a_new_connection(server: ScriptedServer) -> None:
    """A half-open connection is noticed."""
    pace = Pace(ping_every=0.01, answer_within=0.01, first_delay=0.001)
    client = Client(server.url, pace=pace)
    line = await both(server.welcomed(), client.start())
    await line.hears("ping")
    await server.welcomed()
    await client.close()


async def test_an_old_connection_is_rotated_before_its_time(server: ScriptedServer) -> None:
    """The gateway's two hours: the new connection is there before the old one is given up."""
    client = Client(server.url, pace=Pace(rotate_after=0.02))
    old = await both(server.welcomed(), client.start())
    new = await server.line()
    hello = await new.hears("hello")
    guess = asyncio.create_task(client.guess("d0", 1, "some"))
    asked = await old.hears("guess")
    await old.says({"type": "replaced"})
    await new.says(sample.welcome(tournament=sample.tournament(), duels=[sample.duel()]), to=hello)
    again = await new.hears("guess")
    assert again == asked
    await new.says(sample.guess_made(), to=again)
    await guess
    await old.socket.wait_closed()
    assert client.end is None
    await client.close()


async def test_no_more_than_eight_handshakes_at_once(server: ScriptedServer) -> None:
    """Many clients in one process spare the gateway's authorizer."""
    server.handshake_may_end.clear()
    clients = [Client(server.url) for _ in range(20)]
    starts = [asyncio.create_task(client.start()) for client in clients]
    for _ in range(HANDSHAKES_AT_ONCE):
        await server.handshakes.get()
    server.handshake_may_end.set()
    for _ in clients:
        await server.welcomed()
    await asyncio.gather(*starts)
    assert server.most_handshakes == HANDSHAKES_AT_ONCE
    await asyncio.gather(*(client.close() for client in clients))


async def test_updates_tell_every_change_in_order(server: ScriptedServer) -> None:
    """A narrator misses nothing and ends with the client."""
    client = Client(server.url)
    line = await both(
        server.welcomed(tournament=sample.tournament(), duels=[sample.duel()]), client.start()
    )
    told: list[str] = []

    async def listen() -> None:
        async for update in client.updates():
            told.extend(message.type for message in update.effective)
            if "guessMade" in told:
                await client.close()

    await both(listen(), line.says(sample.guess_made()))
    assert told == ["guessMade"]
    assert isinstance(client.end, ClosedError)


async def test_a_token_is_in_no_log_and_no_representation(
    server: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    """The token is a secret of the player."""
    caplog.set_level(logging.DEBUG)
    client = Client(server.url, token=SecretStr("hush"), pace=HASTY)
    line = await both(server.welcomed(), client.start())
    ping = asyncio.create_task(client.ping())
    asked = await line.hears("ping")
    line.socket.transport.abort()
    back = await server.welcomed()
    await back.says({"type": "pong", "serverTime": 1}, to=await back.hears("ping"))
    await ping
    await client.close()
    own = [record for record in caplog.records if record.name.startswith("wordle_tools")]
    assert own
    assert not any("hush" in record.getMessage() for record in own)
    assert "hush" not in repr(client)
    assert "hush" not in str(asked)
