"""Whole tournaments over real sockets, judged by the referee."""

import asyncio

from wordle_tools.bots.crew import Crew, CrewPlan
from wordle_tools.local_cloud import LocalCloud
from wordle_tournament.rules.languages import LANGUAGES


async def play(cloud: LocalCloud, **plan: object) -> tuple[int, list[str]]:
    """Let a crew play; the number of breaches and mishaps, and what was told."""
    told: list[str] = []
    crew = Crew(CrewPlan(url=cloud.url, **plan), told.append)  # type: ignore[arg-type]
    return await crew.run(), told


async def test_eight_bots_play_a_tournament_to_its_end(cloud: LocalCloud) -> None:
    """R1–R5: every message is held against protocol and rules, places and changes included."""
    failures, told = await play(cloud, language="en", count=8)
    assert failures == 0, told
    places = [line.split()[0] for line in told if line.strip()[:1].isdigit()]
    assert len(places) == 8, told
    assert places[0] == "1."


async def test_bots_that_idle_and_lose_their_connections_come_to_the_end_too(
    cloud: LocalCloud,
) -> None:
    """R3.3, R7.2: turns run out, connections are lost and come back."""
    failures, told = await play(cloud, language="en", count=8, idles=0.05, drops=0.05, seed=7)
    assert failures == 0, told


async def test_a_tournament_is_played_in_every_language(cloud: LocalCloud) -> None:
    """R9.1: all at once, each in lobbies of its own."""
    languages = [code for code in LANGUAGES if code != "en"]
    ends = await asyncio.gather(*(play(cloud, language=code, count=8) for code in languages))
    breaches = {
        code: told for code, (failures, told) in zip(languages, ends, strict=True) if failures
    }
    assert not breaches
