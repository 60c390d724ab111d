"""A sitting at the terminal: the person or the bot in their place, and who keeps them company."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass

from rich.console import Console
from rich.live import Live

from wordle_tools.bots.crew import Crew, CrewPlan, causes
from wordle_tools.bots.mind import Level
from wordle_tools.client.connection import Client
from wordle_tools.client.errors import ClientError
from wordle_tools.terminal.drawing import standings
from wordle_tools.terminal.keys import keyboard
from wordle_tools.terminal.phrases import narrate
from wordle_tools.terminal.session import Party, Session

HUMAN_SECONDS = (2.0, 9.0)
"""How long the bots that keep a person company think about a turn."""

ENDLESS_PATIENCE = 24 * 3600.0


class CompanyLeftError(Exception):
    """The bots that kept a person company have stopped playing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """What is played and by whom."""

    language: str
    level: Level
    group: str | None
    founds_group: bool
    at_terminal: bool

    async def play(self, url: str, *, companions: int) -> int:
        """Play at a server together with some bots; the exit status."""
        if not self.at_terminal:
            return await self._tell(url, companions)
        problems: list[str] = []
        try:
            async with asyncio.TaskGroup() as tasks:
                company = tasks.create_task(self._keep_company(url, companions))
                await self._play(url)
                company.cancel()
        except* (ClientError, CompanyLeftError) as ended:
            problems = causes(ended)
        for problem in problems:
            print(f"The game is over here: {problem}.")
        return 1 if problems else 0

    async def _tell(self, url: str, companions: int) -> int:
        """Let a bot play one tournament and tell it; the status is not 0 after any breach."""
        plan = CrewPlan(
            url=url,
            language=self.language,
            count=1 + companions,
            level=self.level,
            group=self.group,
            founds_group=self.founds_group,
        )
        crew = Crew(plan, lambda line: print(line, flush=True), narrate=narrate)
        return 1 if await crew.run() else 0

    async def _keep_company(self, url: str, companions: int) -> None:
        """Have bots play in the background, tournament after tournament."""
        if not companions:
            return
        plan = CrewPlan(
            url=url,
            language=self.language,
            count=companions,
            tournaments=None,
            level=self.level,
            think=HUMAN_SECONDS,
            patience=ENDLESS_PATIENCE,
        )
        said: list[str] = []
        await Crew(plan, said.append).run()
        raise CompanyLeftError(f"the bots have left ({said[-1] if said else 'nobody knows why'})")

    async def _play(self, url: str) -> None:
        console = Console()
        party = Party(language=self.language, group=self.group, founds_group=self.founds_group)
        client = Client(url)
        try:
            async with client:
                with (
                    keyboard(sys.stdin) as keys,
                    Live(console=console, screen=True, auto_refresh=False) as live,
                ):
                    session = Session(
                        client, party, keys, lambda drawn: live.update(drawn, refresh=True)
                    )
                    await session.play()
        finally:
            tournament = client.state.tournament
            if tournament is not None and tournament.phase == "ended":
                console.print(standings(client.state, tournament))
