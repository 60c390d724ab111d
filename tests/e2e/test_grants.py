"""Without any one piece of its grants a function fails where it needs it, and with it does not."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.e2e.wire import Message, Wire
from wordle_tools.local_cloud import LocalCloud


@contextmanager
def without(cloud: LocalCloud, piece: str, function: str) -> Iterator[None]:
    """Take a piece of the grants from a function's role for a while."""
    iam, resources = cloud.clients("iam"), cloud.deployment.resources
    role, policy = resources[f"{function}FunctionRole"], resources[piece]
    iam.detach_role_policy(RoleName=role, PolicyArn=policy)
    try:
        yield
    finally:
        iam.attach_role_policy(RoleName=role, PolicyArn=policy)


async def prepare(player: Wire, action: str) -> Message:
    """Bring a player to where an action changes something, and tell what to send."""
    match action:
        case "leaveGroup":
            await player.ask("createGroup", language="fr")
            return {}
        case "leave":
            await player.ask("join", language="fr")
            return {}
        case "join" | "createGroup":
            return {"language": "fr"}
        case "rename":
            return {"nickname": "Granted"}
        case "hello":
            return {"protocol": 1}
        case _:
            return {}


@pytest.mark.parametrize(
    ("action", "piece"),
    [
        ("hello", "ReadGamePolicy"),
        ("sync", "ReadGamePolicy"),
        ("rename", "ReadGamePolicy"),
        ("rename", "ChangeGamePolicy"),
        ("join", "ReadGamePolicy"),
        ("join", "ChangeGamePolicy"),
        ("leave", "ChangeGamePolicy"),
        ("createGroup", "FoundGroupPolicy"),
        ("leaveGroup", "EndGroupPolicy"),
        ("history", "ReadResultsPolicy"),
        ("leaderboard", "ReadBoardPolicy"),
    ],
)
async def test_an_action_breaks_without_a_piece_of_its_grants_and_works_with_it(
    cloud: LocalCloud, action: str, piece: str
) -> None:
    async with Wire(cloud.url) as player:
        await player.hello()
        fields = await prepare(player, action)
        function = f"{action[0].upper()}{action[1:]}"
        with without(cloud, piece, function):
            assert (await player.ask(action, **fields)).get("code") == "internal"
        assert (await player.ask(action, **fields))["type"] != "error"
        await player.ask("leave")


@pytest.mark.parametrize("action", ["sync", "join", "createGroup"])
async def test_a_first_message_breaks_where_a_new_player_cannot_be_kept(
    cloud: LocalCloud, action: str
) -> None:
    async with Wire(cloud.url) as player:
        fields = await prepare(player, action) if action != "sync" else {}
        with without(cloud, "NewPlayerPolicy", f"{action[0].upper()}{action[1:]}"):
            assert (await player.ask(action, **fields)).get("code") == "internal"
        assert (await player.ask(action, **fields))["type"] != "error"
        await player.ask("leave")
