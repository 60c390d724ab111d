"""Deploying while a tournament runs: it does not suffer, and what was wrong is taken back."""

import asyncio
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.e2e.conftest import SHORT
from tests.e2e.wire import Wire
from wordle_tools.bots.crew import Crew, CrewPlan
from wordle_tools.local_cloud import LocalCloud, local_cloud
from wordle_tools.packaging.template import load_template, relocated, sources
from wordle_tools.project import TEMPLATE

CLOCK = TEMPLATE.parent / "state_machines" / "round_clock.asl.json"
WRONG = ("BREACH", "MISHAP", "FAILED")
WAITING_SECONDS = 20
"""Longer than an update takes."""


@pytest.fixture
def stage() -> Iterator[LocalCloud]:
    """A cloud of its own, since what is deployed to it is not what others test."""
    with local_cloud(SHORT) as running:
        yield running


def template_with(folder: Path, logical_id: str, place: Path) -> Path:
    """The template, but with one thing taken from another place."""
    template = load_template(TEMPLATE)
    places = {
        source.logical_id: str(source.path.resolve())
        for source in sources(template, TEMPLATE.parent)
    }
    file = folder / "template.json"
    file.write_text(json.dumps(relocated(template, {**places, logical_id: str(place)})))
    return file


def poisoned(folder: Path, logical_id: str) -> Path:
    """The template, but with a function that cannot even be imported."""
    code = folder / "code"
    code.mkdir()
    (code / "handler.py").write_text("raise RuntimeError\n", encoding="utf-8")
    return template_with(folder, logical_id, code)


def with_longer_clock(folder: Path) -> Path:
    """The template, but with a state more in the clock of rounds."""
    definition = json.loads(CLOCK.read_text(encoding="utf-8"))
    definition["States"] |= {"New": {"Type": "Pass", "Next": "Tick"}}
    definition["States"]["Wait"]["Next"] = "New"
    file = folder / CLOCK.name
    file.write_text(json.dumps(definition), encoding="utf-8")
    return template_with(folder, "RoundClock", file)


async def until(holds: Callable[[], bool]) -> None:
    """Look again and again until something holds."""
    while not await asyncio.to_thread(holds):
        await asyncio.sleep(0.2)


def in_second_round(cloud: LocalCloud) -> bool:
    table = cloud.deployment.resources["TournamentsTable"]
    items = cloud.clients("dynamodb").scan(TableName=table)["Items"]
    return any(int(item["round"]["N"]) >= 2 for item in items)


def clocks_gave_up(cloud: LocalCloud) -> bool:
    clock = cloud.deployment.resources["RoundClock"]
    states = cloud.clients("stepfunctions")
    failed = states.list_executions(stateMachineArn=clock, statusFilter="FAILED")
    return bool(failed["executions"])


async def test_a_bad_deployment_in_the_middle_of_a_tournament_is_taken_back_and_it_ends_properly(
    stage: LocalCloud, tmp_path: Path
) -> None:
    """The clocks of rounds give up meanwhile, and a drained stage begins no other game."""
    told: list[str] = []
    crew = Crew(CrewPlan(url=stage.url, language="en", count=8), told.append)
    playing = asyncio.create_task(crew.run())
    await until(lambda: in_second_round(stage))

    await asyncio.to_thread(stage.update, poisoned(tmp_path, "TickFunction"), Draining="true")
    async with Wire(stage.url) as stranger:
        await stranger.hello()
        refused = await stranger.ask("join", language="de")
        assert (refused["code"], refused["details"]["reason"]) == ("try_again", "draining")
        await until(lambda: clocks_gave_up(stage) or playing.done())
        assert not playing.done()

        await asyncio.to_thread(stage.update)
        assert (await stranger.ask("join", language="de"))["type"] == "lobby"

    await playing
    assert [line for line in told if line.startswith(WRONG)] == []
    assert any(line.strip().startswith("1.") for line in told), told


async def test_a_timer_that_waits_ends_as_it_began_and_the_next_is_of_the_new_version(
    stage: LocalCloud, tmp_path: Path
) -> None:
    states = stage.clients("stepfunctions")
    alias = f"{stage.deployment.resources['RoundClock']}:live"

    def start(name: str) -> str:
        at = datetime.now(UTC) + timedelta(seconds=WAITING_SECONDS)
        wait = {"tournamentId": "none", "round": 1, "wakeAt": f"{at:%Y-%m-%dT%H:%M:%SZ}"}
        started = states.start_execution(stateMachineArn=alias, name=name, input=json.dumps(wait))
        return str(started["executionArn"])

    def entered(execution: str) -> list[str]:
        events = states.get_execution_history(executionArn=execution)["events"]
        details = [event.get("stateEnteredEventDetails") for event in events]
        return [detail["name"] for detail in details if detail]

    def has_ended(execution: str) -> bool:
        return bool(states.describe_execution(executionArn=execution)["status"] == "SUCCEEDED")

    before = start("before")
    await asyncio.to_thread(stage.update, with_longer_clock(tmp_path))
    assert not has_ended(before)
    after = start("after")

    await until(lambda: has_ended(before) and has_ended(after))
    assert entered(before) == ["Wait", "Tick", "IsOver", "Over"]
    assert entered(after) == ["Wait", "New", "Tick", "IsOver", "Over"]
