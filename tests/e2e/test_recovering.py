"""Drills: tables that were damaged are restored, and a stage elsewhere takes a lost one's place."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import SHORT
from tests.e2e.test_changing import until
from tests.e2e.test_duel import eight, opponents
from tests.e2e.test_operating import operate
from tests.e2e.wire import Message, Wire
from wordle_tools.backup.tables import TABLES
from wordle_tools.bots.crew import Crew, CrewPlan
from wordle_tools.local_cloud import LocalCloud, local_cloud
from wordle_tournament.adapters.stepfunctions import to_timestamp
from wordle_tournament.rules.moments import from_ms

UNHURRIED = replace(SHORT, turn_seconds=20)
"""Long enough for a copy of all tables to be made while nothing is written."""


@pytest.fixture
def stage() -> Iterator[LocalCloud]:
    """A cloud of its own, since others' players would be lost with its tables."""
    with local_cloud(UNHURRIED) as running:
        yield running


@pytest.fixture
def elsewhere() -> Iterator[LocalCloud]:
    """Another cloud, as in another region."""
    with local_cloud(SHORT) as running:
        yield running


async def succeeds(cloud: LocalCloud, *command: str) -> None:
    ran = await operate(cloud, *command)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def table_of(cloud: LocalCloud, table: str) -> str:
    return cloud.deployment.resources[table]


def the_tournament(cloud: LocalCloud) -> dict[str, Any]:
    """The one tournament that is stored."""
    found = cloud.clients("dynamodb").scan(TableName=table_of(cloud, "TournamentsTable"))
    (item,) = found["Items"]
    return dict(item)


def word_of(cloud: LocalCloud, duel: str) -> str:
    """The hidden word, which players who always solve at once must know."""
    tournament, number, place = duel.split(".")
    key = {"tournament": {"S": tournament}, "number": {"S": f"{int(number):02d}.{place}"}}
    found = cloud.clients("dynamodb").get_item(
        TableName=table_of(cloud, "DuelsTable"), Key=key, ConsistentRead=True
    )
    return str(found["Item"]["word"]["S"])


def delete_everything(cloud: LocalCloud) -> None:
    dynamodb = cloud.clients("dynamodb")
    for table in TABLES:
        name = table_of(cloud, table)
        schema = dynamodb.describe_table(TableName=name)["Table"]["KeySchema"]
        keys = [key["AttributeName"] for key in schema]
        for page in dynamodb.get_paginator("scan").paginate(TableName=name):
            for item in page["Items"]:
                dynamodb.delete_item(TableName=name, Key={key: item[key] for key in keys})


@contextmanager
def stopped(cloud: LocalCloud) -> Iterator[None]:
    """Let no function run; the emulator keeps only those of the gateway going."""
    functions = cloud.clients("lambda")
    names = [
        one["FunctionName"]
        for page in functions.get_paginator("list_functions").paginate()
        for one in page["Functions"]
    ]
    for name in names:
        functions.put_function_concurrency(FunctionName=name, ReservedConcurrentExecutions=0)
    yield
    for name in names:
        functions.delete_function_concurrency(FunctionName=name)


async def play_on(cloud: LocalCloud, player: Wire, running: list[Message]) -> Message:
    """Solve every duel when on turn, until the tournament ends; tells its end."""
    turn = {duel["duelId"]: duel for duel in running}
    while True:
        for duel, view in turn.items():
            if view["playerId"] == player.player:
                word = await asyncio.to_thread(word_of, cloud, duel)
                guess = {"duelId": duel, "turn": view["turn"], "word": word}
                await player.send(json.dumps({"action": "guess", **guess}))
        message = await player.next()
        turn = {}
        match message:
            case {"type": "tournamentEnded"}:
                return message
            case {"type": "duelStarted", "duel": started}:
                turn = {started["duelId"]: started}
            case {"type": "turnSkipped", "duelId": duel, "next": following}:
                turn = {duel: following}


async def play_to_the_end(cloud: LocalCloud, players: list[Wire]) -> Message:
    """Let players go on from what `hello` has just shown them; tells how it ended."""
    ended = await asyncio.gather(
        *(play_on(cloud, player, player.welcome["duels"]) for player in players)
    )
    return ended[0]


def clocks_of(cloud: LocalCloud, tournament: str, round_number: int) -> list[str]:
    """The first wake-up of each clock that a round has had."""
    machines = cloud.clients("stepfunctions")
    arn = cloud.deployment.resources["RoundClock"]
    inputs = [
        json.loads(machines.describe_execution(executionArn=one["executionArn"])["input"])
        for page in machines.get_paginator("list_executions").paginate(stateMachineArn=arn)
        for one in page["executions"]
    ]
    return [
        one["wakeAt"]
        for one in inputs
        if (one["tournamentId"], one["round"]) == (tournament, round_number)
    ]


async def test_restored_tables_bring_a_running_tournament_back_and_it_ends_properly(
    stage: LocalCloud, tmp_path: Path
) -> None:
    """With its players, or with nobody there, although its clocks have all run before."""
    copy = str(tmp_path / "copy")
    async with AsyncExitStack() as stack:
        players = await stack.enter_async_context(eight(stage))
        intro = await players[0].event("roundIntro")
        for pairing in intro["pairings"]:
            first, second = opponents(pairing, players)
            await second.event("duelStarted")
            assert (await first.ask("leave"))["type"] == "left"
            players.remove(first)
        seconds = [await player.event("duelStarted") for player in players]
        assert {one["duel"]["round"] for one in seconds} == {2}
        await succeeds(stage, "tables", "save", "--into", copy)
        tournament = seconds[0]["duel"]["tournamentId"]
        assert the_tournament(stage)["round"] == {"N": "2"}

        for player, started in zip(players, seconds, strict=True):
            player.welcome = {**player.welcome, "duels": [started["duel"]]}
        await play_to_the_end(stage, players)
        before = clocks_of(stage, tournament, 3)
        assert len(before) == 1

    delete_everything(stage)
    await succeeds(stage, "tables", "load", "--from", copy)
    # Nobody comes. What EventBridge does once a minute is done now.
    sweep = stage.deployment.resources["SweepFunction"]

    def swept_to_the_end() -> bool:
        stage.clients("lambda").invoke(FunctionName=sweep, Payload=b"{}")
        return bool(the_tournament(stage)["phase"]["S"] == "ended")

    await until(swept_to_the_end)
    await succeeds(stage, "audit")

    with stopped(stage):
        await succeeds(stage, "tables", "load", "--from", copy, "--replace")
    assert the_tournament(stage)["round"] == {"N": "2"}
    async with AsyncExitStack() as stack:
        back = [
            await stack.enter_async_context(Wire(stage.url, player.token)) for player in players
        ]
        for player in back:
            assert (await player.hello())["tournament"]["tournamentId"] == tournament
        ended = await play_to_the_end(stage, back)
        third = next(
            message
            for message in back[0].heard
            if message["type"] == "roundIntro" and message["round"] == 3
        )
    assert sorted(one["place"] for one in ended["standings"])[:2] == [1, 2]
    # The clock of the third round was started again as it was dealt, not by a sweep later.
    assert to_timestamp(from_ms(third["endsAt"])) in clocks_of(stage, tournament, 3)
    await succeeds(stage, "audit")


async def test_players_of_a_lost_region_go_on_elsewhere_as_who_they_were(
    stage: LocalCloud, elsewhere: LocalCloud, tmp_path: Path
) -> None:
    """Nickname, rating, history, group and token; connections and lobbies are found empty."""
    copy = str(tmp_path / "copy")
    async with Wire(stage.url) as ann, Wire(stage.url) as bob, Wire(stage.url) as waiting:
        for player in (ann, bob, waiting):
            await player.hello()
        await ann.ask("rename", nickname="Zoë")
        code = (await ann.ask("createGroup", language="en"))["group"]["code"]
        assert (await bob.ask("joinGroup", code=code))["type"] == "group"
        crew = Crew(CrewPlan(url=stage.url, language="en", count=6), lambda _: None)
        playing = asyncio.create_task(crew.run())
        assert (await ann.ask("startGroup"))["type"] == "lobby"
        for player in (ann, bob):
            await player.event("duelStarted")
            assert (await player.ask("leave"))["type"] == "left"
        assert await playing == 0
        known = [await player.ask("sync") for player in (ann, bob)]
        history = await ann.ask("history")
        assert len(history["games"]) == 1
        await waiting.ask("join", language="nl")
        await succeeds(stage, "tables", "save", "--into", copy)

    await succeeds(elsewhere, "tables", "load", "--from", copy)
    await succeeds(elsewhere, "audit")
    # Not before: who came to empty tables with a good token would be made anew.
    keys = [cloud.deployment.resources["SigningKeys"] for cloud in (stage, elsewhere)]
    secret = stage.clients("secretsmanager").get_secret_value(SecretId=keys[0])
    elsewhere.clients("secretsmanager").put_secret_value(
        SecretId=keys[1], SecretString=secret["SecretString"]
    )

    async with Wire(elsewhere.url, ann.token) as again, Wire(elsewhere.url, bob.token) as friend:
        for player, before in ((again, known[0]), (friend, known[1])):
            welcome = await player.hello()
            assert welcome["profile"] == before["profile"]
            assert welcome["group"]["code"] == code
        assert again.welcome["profile"]["nickname"] == "Zoë"
        assert (await again.ask("history"))["games"] == history["games"]

        # Whoever waited in a lobby is gone with the region, and their seat is free.
        await friend.ask("join", language="nl")
        alone = await friend.wait_for(
            lambda message: message["type"] == "lobby" and len(message["lobby"]["players"]) == 1
        )
        assert alone["lobby"]["players"][0]["playerId"] == friend.player
        await friend.ask("leave")

        crew = Crew(CrewPlan(url=elsewhere.url, language="en", count=6), lambda _: None)
        playing = asyncio.create_task(crew.run())
        assert (await again.ask("startGroup"))["type"] == "lobby"
        for player in (again, friend):
            await player.event("duelStarted")
            await player.ask("leave")
        assert await playing == 0
        assert len((await again.ask("history"))["games"]) == 2
    await succeeds(elsewhere, "audit")
