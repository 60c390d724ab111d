"""Whatever a client sends is answered with the right code, changes nothing and closes nothing."""

import json
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.e2e.wire import Wire
from wordle_tools.local_cloud import LocalCloud

LARGE = "x" * 100_000
DEEP = "[" * 2_000 + "]" * 2_000

FRAMES: list[tuple[str | bytes, str]] = [
    ("", "bad_message"),
    ("hello", "bad_message"),
    ("[]", "bad_message"),
    ('[{"action":"ping"}]', "bad_message"),
    ("null", "bad_message"),
    ("17", "bad_message"),
    ('"ping"', "bad_message"),
    ('{"action":"ping"', "bad_message"),
    ('{"action":"ping","n":NaN}', "bad_message"),
    ('{"action":5}', "bad_message"),
    ('{"action":{"a":1}}', "bad_message"),
    ("{}", "bad_message"),
    ('{"requestId":"r"}', "bad_message"),
    (b"\xff\xfe\x00", "bad_message"),
    (f'{{"action":"ping","a":{DEEP}}}', "bad_message"),
    ('{"action":"ping","requestId":5}', "bad_message"),
    (json.dumps({"action": "ping", "requestId": "r" * 65}), "bad_message"),
    ('{"action":"nothing"}', "unknown_action"),
    ('{"action":"$connect"}', "unknown_action"),
    ('{"action":"$disconnect"}', "unknown_action"),
    ('{"action":"$default"}', "unknown_action"),
    ('{"action":"default"}', "unknown_action"),
    ('{"action":"tick","tournamentId":"t","round":1}', "unknown_action"),
    (LARGE, "message_too_large"),
    (json.dumps({"action": "ping", "requestId": "r", "a": LARGE}), "message_too_large"),
    (json.dumps({"action": "guess", "duelId": "d", "turn": 1, "word": LARGE}), "message_too_large"),
]

MESSAGES: list[tuple[dict[str, Any], str]] = [
    ({"action": "hello"}, "bad_message"),
    ({"action": "hello", "protocol": "1"}, "bad_message"),
    ({"action": "hello", "protocol": 2}, "unsupported_protocol"),
    ({"action": "rename"}, "bad_message"),
    ({"action": "rename", "nickname": 7}, "bad_message"),
    ({"action": "rename", "nickname": "x"}, "bad_nickname"),
    ({"action": "rename", "nickname": "a\u202eb"}, "bad_nickname"),
    ({"action": "join"}, "bad_message"),
    ({"action": "join", "language": ["en"]}, "bad_message"),
    ({"action": "join", "language": "xx"}, "unknown_language"),
    ({"action": "leave"}, "not_playing"),
    ({"action": "watch"}, "not_playing"),
    ({"action": "unwatch"}, "not_playing"),
    ({"action": "guess"}, "bad_message"),
    ({"action": "guess", "duelId": "d", "turn": True, "word": "crane"}, "bad_message"),
    ({"action": "guess", "duelId": "d", "turn": 0, "word": "crane"}, "bad_message"),
    ({"action": "guess", "duelId": "d", "turn": 13, "word": "crane"}, "bad_message"),
    ({"action": "guess", "duelId": "d", "turn": 1, "word": None}, "bad_message"),
    ({"action": "guess", "duelId": "no.such.duel", "turn": 1, "word": "crane"}, "no_such_duel"),
    ({"action": "createGroup", "language": "klingon"}, "unknown_language"),
    ({"action": "joinGroup", "code": "nosuchcode"}, "no_such_group"),
    ({"action": "leaveGroup"}, "not_in_group"),
    ({"action": "removeFromGroup", "playerId": "p"}, "not_in_group"),
    ({"action": "setGroupLanguage", "language": "en"}, "not_in_group"),
    ({"action": "startGroup"}, "not_in_group"),
    ({"action": "history", "limit": 0}, "bad_message"),
    ({"action": "history", "limit": 51}, "bad_message"),
    ({"action": "leaderboard", "limit": 101}, "bad_message"),
]


async def test_every_bad_frame_gets_its_code_and_the_connection_lives_on(cloud: LocalCloud) -> None:
    async with Wire(cloud.url) as player:
        before = await player.hello()
        for frame, code in FRAMES:
            await player.send(frame)
            answer = await player.next()
            assert (answer["type"], answer.get("code")) == ("error", code), frame[:60]
        for message, code in MESSAGES:
            await player.send(json.dumps({**message, "requestId": "r"}))
            answer = await player.next()
            assert (answer["type"], answer.get("code")) == ("error", code), message
            assert answer["requestId"] == "r"
        after = await player.ask("sync")
        assert after["profile"] == before["profile"]
        assert not {"lobby", "group", "tournament"} & after.keys()


async def test_actions_work_before_hello(cloud: LocalCloud) -> None:
    async with Wire(cloud.url) as player:
        assert (await player.ask("ping"))["type"] == "pong"
        assert (await player.ask("join", language="nl"))["type"] == "lobby"
        assert (await player.hello())["lobby"]["language"] == "nl"
        assert (await player.ask("leave"))["from"] == "lobby"


@pytest.mark.parametrize("token", ["", "nonsense", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
async def test_a_bad_token_is_refused_at_the_handshake(cloud: LocalCloud, token: str) -> None:
    with pytest.raises(InvalidStatus):
        async with Wire(f"{cloud.url}?token={token}"):
            pass


async def test_a_token_brings_the_same_player_back_by_header_and_by_url(cloud: LocalCloud) -> None:
    async with Wire(cloud.url) as first:
        profile = (await first.hello())["profile"]
        token = first.token
    async with Wire(cloud.url, token) as by_header:
        assert (await by_header.hello())["profile"] == profile
    async with Wire(f"{cloud.url}?token={token}") as by_url:
        assert (await by_url.hello())["profile"] == profile
