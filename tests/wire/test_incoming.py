"""Every action of a client as the server reads it."""

import gc
import json
import subprocess
import sys
from dataclasses import asdict, fields
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import SchemaValidator, ValidationError

from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.wire.incoming import (
    ACTIONS,
    MOST_BYTES,
    Action,
    CreateGroup,
    Guess,
    Hello,
    History,
    Join,
    JoinGroup,
    Leaderboard,
    Leave,
    LeaveGroup,
    Ping,
    RemoveFromGroup,
    Rename,
    SetGroupLanguage,
    StartGroup,
    Sync,
    Unwatch,
    Watch,
    action_of,
    decode,
    request_id_of,
    schema,
)

Message = dict[str, Any]

GUESS: Message = {"action": "guess", "duelId": "cup-1-0", "turn": 3, "word": "crane"}

READABLE: list[tuple[type[Action], Message, Message]] = [
    (Hello, {"action": "hello", "protocol": 1}, {"protocol": 1}),
    (Hello, {"action": "hello", "protocol": -(10**30)}, {"protocol": -(10**30)}),
    (Sync, {"action": "sync"}, {}),
    (Ping, {"action": "ping"}, {}),
    (Rename, {"action": "rename", "nickname": "Änne"}, {"nickname": "Änne"}),
    (Join, {"action": "join", "language": "tlh"}, {"language": "tlh"}),
    (Leave, {"action": "leave"}, {}),
    (Guess, GUESS, {"duel_id": "cup-1-0", "turn": 3, "word": "crane"}),
    (Watch, {"action": "watch"}, {}),
    (Unwatch, {"action": "unwatch"}, {}),
    (CreateGroup, {"action": "createGroup", "language": "en"}, {"language": "en"}),
    (JoinGroup, {"action": "joinGroup", "code": "g1"}, {"code": "g1"}),
    (LeaveGroup, {"action": "leaveGroup"}, {}),
    (RemoveFromGroup, {"action": "removeFromGroup", "playerId": "ben"}, {"player_id": "ben"}),
    (SetGroupLanguage, {"action": "setGroupLanguage", "language": "en"}, {"language": "en"}),
    (StartGroup, {"action": "startGroup"}, {}),
    (History, {"action": "history"}, {"before": None, "limit": None}),
    (History, {"action": "history", "limit": 50}, {"before": None, "limit": 50}),
    (History, {"action": "history", "before": "x"}, {"before": "x", "limit": None}),
    (Leaderboard, {"action": "leaderboard"}, {"limit": None}),
    (Leaderboard, {"action": "leaderboard", "limit": 100}, {"limit": 100}),
]


def refusal_of(text: str, model: type[Action] = Guess) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        decode(text, model)
    return refusal.value


@pytest.mark.parametrize(
    ("model", "message", "attributes"),
    READABLE,
    ids=[f"{model.action}-{place}" for place, (model, _, _) in enumerate(READABLE)],
)
def test_an_action_is_read_as_the_protocol_says(
    model: type[Action], message: Message, attributes: Message
) -> None:
    read = decode(json.dumps(message), model)
    assert type(read) is model
    assert asdict(read) == {"request_id": None, **attributes}
    with_id = decode(json.dumps({**message, "requestId": "r-1"}), model)
    assert asdict(with_id) == {"request_id": "r-1", **attributes}


def test_every_action_is_among_these() -> None:
    gc.collect()  # A dataclass with slots is a second class; the first is garbage.
    assert {model for model, _, _ in READABLE} == set(ACTIONS) == set(Action.__subclasses__())
    assert len({model.action for model in ACTIONS}) == len(ACTIONS) == 17


@pytest.mark.parametrize("model", ACTIONS, ids=lambda model: model.action)
def test_optional_fields_are_those_that_may_be_none(model: type[Action]) -> None:
    """The schema of a field and its Python type say the same."""
    hints = get_type_hints(model, include_extras=True)
    for field in fields(model):
        python_type, described = get_args(hints[field.name])
        takes = SchemaValidator(described)
        assert (type(None) in get_args(python_type)) == (field.default is None)
        for value, kind in ((None, type(None)), ("1", str), (1, int), (True, bool), (1.0, float)):
            if kind is python_type or kind in get_args(python_type):
                assert takes.validate_python(value) == value
            else:
                with pytest.raises(ValidationError):
                    takes.validate_python(value)


def test_unknown_fields_are_ignored_and_null_stands_for_an_optional_field_left_out() -> None:
    text = json.dumps({"action": "history", "more": [1.5], "before": None, "requestId": None})
    assert asdict(decode(text, History)) == {"request_id": None, "before": None, "limit": None}


def test_of_a_field_that_comes_twice_the_last_counts() -> None:
    assert decode('{"action":"hello","protocol":1,"protocol":2}', Hello).protocol == 2


def test_python_names_of_fields_are_not_names_of_the_protocol() -> None:
    text = json.dumps({**{k: v for k, v in GUESS.items() if k != "duelId"}, "duel_id": "x"})
    assert refusal_of(text).details == {"duelId": "Field required"}


@pytest.mark.parametrize(
    ("change", "details"),
    [
        ({"turn": "3"}, {"turn": "Input should be a valid integer"}),
        ({"turn": True}, {"turn": "Input should be a valid integer"}),
        ({"turn": 3.0}, {"turn": "Input should be a valid integer"}),
        ({"turn": None}, {"turn": "Input should be a valid integer"}),
        ({"turn": [3]}, {"turn": "Input should be a valid integer"}),
        ({"turn": 0}, {"turn": "Input should be greater than or equal to 1"}),
        ({"turn": 13}, {"turn": "Input should be less than or equal to 12"}),
        ({"turn": 10**40}, {"turn": "Input should be less than or equal to 12"}),
        ({"word": 7}, {"word": "Input should be a valid string"}),
        ({"word": ["c"]}, {"word": "Input should be a valid string"}),
        ({"word": "x" * 65}, {"word": "String should have at most 64 characters"}),
        ({"duelId": "x" * 65}, {"duelId": "String should have at most 64 characters"}),
        ({"requestId": "x" * 65}, {"requestId": "String should have at most 64 characters"}),
        ({"requestId": 5}, {"requestId": "Input should be a valid string"}),
        ({"action": "gues"}, {"action": "Input should be 'guess'"}),
        ({"action": 5}, {"action": "Input should be 'guess'"}),
        (
            {"turn": 99, "word": None},
            {
                "turn": "Input should be less than or equal to 12",
                "word": "Input should be a valid string",
            },
        ),
    ],
    ids=str,
)
def test_each_wrong_field_is_named_with_what_is_wrong(change: Message, details: Message) -> None:
    refusal = refusal_of(json.dumps({**GUESS, **change}))
    assert refusal.code is Code.BAD_MESSAGE
    assert refusal.details == details
    assert refusal.message == f"Fields are missing or wrong: {', '.join(details)}."


def test_each_missing_field_is_named() -> None:
    assert refusal_of("{}").details == dict.fromkeys(
        ("action", "duelId", "turn", "word"), "Field required"
    )


@pytest.mark.parametrize(
    ("model", "most"), [(History, 50), (Leaderboard, 100)], ids=["history", "leaderboard"]
)
def test_limits_have_bounds(model: type[Action], most: int) -> None:
    for limit in (0, -1, most + 1, "5", 2.5):
        text = json.dumps({"action": model.action, "limit": limit})
        assert "limit" in (refusal_of(text, model).details or {})


@pytest.mark.parametrize("cursor", ["", "x" * 65, 7], ids=str)
def test_a_cursor_has_a_form(cursor: object) -> None:
    text = json.dumps({"action": "history", "before": cursor})
    assert "before" in (refusal_of(text, History).details or {})


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "hello",
        "{",
        "{'action':'guess'}",
        '{"action":"guess",}',
        '{"action":"guess"} x',
        '{"action":"guess","x":NaN}',
        '{"action":"guess","x":[Infinity]}',
        '{"action":"guess","x":-Infinity}',
        '{"action":"guess","x":01}',
        '{"action":"guess","x":"\\ud800"}',
        '{"action":"guess","\\udfff":1}',
        '{"action":"guess","x":"\ud800"}',
        '{"action":"guess","x":"a\nb"}',
        "\ufeff{}",
        "\x00",
        "[" * 4000,
        '{"x":' * 800,
        '{"x":' + "[" * 1500 + "]" * 1500 + "}",
    ],
    ids=lambda text: ascii(text)[:40],
)
def test_what_is_not_json_is_a_bad_message(text: str) -> None:
    refusal = refusal_of(text)
    assert refusal.code is Code.BAD_MESSAGE
    assert refusal.message == "The message is not valid JSON."
    assert refusal.details is None


@pytest.mark.parametrize("text", ["[]", "[{}]", "1", '"guess"', "null", "true"])
def test_what_is_not_an_object_is_a_bad_message(text: str) -> None:
    refusal = refusal_of(text)
    assert refusal.code is Code.BAD_MESSAGE
    assert refusal.message == "The message is not a JSON object."


def test_size_counts_in_bytes_and_comes_before_anything_else() -> None:
    around = len(json.dumps({**GUESS, "x": ""}).encode())
    fits = json.dumps({**GUESS, "x": "é" * ((MOST_BYTES - around) // 2)}, ensure_ascii=False)
    assert decode(fits, Guess).turn == 3
    assert MOST_BYTES - 1 <= len(fits.encode()) <= MOST_BYTES
    for text in (fits + "  ", "x" * (MOST_BYTES + 1), "\ud800" * 1400, "é" * 100_000):
        assert refusal_of(text).code is Code.MESSAGE_TOO_LARGE


def test_no_refusal_repeats_what_a_message_held() -> None:
    secret = "s3cret"
    for text in (
        json.dumps({"action": secret, "duelId": [secret], "turn": secret, "word": {secret: 1}}),
        json.dumps({**GUESS, "requestId": secret * 20}),
        f'{{"action":"guess","word":"{secret}"',
        f'"{secret}"',
        secret * 1000,
    ):
        refusal = refusal_of(text)
        told = f"{refusal.message} {refusal.details} {refusal!r} {refusal.__cause__!r}"
        assert secret not in told
        assert refusal.__suppress_context__ or refusal.__context__ is None


def test_a_guess_has_no_representation_that_tells_it() -> None:
    assert "crane" not in repr(decode(json.dumps(GUESS), Guess))


@given(st.text() | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(json.dumps))
@example('{"action":"ping"')
def test_whatever_is_sent_is_read_or_refused(text: str) -> None:
    for model in (Ping, Guess):
        code: Code | None = None
        try:
            decode(text, model)
        except Refusal as refusal:
            code = refusal.code
        assert code in {None, Code.BAD_MESSAGE, Code.MESSAGE_TOO_LARGE}
    assert request_id_of(text) is None or "requestId" in text


VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-1, 14)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=66)
)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "action": st.sampled_from(["guess", "ping"]) | VALUES,
            "requestId": VALUES,
            "duelId": VALUES,
            "turn": VALUES,
            "word": VALUES,
        },
    )
)
def test_just_the_messages_that_keep_the_protocol_are_read(message: Message) -> None:
    def short(value: object) -> bool:
        return isinstance(value, str) and len(value) <= 64

    right = (
        message.get("action") == "guess"
        and (message.get("requestId") is None or short(message["requestId"]))
        and short(message.get("duelId"))
        and short(message.get("word"))
        and type(message.get("turn")) is int
        and 1 <= message["turn"] <= 12
    )
    if right:
        assert decode(json.dumps(message), Guess).turn == message["turn"]
    else:
        assert refusal_of(json.dumps(message)).code is Code.BAD_MESSAGE


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"requestId":"7","action":5}', "7"),
        ('{"requestId":"Ж"}', "Ж"),
        ('{"requestId":""}', ""),
        (json.dumps({"requestId": "x" * 64}), "x" * 64),
        (json.dumps({"requestId": "x" * 65}), None),
        ('{"requestId":7}', None),
        ('{"requestId":null}', None),
        ('{"requestId":["7"]}', None),
        ('{"action":"ping"}', None),
        ('{"x":{"requestId":"7"}}', None),
        ('[{"requestId":"7"}]', None),
        ('"requestId"', None),
        ("", None),
        ("nonsense", None),
        ('{"requestId":"\\ud800"}', None),
        ('{"requestId":"\ud800"}', None),
        ('{"requestId":"7","word":"cra', "7"),
        ('{"requestId":"7', None),
        ('{"requestId":"7","x":"' + "y" * 100_000 + '"}', "7"),
        ('{"x":"' + "y" * 100_000 + '","requestId":"7"}', None),
        ("[" * 100_000, None),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_the_request_id_of_a_message_is_found_where_there_is_a_usable_one(
    text: str, found: str | None
) -> None:
    assert request_id_of(text) == found


def test_the_action_of_a_message_that_names_one_is_told() -> None:
    assert action_of('{"action":"dance","x":1}') == "dance"


@pytest.mark.parametrize(
    ("text", "code", "details"),
    [
        ("{}", Code.BAD_MESSAGE, {"action": "Field required"}),
        ('{"action":null}', Code.BAD_MESSAGE, {"action": "Field required"}),
        ('{"action":5}', Code.BAD_MESSAGE, {"action": "Input should be a valid string"}),
        ("[]", Code.BAD_MESSAGE, None),
        ("nonsense", Code.BAD_MESSAGE, None),
        ("x" * 5000, Code.MESSAGE_TOO_LARGE, None),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_a_message_that_names_no_action_is_refused(
    text: str, code: Code, details: Message | None
) -> None:
    with pytest.raises(Refusal) as refusal:
        action_of(text)
    assert (refusal.value.code, refusal.value.details) == (code, details)


def test_json_schemas_can_be_made_of_what_is_validated() -> None:
    """AsyncAPI is made of these, so it cannot disagree with what is accepted."""
    made = GenerateJsonSchema().generate(schema(Guess))
    assert made["required"] == ["action", "duelId", "turn", "word"]
    assert set(made["properties"]) == {"action", "requestId", "duelId", "turn", "word"}
    assert made["properties"]["action"]["const"] == "guess"
    assert made["properties"]["turn"] == {
        "maximum": 12,
        "minimum": 1,
        "title": "Turn",
        "type": "integer",
    }


def test_reading_messages_does_not_import_the_whole_of_pydantic() -> None:
    """The engine alone is enough: a cold start has no time for the rest."""
    code = "import sys, wordle_tournament.wire.incoming; print('pydantic' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert told.stdout.strip() == "False"


@pytest.mark.parametrize(
    "text",
    [
        r'{"action":"rename","nickname":"\ud800ab","requestId":"r-1"}',
        '{"requestId":"r-1","action":"ping","x":' + "[" * 1500 + "]" * 1500 + "}",
        '{"requestId" : "r-1","x":NaN,',
    ],
    ids=["half a character", "depth", "no number"],
)
def test_the_request_id_is_found_in_what_is_refused_as_json(text: str) -> None:
    assert request_id_of(text) == "r-1"
