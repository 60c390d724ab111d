"""A person's session from the first key to the goodbye."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from typing import Any

import pytest
from rich.console import Console, RenderableType

from tests.tools import sample
from tests.tools.scripted_server import Line, ScriptedServer, scripted_server
from wordle_tools.client.connection import Client, Pace
from wordle_tools.client.errors import TakenOverError
from wordle_tools.terminal.session import Party, Session

Content = dict[str, Any]
LOBBY: Content = {"type": "lobby", "lobby": sample.lobby()}
GROUP: Content = {"type": "group", "group": sample.group()}
LEFT_LOBBY: Content = {"type": "left", "from": "lobby", "id": "l1"}
LEFT_TOURNAMENT: Content = {"type": "left", "from": "tournament", "id": "t1"}


class Terminal:
    """Keys to come and the screen as it was drawn last."""

    def __init__(self) -> None:
        self._keys: asyncio.Queue[str] = asyncio.Queue()
        self._drawn: asyncio.Queue[str] = asyncio.Queue()

    def types(self, text: str) -> None:
        """Press keys."""
        for key in text:
            self._keys.put_nowait(key)

    def hangs_up(self) -> None:
        """End the input."""
        self._keys.put_nowait("")

    async def keys(self) -> AsyncIterator[str]:
        """Give the keys pressed."""
        while key := await self._keys.get():
            yield key

    def show(self, thing: RenderableType) -> None:
        """Draw."""
        console = Console(file=io.StringIO(), width=90, color_system=None)
        console.print(thing)
        assert isinstance(console.file, io.StringIO)
        self._drawn.put_nowait(console.file.getvalue())

    async def shows(self, text: str) -> None:
        """Wait until something is seen."""
        while text not in await self._drawn.get():
            pass


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    """A server for one test."""
    async with scripted_server() as script:
        yield script


class Game:
    """A session that runs, and both its sides."""

    def __init__(self, terminal: Terminal, line: Line, client: Client, party: Party) -> None:
        self.terminal = terminal
        self.line = line
        self.client = client
        session = Session(client, party, terminal.keys(), terminal.show)
        self.played = asyncio.create_task(session.play())

    async def ends(self) -> None:
        """Wait for the end."""
        await self.played
        await self.client.close()


async def _begin(server: ScriptedServer, party: Party, **welcome: object) -> Game:
    client = Client(server.url, pace=Pace(first_delay=0.001))
    started = asyncio.create_task(client.start())
    line = await server.welcomed(**welcome)
    await started
    return Game(Terminal(), line, client, party)


async def test_a_person_joins_waits_and_leaves_politely(server: ScriptedServer) -> None:
    """R6.5: the seat is given back, so that nobody waits for who has gone."""
    game = await _begin(server, Party(language="en"))
    await game.line.says(LOBBY, to=await game.line.hears("join"))
    await game.terminal.shows("Waiting for 7 more of 8 players")
    game.terminal.types("/quit\r")
    await game.line.says(LEFT_LOBBY, to=await game.line.hears("leave"))
    await game.ends()


async def test_a_person_plays_a_turn(server: ScriptedServer) -> None:
    """R3.1"""
    game = await _begin(
        server, Party(language="en"), tournament=sample.tournament(), duels=[sample.duel()]
    )
    game.terminal.types("some")
    await game.terminal.shows(" s  o  m  e ")
    game.terminal.types("\r")
    asked = await game.line.hears("guess")
    assert (asked["duelId"], asked["turn"], asked["word"]) == ("d0", 1, "some")
    await game.line.says(sample.guess_made(), to=asked)
    await game.terminal.shows("[s](o) m  e ")
    await game.terminal.shows("Np1's turn")
    game.terminal.hangs_up()
    await game.line.says(LEFT_TOURNAMENT, to=await game.line.hears("leave"))
    await game.ends()


async def test_a_refused_word_is_explained_and_another_can_be_typed(
    server: ScriptedServer,
) -> None:
    """R3.6: the turn stays with the player and the clock runs on."""
    game = await _begin(
        server, Party(language="en"), tournament=sample.tournament(), duels=[sample.duel()]
    )
    game.terminal.types("zzzz\r")
    asked = await game.line.hears("guess")
    error = {"type": "error", "code": "not_in_word_list", "message": "Not in the list."}
    await game.line.says(error, to=asked)
    await game.terminal.shows("That word is not in the list.")
    game.terminal.types("ca")
    await game.terminal.shows(" c  a  _  _ ")
    game.terminal.hangs_up()
    await game.line.says(LEFT_TOURNAMENT, to=await game.line.hears("leave"))
    await game.ends()


async def test_a_person_without_a_duel_watches(server: ScriptedServer) -> None:
    """R4.6"""
    tournament = sample.with_a_bye()
    game = await _begin(server, Party(language="en"), tournament=tournament)
    asked = await game.line.hears("watch")
    told = sample.snapshot(tournament=tournament, duels=[sample.others_duel()])
    await game.line.says(told, to=asked)
    await game.terminal.shows("Np2 – Np3, turn 1")
    game.terminal.hangs_up()
    await game.line.says(LEFT_TOURNAMENT, to=await game.line.hears("leave"))
    await game.ends()


async def test_a_person_founds_a_group_and_starts_it(server: ScriptedServer) -> None:
    """R8.1"""
    game = await _begin(server, Party(language="en", founds_group=True))
    await game.line.says(GROUP, to=await game.line.hears("createGroup"))
    await game.terminal.shows("https://example.org/bcdf")
    game.terminal.types("/start\r")
    await game.line.says(LOBBY, to=await game.line.hears("startGroup"))
    await game.terminal.shows("Waiting for 7 more")
    game.terminal.hangs_up()
    await game.line.says(LEFT_LOBBY, to=await game.line.hears("leave"))
    await game.ends()


async def test_a_person_joins_a_group_by_its_code(server: ScriptedServer) -> None:
    """R8.1"""
    game = await _begin(server, Party(language="en", group="bcdf"))
    asked = await game.line.hears("joinGroup")
    assert asked["code"] == "bcdf"
    await game.line.says(GROUP, to=asked)
    await game.terminal.shows("Group bcdf")
    game.terminal.hangs_up()
    await game.ends()


async def test_a_session_ends_when_another_device_takes_over(server: ScriptedServer) -> None:
    """R7.3"""
    game = await _begin(
        server, Party(language="en"), tournament=sample.tournament(), duels=[sample.duel()]
    )
    await game.terminal.shows("Your turn")
    await game.line.says({"type": "replaced"})
    with pytest.raises(ExceptionGroup) as caught:
        await game.played
    assert caught.group_contains(TakenOverError)
    await game.client.close()


async def test_a_lost_connection_is_shown_and_comes_back(server: ScriptedServer) -> None:
    """R7.4"""
    game = await _begin(
        server, Party(language="en"), tournament=sample.tournament(), duels=[sample.duel()]
    )
    await game.terminal.shows("Your turn")
    server.handshake_may_end.clear()
    game.line.socket.transport.abort()
    await game.terminal.shows("connection lost, coming back")
    server.handshake_may_end.set()
    back = await server.welcomed(tournament=sample.tournament(), duels=[sample.duel()])
    await game.client.wait_until(lambda _: game.client.connected)
    game.terminal.hangs_up()
    await back.says(LEFT_TOURNAMENT, to=await back.hears("leave"))
    await game.ends()
