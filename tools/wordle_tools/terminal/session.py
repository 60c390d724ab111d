"""One person's session: keys in, screen out, wishes to the server, the clock in between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from rich.console import RenderableType

from wordle_tools.bots.mind import Watch, intend
from wordle_tools.client.connection import Client
from wordle_tools.client.errors import FinalError, NotAnsweredError, RefusedError
from wordle_tools.client.messages import (
    DuelStarted,
    GroupTold,
    GuessMade,
    LobbyTold,
    RoundIntro,
    TournamentEnded,
    TournamentStarted,
    TurnSkipped,
    Welcome,
)
from wordle_tools.terminal.draft import Draft, press
from wordle_tools.terminal.drawing import Scene, draw
from wordle_tools.terminal.phrases import explain, narrate
from wordle_tools.terminal.wishes import (
    Guess,
    Hint,
    Leave,
    PlayAgain,
    Quit,
    Rename,
    StartGroup,
    Wish,
    can_play_again,
    understand,
)

FRAME_SECONDS = 0.25
FAREWELL_SECONDS = 3.0

# What the screen shows by itself.
_SHOWN_ELSEWHERE = (
    GroupTold,
    GuessMade,
    LobbyTold,
    RoundIntro,
    TournamentEnded,
    TournamentStarted,
    TurnSkipped,
    Welcome,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """How a person comes into a game: alone, into a group with a code, or with one of their own."""

    language: str
    group: str | None = None
    founds_group: bool = False

    @property
    def grouped(self) -> bool:
        """Whether the person plays with a group."""
        return self.founds_group or self.group is not None


class Session:
    """Plays for a person until they quit, the input ends or the client does."""

    def __init__(
        self,
        client: Client,
        party: Party,
        keys: AsyncIterator[str],
        show: Callable[[RenderableType], None],
    ) -> None:
        """Listen to `keys` and draw with `show`; `client` has been started."""
        self._client = client
        self._party = party
        self._keys = keys
        self._show = show
        self._draft = Draft()
        self._notice = ""
        self._asked_to_watch: Watch | None = None
        self._over = asyncio.Event()

    async def play(self) -> None:
        """Play; raises why the client ended, if it was not the person's wish."""
        try:
            await self._arrive()
            async with asyncio.TaskGroup() as tasks:
                parts = [
                    tasks.create_task(part)
                    for part in (self._listen(), self._read(tasks), self._keep_time())
                ]
                await self._over.wait()
                for part in parts:
                    part.cancel()
        finally:
            await self._say_goodbye()

    async def _arrive(self) -> None:
        party = self._party
        state = self._client.state
        if party.group is not None and (state.group is None or state.group.code != party.group):
            await self._client.join_group(party.group)
        elif party.founds_group and state.group is None:
            await self._client.create_group(party.language)
        if not party.grouped and can_play_again(state):
            await self._client.join(party.language)

    async def _say_goodbye(self) -> None:
        """Leave, so that nobody waits for a player who has gone."""
        state = self._client.state
        if self._client.end is not None or (state.lobby is None and not state.still_in):
            return
        try:
            async with asyncio.timeout(FAREWELL_SECONDS):
                await self._client.leave()
        except (RefusedError, NotAnsweredError, FinalError, TimeoutError):
            # The server finds out by itself when the connection closes.
            return

    async def _listen(self) -> None:
        async for update in self._client.updates():
            for message in update.effective:
                if isinstance(message, DuelStarted | TournamentEnded):
                    self._draft = Draft()
                if not isinstance(message, _SHOWN_ELSEWHERE):
                    told = narrate(update.state, message)
                    self._notice = told[-1] if told else self._notice
            self._draw()
            await self._watch_if_free()

    async def _watch_if_free(self) -> None:
        intention = intend(self._client.state, watches=True, group_size=None)
        if isinstance(intention, Watch) and intention != self._asked_to_watch:
            self._asked_to_watch = intention
            await self._do(self._client.watch)

    async def _read(self, tasks: asyncio.TaskGroup) -> None:
        async for key in self._keys:
            self._draft = press(self._draft, key)
            if self._draft.entered is not None:
                self._notice = ""
                wish = understand(self._client.state, self._draft.entered)
                # A word may be refused while the next is being typed.
                tasks.create_task(self._fulfil(wish))
            self._draw()
        self._over.set()

    async def _keep_time(self) -> None:
        while True:
            self._draw()
            await asyncio.sleep(FRAME_SECONDS)

    async def _fulfil(self, wish: Wish) -> None:
        client = self._client
        match wish:
            case Hint():
                self._notice = wish.text
            case Quit():
                self._over.set()
            case Guess():
                await self._do(client.guess, wish.duel_id, wish.turn, wish.word)
            case Leave():
                await self._do(client.leave)
            case Rename():
                await self._do(client.rename, wish.nickname)
            case StartGroup():
                await self._do(client.start_group)
            case PlayAgain() if not self._party.grouped:
                await self._do(client.join, self._party.language)
            case PlayAgain():
                await self._do(client.start_group)
        self._draw()

    async def _do(self, action: Callable[..., object], *arguments: object) -> None:
        try:
            await action(*arguments)  # type: ignore[misc]
        except RefusedError as refusal:
            self._notice = explain(refusal)
        except NotAnsweredError:
            self._notice = "The server did not answer."

    def _draw(self) -> None:
        client = self._client
        scene = Scene(
            state=client.state,
            now=client.server_time(),
            connected=client.connected,
            draft=self._draft.text,
            notice=self._notice,
        )
        self._show(draw(scene))
