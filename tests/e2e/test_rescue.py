"""A round whose clock is lost goes on: the sweep finds it."""

from tests.e2e.test_duel import eight
from wordle_tools.local_cloud import LocalCloud


async def test_the_sweep_brings_on_a_tournament_whose_clock_was_killed(cloud: LocalCloud) -> None:
    machines = cloud.clients("stepfunctions")
    clock = cloud.deployment.resources["RoundClock"]
    async with eight(cloud, "en") as players:
        started = await players[0].event("tournamentStarted")
        tournament = started["tournament"]["tournamentId"]
        for execution in machines.list_executions(stateMachineArn=clock)["executions"]:
            if execution["name"].startswith(tournament) and execution["status"] == "RUNNING":
                machines.stop_execution(executionArn=execution["executionArn"])
        # Nobody plays and no clock wakes: only the sweep, once a minute, can open the duels.
        opened = await players[0].event("duelStarted")
        assert opened["duel"]["tournamentId"] == tournament
        await players[0].event("turnSkipped")
        clocks = machines.list_executions(stateMachineArn=clock)["executions"]
        assert len([one for one in clocks if one["name"].startswith(f"{tournament}-r1-")]) > 1
