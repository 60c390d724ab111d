"""A group of three and five strangers, twice in a row."""

import asyncio

from tests.e2e.wire import Wire
from wordle_tools.bots.crew import Crew, CrewPlan
from wordle_tools.local_cloud import LocalCloud

STRANGERS = 5


async def strangers_play(cloud: LocalCloud) -> None:
    """Five who ask for a game, each by themselves, and lose or win as it comes."""
    told: list[str] = []
    plan = CrewPlan(url=cloud.url, language="de", count=STRANGERS)
    assert await Crew(plan, told.append).run() == 0, told


async def leave_when_started(player: Wire) -> None:
    """Be there when the tournament begins, then go, so that the others come to an end."""
    await player.event("duelStarted")
    assert (await player.ask("leave"))["type"] == "left"


async def test_a_group_plays_together_with_strangers_and_starts_again(cloud: LocalCloud) -> None:
    """R8: one lobby for all; somebody is lost and comes back in between."""
    async with Wire(cloud.url) as leader, Wire(cloud.url) as second, Wire(cloud.url) as third:
        for player in (leader, second, third):
            await player.hello()
        group = (await leader.ask("createGroup", language="en"))["group"]
        assert group["inviteUrl"].endswith(group["code"])
        for number, player in enumerate((second, third), start=2):
            joined = (await player.ask("joinGroup", code=f" {group['code'].upper()} "))["group"]
            assert len(joined["members"]) == number
        assert (await second.ask("startGroup"))["code"] == "not_leader"
        changed = await leader.ask("setGroupLanguage", language="de")
        assert changed["group"]["language"] == "de"

        second.drop()
        await leader.wait_for(
            lambda message: (
                message["type"] == "group"
                and any(not member["connected"] for member in message["group"]["members"])
            )
        )
        refused = await leader.ask("startGroup")
        assert refused["code"] == "members_not_ready"
        assert [member["playerId"] for member in refused["details"]["members"]] == [second.player]
        async with Wire(cloud.url, second.token) as returned:
            welcome = await returned.hello()
            assert welcome["group"]["code"] == group["code"]
            await leader.wait_for(
                lambda message: (
                    message["type"] == "group"
                    and all(member["connected"] for member in message["group"]["members"])
                )
            )
            members = (leader, returned, third)
            for _ in range(2):
                started = await leader.ask("startGroup")
                assert started["type"] == "lobby", started
                seated = {player["playerId"] for player in started["lobby"]["players"]}
                assert {player.player for player in members} <= seated
                await asyncio.gather(
                    strangers_play(cloud), *(leave_when_started(player) for player in members)
                )
                snapshot = await leader.ask("sync")
                assert snapshot["group"]["code"] == group["code"]
                assert not any(member["playing"] for member in snapshot["group"]["members"])
