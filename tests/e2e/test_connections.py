"""Losing the connection, coming back, being replaced, watching: over real sockets."""

import asyncio

from tests.e2e.test_duel import eight, opponents
from tests.e2e.wire import Wire
from wordle_tools.local_cloud import LocalCloud


async def test_a_killed_socket_is_noticed_and_its_player_comes_back_to_the_running_duel(
    cloud: LocalCloud,
) -> None:
    """R7.2, R7.4."""
    async with eight(cloud) as players:
        intro = await players[0].event("roundIntro")
        first, second = opponents(intro["pairings"][0], players)
        duel = (await first.event("duelStarted"))["duel"]
        first.drop()
        lost = await second.event("playerDisconnected")
        assert lost["playerId"] == first.player
        async with Wire(cloud.url, first.token) as returned:
            welcome = await returned.hello()
            assert welcome["profile"]["playerId"] == first.player
            assert welcome["tournament"]["tournamentId"] == duel["tournamentId"]
            (own,) = welcome["duels"]
            assert own["duelId"] == duel["duelId"]
            assert own["deadline"] > lost["backBy"] - 60_000
            back = await second.event("playerReconnected")
            assert back["version"] == lost["version"] + 1
            assert (await returned.event("turnSkipped"))["duelId"] == duel["duelId"]


async def test_who_does_not_come_back_in_time_has_left(cloud: LocalCloud) -> None:
    """R7.2, R4.2."""
    async with eight(cloud) as players:
        intro = await players[0].event("roundIntro")
        first, second = opponents(intro["pairings"][0], players)
        first.drop()
        await second.event("playerDisconnected")
        assert (await second.event("playerLeft"))["playerId"] == first.player
        ended = await second.wait_for(
            lambda message: message["type"] == "duelEnded" and message["outcome"] == "left"
        )
        assert ended["winner"] == second.player
        async with Wire(cloud.url, first.token) as late:
            assert "tournament" not in await late.hello()


async def test_the_newest_connection_replaces_the_older_for_good(cloud: LocalCloud) -> None:
    """R7.3."""
    async with Wire(cloud.url) as older:
        await older.hello()
        lobby = await older.ask("join", language="it")
        async with Wire(cloud.url, older.token) as newer:
            welcome = await newer.hello()
            assert welcome["lobby"]["lobbyId"] == lobby["lobby"]["lobbyId"]
            assert (await older.next())["type"] == "replaced"
            await older.socket.wait_closed()
            assert (await newer.ask("sync"))["lobby"]["lobbyId"] == lobby["lobby"]["lobbyId"]
            assert (await newer.ask("leave"))["type"] == "left"


async def test_a_lost_connection_gives_the_seat_in_a_lobby_back(cloud: LocalCloud) -> None:
    """R6.5."""
    async with Wire(cloud.url) as stays, Wire(cloud.url) as goes:
        await stays.hello()
        await goes.hello()
        lobby = (await stays.ask("join", language="pt"))["lobby"]
        await goes.ask("join", language="pt")
        assert len((await stays.event("lobby"))["lobby"]["players"]) == 2
        goes.drop()
        alone = (await stays.event("lobby"))["lobby"]
        assert [player["playerId"] for player in alone["players"]] == [stays.player]
        assert alone["version"] == lobby["version"] + 2
        async with Wire(cloud.url, goes.token) as returned:
            assert "lobby" not in await returned.hello()
            told = await returned.event("lobbyLeft")
            assert (told["lobbyId"], told["reason"]) == (lobby["lobbyId"], "disconnected")
        await stays.ask("leave")


async def test_who_is_done_watches_the_others(cloud: LocalCloud) -> None:
    """R4.6: all running duels so far, then live; not while one's own duel runs."""
    async with eight(cloud) as players:
        intro = await players[0].event("roundIntro")
        first, second = opponents(intro["pairings"][0], players)
        await asyncio.gather(first.event("duelStarted"), second.event("duelStarted"))
        assert (await second.ask("watch"))["code"] == "still_playing"
        await first.ask("leave")
        await second.event("duelEnded")
        snapshot = await second.ask("watch")
        assert snapshot["type"] == "snapshot"
        assert len(snapshot["duels"]) == 3
        assert all("ended" not in duel for duel in snapshot["duels"])
        skipped = await second.event("turnSkipped")
        assert skipped["duelId"] in {duel["duelId"] for duel in snapshot["duels"]}
        assert (await second.ask("unwatch"))["duels"] == []
