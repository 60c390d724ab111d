"""A crew of bots that plays tournaments together and has a referee."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass

from wordle_tools.bots import report
from wordle_tools.bots.bot import Bot, Habits, StalledError
from wordle_tools.bots.mind import Level
from wordle_tools.bots.words import ListedWords, WordBook, allows
from wordle_tools.client.connection import Client, Pace
from wordle_tools.client.errors import ClientError
from wordle_tools.client.messages import Message, Tournament
from wordle_tools.client.state import GameState
from wordle_tools.referee.duels import Allows
from wordle_tools.referee.verdict import Referee

RATING_WINDOW = 200
"""Players further apart than this may not find one another's lobby (R6.2)."""

Say = Callable[[str], None]
Narrate = Callable[[GameState, Message], list[str]]
"""Puts what a message brought, and the state after it, into lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrewPlan:
    """What a crew does; `tournaments` of None means for ever.

    With `group` (an invite code) or `founds_group` the crew plays as a group; a bot that leads it
    starts once `group_size` members are there.
    """

    url: str
    language: str
    count: int
    tournaments: int | None = 1
    level: Level = "good"
    group: str | None = None
    founds_group: bool = False
    group_size: int | None = None
    think: tuple[float, float] = (0.0, 0.0)
    patience: float = 300.0
    idles: float = 0.0
    drops: float = 0.0
    leaves: float = 0.0
    seed: int | None = None

    @property
    def grouped(self) -> bool:
        """Whether the crew plays as a group."""
        return self.founds_group or self.group is not None


class Crew:
    """Bots that play together; the first and every second one after it watches when it may."""

    def __init__(
        self,
        plan: CrewPlan,
        say: Say,
        *,
        book: WordBook | None = None,
        knows: Allows | None = allows,
        pace: Pace | None = None,
        narrate: Narrate | None = None,
    ) -> None:
        """Prepare; `say` hears the ends, or by `narrate` everything that the first bot hears."""
        self._plan = plan
        self._say = say
        self._book = book or ListedWords()
        self._pace = pace
        self._narrate = narrate
        self._chance = random.Random(plan.seed)
        self._referee = Referee(knows)
        self._bots: list[Bot] = []
        self._retired: list[Bot] = []
        self._hired = 0

    async def run(self) -> int:
        """Play all tournaments; the number of breaches and mishaps."""
        failures: list[str] = []
        try:
            async with asyncio.TaskGroup() as tasks:
                await self._hire(self._plan.count)
                if self._narrate is not None:
                    tasks.create_task(self._tell_all(self._bots[0].client, self._narrate))
                if self._plan.grouped:
                    await self._gather_group()
                await self._play_all()
                await self._close()
        except* (ClientError, StalledError) as problems:
            failures = causes(problems)
        finally:
            await self._close()
        return self._judge(failures)

    async def _close(self) -> None:
        await asyncio.gather(*(bot.client.close() for bot in self._bots))

    async def _tell_all(self, client: Client, narrate: Narrate) -> None:
        async for update in client.updates():
            for message in update.effective:
                for line in narrate(update.state, message):
                    self._say(line)

    def _judge(self, failures: list[str]) -> int:
        breaches = [str(breach) for breach in self._referee.breaches()]
        mishaps = [mishap for bot in (*self._bots, *self._retired) for mishap in bot.mishaps]
        for what, found in (("BREACH", breaches), ("MISHAP", mishaps), ("FAILED", failures)):
            for line in found:
                self._say(f"{what} {line}")
        return len(breaches) + len(mishaps) + len(failures)

    async def _hire(self, count: int) -> None:
        new = [self._new_bot() for _ in range(count)]
        self._bots += new
        async with asyncio.TaskGroup() as group:
            for bot in new:
                group.create_task(bot.client.start())

    def _new_bot(self) -> Bot:
        plan = self._plan
        self._hired += 1
        name = f"bot {self._hired}"
        chance = random.Random(self._chance.getrandbits(64))
        client = Client(plan.url, pace=self._pace, tap=self._referee.seat(name), chance=chance)
        habits = Habits(
            level=plan.level,
            watches=self._hired % 2 == 1,
            think=plan.think,
            patience=plan.patience,
            group_size=(plan.group_size or plan.count) if plan.grouped else None,
            idles=plan.idles,
            drops=plan.drops,
            leaves=plan.leaves,
        )
        return Bot(name, client, self._book, habits, chance)

    async def _gather_group(self) -> None:
        first, *others = self._bots
        if self._plan.group is None:
            group = await first.client.create_group(self._plan.language)
        else:
            group = await first.client.join_group(self._plan.group)
        self._say(report.invitation(group))
        async with asyncio.TaskGroup() as tasks:
            for bot in others:
                tasks.create_task(bot.client.join_group(group.code))

    async def _play_all(self) -> None:
        played: set[str] = set()
        number = 0
        while self._plan.tournaments is None or number < self._plan.tournaments:
            number += 1
            if not self._plan.grouped:
                await self._replace_strays()
            async with asyncio.TaskGroup() as group:
                games = [group.create_task(self._play_one(bot)) for bot in self._bots]
            for tournament in filter(None, (game.result() for game in games)):
                if tournament.tournament_id not in played:
                    played.add(tournament.tournament_id)
                    if self._narrate is None:
                        self._tell(number, tournament)

    async def _play_one(self, bot: Bot) -> Tournament | None:
        before = bot.client.state.tournament
        if not self._plan.grouped:
            await bot.client.join(self._plan.language)
        return await bot.play(after=before.tournament_id if before else None)

    async def _replace_strays(self) -> None:
        """Hire new players for those whose ratings have drifted too far from the others'."""
        while len(strays := self._bots_by_rating()) > 1:
            lowest, highest = strays[0], strays[-1]
            if _rating(highest) - _rating(lowest) <= RATING_WINDOW:
                return
            newcomer_rating = 1000
            far = max(lowest, highest, key=lambda bot: abs(_rating(bot) - newcomer_rating))
            self._say(f"{far.name} has drifted to {_rating(far)}: a new player takes the seat")
            await far.client.close()
            self._bots.remove(far)
            self._retired.append(far)
            await self._hire(1)

    def _bots_by_rating(self) -> list[Bot]:
        return sorted(self._bots, key=_rating)

    def _tell(self, number: int, tournament: Tournament) -> None:
        self._say(f"--- tournament {number} ---")
        for line in report.standings(tournament):
            self._say(line)


def _rating(bot: Bot) -> int:
    profile = bot.client.state.profile
    return profile.rating if profile else 0


def causes(group: BaseExceptionGroup[Exception]) -> list[str]:
    """Tell what the exceptions of a group say, each once."""
    found: set[str] = set()
    for one in group.exceptions:
        found |= set(causes(one)) if isinstance(one, BaseExceptionGroup) else {str(one)}
    return sorted(found)
