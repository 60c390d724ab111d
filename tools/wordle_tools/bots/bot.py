"""One bot: a client, a mind, and the habit of playing whatever it is in."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass

from wordle_tools.bots.mind import Guess, Intention, Level, Mind, StartGroup, Watch, intend
from wordle_tools.bots.words import WordBook
from wordle_tools.client.connection import Client
from wordle_tools.client.errors import RefusedError
from wordle_tools.client.messages import Tournament
from wordle_tools.client.state import GameState
from wordle_tournament.rules.languages import LANGUAGES, display

log = logging.getLogger(__name__)

WORD_FAULTS = ("wrong_length", "wrong_letters", "not_in_word_list")
"""Refusals of a word from the lists: then the lists of bot and server differ."""

LOST_RACES = ("stale_turn", "deadline_passed", "duel_over", "not_your_turn")
"""Refusals of a guess that came too late, which is nobody's fault."""

TOO_EARLY = ("members_not_ready", "still_playing", "not_playing", "already_playing", "not_leader")
"""Refusals of a wish that things have overtaken."""


class StalledError(Exception):
    """Nothing happened for longer than anything takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """What a bot is like.

    `think` are the shortest and longest time for a turn in seconds, `patience` how many seconds
    may pass without any news. `idles`, `drops` and `leaves` are probabilities: to let a turn pass,
    and to cut the connection or leave for good before one.
    """

    level: Level = "good"
    watches: bool = False
    think: tuple[float, float] = (0.0, 0.0)
    patience: float = 300.0
    group_size: int | None = None
    idles: float = 0.0
    drops: float = 0.0
    leaves: float = 0.0


class Bot:
    """Plays one tournament after another through its client."""

    def __init__(
        self, name: str, client: Client, book: WordBook, habits: Habits, chance: random.Random
    ) -> None:
        """Make a player; `mishaps` collects answers that a sound server does not give."""
        self.name = name
        self.client = client
        self.mishaps: list[str] = []
        self._habits = habits
        self._chance = chance
        self._mind = Mind(book, habits.level, chance)
        self._done: Intention = None

    async def play(self, *, after: str | None = None) -> Tournament | None:
        """Play until the next tournament has ended; `after` is the id of the one before.

        None when the bot has left it. Raises `StalledError` or why the client ended.
        """
        while True:
            state = self.client.state
            tournament = state.tournament
            if tournament and tournament.tournament_id != after and tournament.phase == "ended":
                return tournament
            intention = self._intend(state)
            if intention is None:
                await self._news()
            elif await self._carry_out(intention):
                return None

    def _intend(self, state: GameState) -> Intention:
        habits = self._habits
        intention = intend(state, watches=habits.watches, group_size=habits.group_size)
        return None if intention == self._done else intention

    async def _news(self) -> None:
        known = self.client.state
        try:
            async with asyncio.timeout(self._habits.patience):
                await self.client.wait_until(_differs_from(known))
        except TimeoutError:
            waited = self._habits.patience
            raise StalledError(f"{self.name}: no news for {waited:.0f} seconds") from None
        self._done = None if isinstance(self._done, StartGroup) else self._done

    async def _carry_out(self, intention: Guess | Watch | StartGroup) -> bool:
        """Do it, once; True when the bot has left its tournament."""
        self._done = intention
        try:
            match intention:
                case Guess():
                    return await self._take_turn(intention)
                case Watch():
                    await self.client.watch()
                case StartGroup():
                    await self.client.start_group()
        except RefusedError as refusal:
            if refusal.code not in TOO_EARLY:
                self._mishap(refusal)
        return False

    async def _take_turn(self, guess: Guess) -> bool:
        if self._happens(self._habits.leaves):
            await self.client.leave()
            return True
        if self._happens(self._habits.drops):
            self.client.drop()
        if self._happens(self._habits.idles):
            return False
        await asyncio.sleep(self._chance.uniform(*self._habits.think))
        while self._intend_again(guess):
            if await self._guess(guess, self._mind.choose(guess.duel)):
                return False
        return False

    def _intend_again(self, guess: Guess) -> bool:
        """Whether it is still that turn of the same duel."""
        duel = self.client.state.my_duel
        return (
            duel is not None
            and duel.duel_id == guess.duel.duel_id
            and duel.turn == guess.turn
            and duel.ended is None
        )

    async def _guess(self, guess: Guess, word: str) -> bool:
        """Try a word; False when the word was refused and another may do."""
        shown = display(LANGUAGES[guess.duel.language], word)
        try:
            await self.client.guess(guess.duel.duel_id, guess.turn, shown)
        except RefusedError as refusal:
            if refusal.code in LOST_RACES:
                log.info("%s was too late: %s", self.name, refusal.code)
                return True
            self._mishap(refusal)
            self._mind.refuse(word)
            return refusal.code not in WORD_FAULTS
        return True

    def _mishap(self, refusal: RefusedError) -> None:
        self.mishaps.append(f"{self.name}: {refusal}")

    def _happens(self, probability: float) -> bool:
        return self._chance.random() < probability


def _differs_from(known: GameState) -> Callable[[GameState], bool]:
    return lambda state: state is not known
