"""Whoever sends far too much costs little, disturbs nobody and is shown out."""

import asyncio
import json
from collections import Counter
from contextlib import suppress

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from wordle_tools.bots.crew import Crew, CrewPlan
from wordle_tools.local_cloud import LocalCloud
from wordle_tournament.entry.limits import PATIENCE

BURST = 50
"""What the template allows one connection at once."""

FLOOD = 1500

GUESS = json.dumps({"action": "guess", "duelId": "none.1.0", "turn": 1, "word": "crane"})


async def flood(url: str) -> Counter[str]:
    """Send two hundred guesses a second until the server closes; what they came to."""
    outcomes: Counter[str] = Counter()
    # The emulator answers no ping before it has dealt with what came earlier.
    async with connect(url, ping_interval=None) as abuser:

        async def send() -> None:
            with suppress(ConnectionClosed):
                # The emulator closes a connection only when it has heard all that was sent.
                for _ in range(FLOOD):
                    await abuser.send(GUESS)
                    await asyncio.sleep(1 / 200)

        sending = asyncio.create_task(send())
        async for frame in abuser:
            outcomes[json.loads(frame)["code"]] += 1
        await sending
    return outcomes


async def test_a_tournament_is_played_as_if_nobody_sent_two_hundred_messages_a_second(
    cloud: LocalCloud,
) -> None:
    """Of an abuser's messages few reach the tables."""
    told: list[str] = []
    crew = Crew(CrewPlan(url=cloud.url, language="en", count=8), told.append)
    playing = asyncio.create_task(crew.run())

    outcomes = await flood(cloud.url)

    assert set(outcomes) == {"too_many_requests", "no_such_duel"}
    assert outcomes["no_such_duel"] >= BURST
    assert outcomes["too_many_requests"] >= PATIENCE
    assert await playing == 0, told
