"""Without a piece of its grants a function fails where it needs it, and with it does not."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.e2e.wire import Message, Wire
from wordle_tools.local_cloud import LocalCloud
from wordle_tools.project import ROOT

BREAKING = [
    ("hello", "ReadGamePolicy"),
    ("sync", "ReadGamePolicy"),
    ("rename", "ReadGamePolicy"),
    ("rename", "ChangeGamePolicy"),
    ("join", "ReadGamePolicy"),
    ("join", "ChangeGamePolicy"),
    ("leave", "ChangeGamePolicy"),
    ("guess", "TickPolicy"),
    ("watch", "ReadGamePolicy"),
    ("unwatch", "ReadGamePolicy"),
    ("createGroup", "FoundGroupPolicy"),
    ("joinGroup", "ChangeGamePolicy"),
    ("leaveGroup", "EndGroupPolicy"),
    ("removeFromGroup", "ChangeGamePolicy"),
    ("setGroupLanguage", "ChangeGamePolicy"),
    ("startGroup", "ReadGamePolicy"),
    ("history", "ReadResultsPolicy"),
    ("leaderboard", "ReadBoardPolicy"),
]
"""Actions, and pieces without which they are answered with `internal`."""

FIELDS: Mapping[str, Message] = {
    "hello": {"protocol": 1},
    "rename": {"nickname": "Granted"},
    "join": {"language": "fr"},
    "guess": {"duelId": "t.1.0", "turn": 1, "word": "crane"},
    "createGroup": {"language": "fr"},
    "setGroupLanguage": {"language": "de"},
}
"""What the messages hold that need no preparation."""

REFUSED = {"guess": "no_such_duel", "watch": "not_playing", "unwatch": "not_playing"}
"""What is wrong with the messages that are sent here, once they are understood."""

MUTE = {
    "ping": {"action": "ping"},
    "default": {"action": "dance"},
    "connect": {"action": "$connect"},
}
"""Functions that do nothing but answer, with a message for each."""

WOKEN: Mapping[str, tuple[str, Mapping[str, object], Mapping[str, object]]] = {
    "tick": ("ReadGamePolicy", {"tournamentId": "t", "round": 1}, {"over": True}),
    "expireGrace": ("ReadGamePolicy", {"playerId": "p", "loss": 1}, {"over": True}),
    "sweep": ("FindOverduePolicy", {}, {}),
}
"""Functions that are woken: a piece that they cannot do without, what wakes them, an answer."""


def function_id(function: str) -> str:
    return f"{function[0].upper()}{function[1:]}Function"


@contextmanager
def without(cloud: LocalCloud, piece: str, function: str) -> Iterator[None]:
    """Take a piece of the grants from a function's role for a while."""
    iam, resources = cloud.clients("iam"), cloud.deployment.resources
    role, policy = resources[f"{function_id(function)}Role"], resources[piece]
    iam.detach_role_policy(RoleName=role, PolicyArn=policy)
    try:
        yield
    finally:
        iam.attach_role_policy(RoleName=role, PolicyArn=policy)


async def prepare(player: Wire, friend: Wire, action: str) -> Message:
    """Bring a player to where an action changes something, and tell what to send."""
    match action:
        case "leave":
            await player.ask("join", language="fr")
        case "leaveGroup" | "setGroupLanguage" | "startGroup":
            await player.ask("createGroup", language="fr")
        case "joinGroup":
            return {"code": (await friend.ask("createGroup", language="fr"))["group"]["code"]}
        case "removeFromGroup":
            group = (await player.ask("createGroup", language="fr"))["group"]
            await friend.ask("joinGroup", code=group["code"])
            return {"playerId": friend.player}
    return FIELDS.get(action, {})


@pytest.mark.parametrize(("action", "piece"), BREAKING)
async def test_an_action_breaks_without_a_piece_of_its_grants_and_works_with_it(
    cloud: LocalCloud, action: str, piece: str
) -> None:
    async with Wire(cloud.url) as player, Wire(cloud.url) as friend:
        await player.hello()
        await friend.hello()
        fields = await prepare(player, friend, action)
        with without(cloud, piece, action):
            assert error_of(await player.ask(action, **fields)) == "internal"
        assert error_of(await player.ask(action, **fields)) == REFUSED.get(action)
        await player.ask("leave")


@pytest.mark.parametrize("action", ["sync", "join", "createGroup"])
async def test_a_first_message_breaks_where_a_new_player_cannot_be_kept(
    cloud: LocalCloud, action: str
) -> None:
    async with Wire(cloud.url) as player:
        fields = FIELDS.get(action, {})
        with without(cloud, "NewPlayerPolicy", action):
            assert error_of(await player.ask(action, **fields)) == "internal"
        assert error_of(await player.ask(action, **fields)) is None
        await player.ask("leave")


@pytest.mark.parametrize("function", MUTE)
async def test_who_only_answers_is_mute_without_its_grants(
    cloud: LocalCloud, function: str
) -> None:
    async with Wire(cloud.url) as player:
        await player.hello()
        with without(cloud, "PushPolicy", function):
            await player.send(json.dumps({**MUTE[function], "requestId": "unheard"}))
            await logged(cloud, function, player.player)
        await player.send(json.dumps({**MUTE[function], "requestId": "heard"}))
        await player.wait_for(lambda message: message.get("requestId") == "heard")
        assert "unheard" not in [message.get("requestId") for message in player.heard]


async def test_a_seat_is_not_given_back_where_a_goodbye_cannot_be_noted(
    cloud: LocalCloud,
) -> None:
    """R6.5"""
    async with Wire(cloud.url) as witness:
        await witness.hello()
        await witness.ask("join", language="pl")
        async with Wire(cloud.url) as first, Wire(cloud.url) as second:
            for player in (first, second):
                await player.hello()
                await player.ask("join", language="pl")
            with without(cloud, "ChangeGamePolicy", "disconnect"):
                await first.socket.close()
                line = await logged(cloud, "disconnect", first.player)
                assert line["outcome"] == "internal"
            await second.socket.close()
            seats = [witness.player, first.player]
            await witness.wait_for(lambda message: seats_of(message) == seats)
        await witness.ask("leave")


def error_of(answer: Message) -> str | None:
    """The code of an error; None for any other answer."""
    return str(answer["code"]) if answer["type"] == "error" else None


def seats_of(message: Message) -> list[str]:
    """Who sits in the lobby of a message about one."""
    return [player["playerId"] for player in message.get("lobby", {}).get("players", ())]


@pytest.mark.parametrize("function", WOKEN)
async def test_a_wake_up_fails_without_a_piece_of_its_grants_and_works_with_it(
    cloud: LocalCloud, function: str
) -> None:
    piece, state, answer = WOKEN[function]
    with without(cloud, piece, function):
        assert "FunctionError" in invoke(cloud, function, state)
    woken = invoke(cloud, function, state)
    assert "FunctionError" not in woken
    assert json.load(woken["Payload"]).items() >= answer.items()


async def test_nobody_comes_back_where_the_keys_cannot_be_read(cloud: LocalCloud) -> None:
    async with Wire(cloud.url) as player:
        await player.hello()
    start_anew(cloud, "authorize")
    with without(cloud, "SigningKeysPolicy", "authorize"), pytest.raises(InvalidStatus):
        await Wire(cloud.url, player.token).__aenter__()
    async with Wire(cloud.url, player.token) as again:
        await again.hello()
        assert again.player == player.player


def test_every_function_has_lost_a_grant_here() -> None:
    tried = {action for action, _ in BREAKING} | {*MUTE, *WOKEN, "disconnect", "authorize"}
    assert tried == {path.parent.name for path in (ROOT / "functions").glob("*/handler.py")}


def invoke(cloud: LocalCloud, function: str, state: Mapping[str, object]) -> Mapping[str, Any]:
    """Call a function as timers and schedules do."""
    answer: Mapping[str, Any] = cloud.clients("lambda").invoke(
        FunctionName=cloud.deployment.resources[function_id(function)], Payload=json.dumps(state)
    )
    return answer


def start_anew(cloud: LocalCloud, function: str) -> None:
    """Let a function forget what it has read, as a new version of it does."""
    functions = cloud.clients("lambda")
    name = cloud.deployment.resources[function_id(function)]
    functions.update_function_configuration(FunctionName=name, Description="anew")
    version = functions.publish_version(FunctionName=name)["Version"]
    functions.update_alias(FunctionName=name, Name="live", FunctionVersion=version)


async def logged(cloud: LocalCloud, function: str, player: str) -> Mapping[str, Any]:
    """Wait for the line that a function logs when it is done with a player."""
    while True:
        for text in cloud.function_log.read_text(encoding="utf-8").splitlines():
            if player in text and f'"message":"{function}"' in text:
                line: Mapping[str, Any] = json.loads(text[text.index("{") :])
                return line
        await asyncio.sleep(0.05)
