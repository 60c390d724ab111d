"""What an operator does with a stack that runs, and what players see of it."""

import asyncio
import json
import subprocess
import sys

from websockets.exceptions import ConnectionClosed

from tests.e2e.wire import Message, Wire
from wordle_tools.bots.crew import Crew, CrewPlan
from wordle_tools.local_cloud import LocalCloud

Ran = subprocess.CompletedProcess[str]


async def operate(cloud: LocalCloud, *command: str) -> Ran:
    """Run a command of the console script against the cloud."""
    program = "import sys; from wordle_tools.cli import main; sys.exit(main())"
    return await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", program, *command, "--local", cloud.url],
        capture_output=True,
        text=True,
    )


async def leaders(cloud: LocalCloud) -> list[Message]:
    async with Wire(cloud.url) as stranger:
        await stranger.hello()
        board = await stranger.ask("leaderboard")
    assert "you" not in board
    return list(board["players"])


async def test_a_player_is_exported_and_erased_while_the_tournaments_of_others_stay(
    cloud: LocalCloud,
) -> None:
    crew = Crew(CrewPlan(url=cloud.url, language="nl", count=8), lambda _: None)
    assert await crew.run() == 0
    best = (await leaders(cloud))[0]["playerId"]

    exported = await operate(cloud, "player", "export", "--id", best)
    record = json.loads(exported.stdout)
    assert record["player"]["id"] == best
    assert record["player"]["rating"] == 1000 + sum(one["change"] for one in record["results"])
    assert record["entries"][0]["duels"]

    erased = await operate(cloud, "player", "erase", "--id", best)
    assert erased.returncode == 0, erased.stderr
    assert best not in {leader["playerId"] for leader in await leaders(cloud)}
    audited = await operate(cloud, "audit")
    assert (audited.returncode, audited.stdout) == (0, "")


async def test_who_is_erased_while_in_a_lobby_has_left_it_and_their_token_is_void(
    cloud: LocalCloud,
) -> None:
    async with Wire(cloud.url) as ann, Wire(cloud.url) as bob:
        await ann.hello()
        await bob.hello()
        assert (await ann.ask("rename", nickname="Zoë"))["profile"]["nickname"] == "Zoë"
        assert (await ann.ask("rename", nickname="sh1t"))["code"] == "bad_nickname"
        await ann.ask("join", language="kk")
        shown = await bob.ask("join", language="kk")
        assert {one["nickname"] for one in shown["lobby"]["players"]} >= {"Zoë"}

        assert (await operate(cloud, "player", "erase", "--id", ann.player)).returncode == 0

        left = await bob.event("lobby")
        assert [one["playerId"] for one in left["lobby"]["players"]] == [bob.player]
        try:
            while True:
                await ann.next()
        except ConnectionClosed:
            pass
        await bob.ask("leave")
    async with Wire(cloud.url, ann.token) as again:
        assert (await again.ask("hello", protocol=1))["code"] == "player_erased"


async def test_history_shows_each_duel_again(cloud: LocalCloud) -> None:
    """R5.5: place and change, and the boards of one's own duels."""
    async with Wire(cloud.url) as ann:
        await ann.hello()
        crew = Crew(CrewPlan(url=cloud.url, language="pt", count=7), lambda _: None)
        playing = asyncio.create_task(crew.run())
        await ann.ask("join", language="pt")
        await ann.event("duelStarted")
        await ann.ask("leave")
        assert await playing == 0

        history = await ann.ask("history")
        board = await ann.ask("leaderboard", limit=1)

    (game,) = history["games"]
    assert (game["place"], game["language"]) == (8, "pt")
    (duel,) = game["duels"]
    assert (duel["outcome"], "".join(duel["letters"])) == ("left", duel["word"])
    assert ann.player in duel["players"]
    assert duel["winner"] != ann.player
    assert board["you"]["rating"] == game["rating"] == 1000 + game["ratingChange"]


async def test_tokens_stay_good_when_the_signing_key_changes(cloud: LocalCloud) -> None:
    async with Wire(cloud.url) as ann:
        await ann.hello()
    before = await operate(cloud, "keys", "list")

    # Longer than a function waits before it looks for a key that it does not know.
    rotated = await operate(cloud, "keys", "rotate", "--wait-seconds", "12")

    assert rotated.returncode == 0, rotated.stderr
    assert set(before.stdout.replace(" signs", "").split()) < set(rotated.stdout.split())
    async with Wire(cloud.url, ann.token) as again:
        assert (await again.hello())["profile"]["playerId"] == ann.player
    async with Wire(cloud.url, again.token) as once_more:
        assert (await once_more.hello())["profile"]["playerId"] == ann.player


async def test_a_stack_that_is_not_there_is_named(cloud: LocalCloud) -> None:
    for command in (["audit"], ["keys", "list"], ["player", "export", "--id", "x"]):
        ran = await operate(cloud, *command, "--stack", "elsewhere")

        assert ran.returncode == 2
        assert "elsewhere" in ran.stderr
