"""Every action goes to its use case and is answered once, with its request id."""

import json
from collections.abc import Callable, Mapping

import pytest

from tests.functions.conftest import Functions, arriving
from tests.usecases.table import NEVER_HIDDEN, SECOND, Client
from wordle_tournament.ports import messages
from wordle_tournament.ports.messages import Message
from wordle_tournament.rules.refusals import Code
from wordle_tournament.wire.incoming import ACTIONS

Scene = Callable[[Functions], tuple[Client, Mapping[str, object]]]


def nothing(functions: Functions) -> tuple[Client, Mapping[str, object]]:
    """A player who is nowhere."""
    return functions.table.client("ann"), {}


def a_stranger(functions: Functions) -> tuple[Client, Mapping[str, object]]:
    """A player who has not said a word."""
    return functions.table.stranger("ann"), {"protocol": 1}


def a_name(functions: Functions) -> tuple[Client, Mapping[str, object]]:
    """A player with another name in mind."""
    return functions.table.client("ann"), {"nickname": "Ann"}


def a_language(functions: Functions) -> tuple[Client, Mapping[str, object]]:
    """A player with a language in mind."""
    return functions.table.client("ann"), {"language": "de"}


def a_seat(functions: Functions) -> tuple[Client, Mapping[str, object]]:
    """A player in a lobby."""
    client = functions.table.client("ann")
    client.join()
    return client, {}


def a_turn(functions: Functions) -> tuple[Client, Mapping[str, object]]:
    """A player whose turn it is."""
    somebody, *_ = functions.table.eight()
    duel, *_ = functions.table.open_round(somebody)
    client = functions.table.find(duel.players[0])
    return client, {"duelId": duel.id, "turn": 1, "word": NEVER_HIDDEN[len(duel.word)]}


def a_place(functions: Functions) -> tuple[Client, Mapping[str, object]]:
    """A player who has lost the last life in a tournament that goes on."""
    somebody, *_ = functions.table.eight()
    duel, *others = functions.table.open_round(somebody)
    loser = functions.table.find(duel.players[1])
    functions.table.set_lives(somebody, {loser.player: 1})
    for one in (duel, *others):
        functions.table.solve(one)
    return loser, {}


def a_group(functions: Functions) -> tuple[Client, Mapping[str, object]]:
    """The leader of a group of two."""
    leader, _ = functions.table.friends("ab")
    return leader, {}


def a_member(functions: Functions) -> tuple[Client, Mapping[str, object]]:
    """The leader of a group, with a member in mind."""
    leader, member = functions.table.friends("ab")
    return leader, {"playerId": member.player}


def a_choice(functions: Functions) -> tuple[Client, Mapping[str, object]]:
    """The leader of a group, with a language in mind."""
    leader, _ = functions.table.friends("ab")
    return leader, {"language": "de"}


def a_code(functions: Functions) -> tuple[Client, Mapping[str, object]]:
    """A player with an invitation."""
    leader, _ = functions.table.friends("ab")
    return functions.table.client("ann"), {"code": leader.group().code}


ANSWERS: Mapping[str, tuple[Scene, type[Message]]] = {
    "hello": (a_stranger, messages.Welcome),
    "sync": (nothing, messages.Snapshot),
    "ping": (nothing, messages.Pong),
    "rename": (a_name, messages.Profile),
    "join": (a_language, messages.LobbyChanged),
    "leave": (a_seat, messages.Left),
    "guess": (a_turn, messages.GuessMade),
    "watch": (a_place, messages.Snapshot),
    "unwatch": (a_place, messages.Snapshot),
    "createGroup": (a_language, messages.GroupChanged),
    "joinGroup": (a_code, messages.GroupChanged),
    "leaveGroup": (a_group, messages.GroupLeft),
    "removeFromGroup": (a_member, messages.GroupChanged),
    "setGroupLanguage": (a_choice, messages.GroupChanged),
    "startGroup": (a_group, messages.LobbyChanged),
    "history": (nothing, messages.History),
    "leaderboard": (nothing, messages.Leaderboard),
}
"""A scene for each action in which it is done, and what it is then answered by."""

TYPES = [model.action for model in ACTIONS]


@pytest.mark.parametrize("action", TYPES)
def test_an_action_is_answered_once_and_as_the_protocol_says(
    functions: Functions, action: str
) -> None:
    scene, answer = ANSWERS[action]
    client, fields = scene(functions)
    assert isinstance(functions.say(client, action, **fields).message, answer)


@pytest.mark.parametrize(
    "action", [action for action in TYPES if action not in {"hello", "ping", "history"}]
)
def test_a_refusal_of_the_rules_is_answered_with_its_code(
    functions: Functions, action: str
) -> None:
    """What an action needs is missing: a name, a seat, a duel, a group."""
    wrong: Mapping[str, tuple[Mapping[str, object], Code]] = {
        "rename": ({"nickname": ""}, Code.BAD_NICKNAME),
        "join": ({"language": "tlh"}, Code.UNKNOWN_LANGUAGE),
        "leave": ({}, Code.NOT_PLAYING),
        "guess": ({"duelId": "t.1.0", "turn": 1, "word": "xyz"}, Code.NO_SUCH_DUEL),
        "watch": ({}, Code.NOT_PLAYING),
        "unwatch": ({}, Code.NOT_PLAYING),
        "createGroup": ({"language": "tlh"}, Code.UNKNOWN_LANGUAGE),
        "joinGroup": ({"code": "nowhere"}, Code.NO_SUCH_GROUP),
        "leaveGroup": ({}, Code.NOT_IN_GROUP),
        "removeFromGroup": ({"playerId": "nobody"}, Code.NOT_IN_GROUP),
        "setGroupLanguage": ({"language": "de"}, Code.NOT_IN_GROUP),
        "startGroup": ({}, Code.NOT_IN_GROUP),
        "sync": ({"requestId": 7}, Code.BAD_MESSAGE),
        "leaderboard": ({"limit": 101}, Code.BAD_MESSAGE),
    }
    fields, code = wrong[action]
    client = functions.table.client("ann")
    body = json.dumps({"action": action, **fields})
    (answer,) = functions.send(client, action, body)
    assert isinstance(answer.message, messages.Error)
    assert answer.message.code == code


@pytest.mark.parametrize("action", TYPES)
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("", Code.BAD_MESSAGE),
        ("{", Code.BAD_MESSAGE),
        ("[1, 2]", Code.BAD_MESSAGE),
        ("null", Code.BAD_MESSAGE),
        ("{}", Code.BAD_MESSAGE),
        ("[" * 4000, Code.BAD_MESSAGE),
        ("x" * 100_000, Code.MESSAGE_TOO_LARGE),
    ],
    ids=["empty", "cut", "array", "null", "nothing", "nested", "large"],
)
def test_what_is_no_message_is_answered_and_changes_nothing(
    functions: Functions, action: str, body: str, code: Code
) -> None:
    client = functions.table.client("ann")
    before = functions.table.everything()
    (answer,) = functions.send(client, action, body)
    assert isinstance(answer.message, messages.Error)
    assert answer.message.code == code
    assert functions.table.everything() == before


@pytest.mark.parametrize("function", ["default", "connect", "disconnect"])
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ('{"action": "dance", "requestId": "r"}', Code.UNKNOWN_ACTION),
        ('{"action": "$connect", "requestId": "r"}', Code.UNKNOWN_ACTION),
        ('{"action": "$disconnect", "requestId": "r"}', Code.UNKNOWN_ACTION),
        ('{"action": {"a": 1}, "requestId": "r"}', Code.BAD_MESSAGE),
        ('{"requestId": "r"}', Code.BAD_MESSAGE),
    ],
)
def test_what_no_route_takes_is_refused_with_its_request_id(
    functions: Functions, function: str, body: str, code: Code
) -> None:
    """A client can name `$connect` and `$disconnect` as actions, but not call them."""
    client = functions.table.client("ann")
    before = functions.table.everything()
    (answer,) = functions.send(client, function, body)
    assert answer.request_id == "r"
    assert isinstance(answer.message, messages.Error)
    assert answer.message.code == code
    assert functions.table.everything() == before


def test_a_connection_is_let_in_without_a_word(functions: Functions) -> None:
    """Nothing can be sent to it yet, and nothing is stored until it speaks."""
    client = functions.table.stranger("ann")
    before = functions.table.everything()
    assert functions.call(client, "connect", functions.event("connect")) == []
    assert functions.table.everything() == before


def test_the_end_of_a_connection_gives_the_seat_back(functions: Functions) -> None:
    """R6.5: only of the connection that the event names."""
    leaving, staying = functions.table.client("ann"), functions.table.client("bob")
    leaving.join()
    staying.join()
    goodbye = functions.event("disconnect")
    goodbye["requestContext"]["connectionId"] = leaving.connection
    goodbye["requestContext"]["authorizer"]["playerId"] = leaving.player
    assert functions.call(leaving, "disconnect", goodbye) == []
    assert leaving.stored().lobby is None
    assert staying.all_heard(messages.LobbyChanged)[-1].lobby.players[0].player_id == "bob"


def test_a_guess_counts_by_its_receipt(functions: Functions) -> None:
    """R3.8: however late the function runs."""
    client, fields = a_turn(functions)
    deadline = functions.table.duel(client).deadline
    assert deadline is not None
    functions.table.clock.set(deadline)
    body = json.dumps({"action": "guess", **fields})
    event = arriving(functions.event("message"), client, body=body)
    functions.table.clock.advance(SECOND / 2)
    functions.call(client, "guess", event)
    assert client.all_heard(messages.GuessMade)[-1].received_at == deadline


def test_a_guess_received_too_late_is_refused(functions: Functions) -> None:
    """R3.8: by a millisecond."""
    client, fields = a_turn(functions)
    deadline = functions.table.duel(client).deadline
    assert deadline is not None
    functions.table.clock.set(deadline + SECOND / 1000)
    answer = functions.say(client, "guess", **fields).message
    assert isinstance(answer, messages.Error)
    assert (answer.code, answer.details) == (Code.DEADLINE_PASSED, {"lateByMs": 1})
