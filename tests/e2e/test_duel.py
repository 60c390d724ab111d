"""Turns that are refused or run out, over real sockets."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from tests.e2e.wire import Message, Wire
from wordle_tools.local_cloud import LocalCloud


@asynccontextmanager
async def eight(cloud: LocalCloud, language: str = "en") -> AsyncIterator[list[Wire]]:
    """Eight players whose tournament has just begun."""
    async with AsyncExitStack() as stack:
        players = [await stack.enter_async_context(Wire(cloud.url)) for _ in range(8)]
        for player in players:
            await player.hello()
            answer = await player.ask("join", language=language)
            assert answer["type"] == "lobby", answer
        yield players


def opponents(duel: Message, players: list[Wire]) -> tuple[Wire, Wire]:
    """Who begins a duel, and the other one."""
    by_id = {player.player: player for player in players}
    first, second = duel["players"]
    return by_id[first], by_id[second]


async def test_what_is_not_a_turn_is_refused_and_a_turn_runs_out(cloud: LocalCloud) -> None:
    """R1.3, R3.3, R3.6, R3.8, R3.9."""
    async with eight(cloud) as players:
        intro = await players[0].event("roundIntro")
        pairing = intro["pairings"][0]
        first, second = opponents(pairing, players)
        early = await first.ask("guess", duelId=pairing["duelId"], turn=1, word="zzzzz")
        assert early["code"] == "not_started"

        duel: dict[str, Any] = (await first.event("duelStarted"))["duel"]
        await second.event("duelStarted")
        guess = {"duelId": duel["duelId"], "turn": 1}
        assert "ended" not in duel
        stranger = next(player for player in players if player not in (first, second))
        assert (await stranger.ask("guess", **guess, word="crane"))["code"] == "not_your_duel"
        assert (await second.ask("guess", **guess, word="crane"))["code"] == "not_your_turn"
        assert (await first.ask("guess", **guess, word="слово"))["code"] == "wrong_letters"
        short = await first.ask("guess", **guess, word="ab")
        assert (short["code"], short["details"]) == (
            "wrong_length",
            {"expected": duel["length"], "got": 2},
        )
        nonsense = "zq" * 3
        refused = await first.ask("guess", **guess, word=nonsense[: duel["length"]])
        assert refused["code"] == "not_in_word_list"

        skipped = await first.event("turnSkipped")
        assert (skipped["turn"], skipped["playerId"]) == (1, first.player)
        assert skipped["version"] == duel["version"] + 1
        assert skipped["next"]["playerId"] == second.player
        late = await first.ask("guess", **guess, word="crane")
        assert late["code"] == "stale_turn"

        await second.event("turnSkipped")
        word = {4: "tree", 5: "house", 6: "garden"}[duel["length"]]
        frame = {"action": "guess", "duelId": duel["duelId"], "turn": 2, "word": word}
        for number in "ab":
            await second.send(json.dumps({**frame, "requestId": number}))
        once, again = [
            await second.wait_for(lambda message, n=number: message.get("requestId") == n)  # type: ignore[misc]
            for number in "ab"
        ]
        assert once["type"] == "guessMade", once
        assert {**once, "requestId": ""} == {**again, "requestId": ""}
        assert (await first.event("guessMade"))["version"] == once["version"]


async def test_who_leaves_loses_the_duel_and_a_finished_duel_takes_no_guess(
    cloud: LocalCloud,
) -> None:
    """R4.2: the opponent wins at once, and the word is told."""
    async with eight(cloud) as players:
        intro = await players[0].event("roundIntro")
        first, second = opponents(intro["pairings"][0], players)
        await asyncio.gather(first.event("duelStarted"), second.event("duelStarted"))
        left = await first.ask("leave")
        assert (left["type"], left["from"]) == ("left", "tournament")
        assert (await second.event("playerLeft"))["playerId"] == first.player
        ended = await second.event("duelEnded")
        assert (ended["outcome"], ended["winner"]) == ("left", second.player)
        after = await second.ask("guess", duelId=ended["duelId"], turn=1, word=ended["word"])
        assert after["code"] == "duel_over"
        assert (await first.ask("leave"))["code"] == "not_playing"
