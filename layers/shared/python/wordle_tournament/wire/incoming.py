"""Client messages out of JSON text.

Each model is a dataclass whose annotations carry the schemas of pydantic's validation engine:
building on the engine itself spares a cold start the import of pydantic's own classes, which costs
about five times as much. For the same reason the dataclasses have nothing but a constructor; so
none has a representation that could tell a guess, either.
"""

import re
from dataclasses import MISSING, dataclass, fields
from typing import Annotated, ClassVar, TypeVar, get_type_hints

from pydantic_core import SchemaValidator, ValidationError, core_schema, from_json

from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.wire.outgoing import camel_case

MOST_BYTES = 4096
"""The size of the largest message that is read, in bytes of UTF-8."""

LONGEST_REQUEST_ID = 64

_REQUEST_ID = re.compile(
    rf'"requestId"\s*:\s*"([^"\\\x00-\x1f\ud800-\udfff]{{1,{LONGEST_REQUEST_ID}}})"'
)

_text = core_schema.str_schema(strict=True, max_length=64)

Text = Annotated[str, _text]
OptionalCursor = Annotated[
    str | None,
    core_schema.nullable_schema(core_schema.str_schema(strict=True, min_length=1, max_length=64)),
]
RequestId = Annotated[
    str | None,
    core_schema.nullable_schema(core_schema.str_schema(strict=True, max_length=LONGEST_REQUEST_ID)),
]
# Room for twenty characters with their marks, typed in a form that is not composed.
LongText = Annotated[str, core_schema.str_schema(strict=True, max_length=128)]
Number = Annotated[int, core_schema.int_schema(strict=True)]
Turn = Annotated[int, core_schema.int_schema(strict=True, ge=1, le=12)]
Fifty = Annotated[
    int | None, core_schema.nullable_schema(core_schema.int_schema(strict=True, ge=1, le=50))
]
Hundred = Annotated[
    int | None, core_schema.nullable_schema(core_schema.int_schema(strict=True, ge=1, le=100))
]


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Action:
    """What a client asks for; `request_id` comes back with the answer."""

    action: ClassVar[str]
    request_id: RequestId = None


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Hello(Action):
    """The first message of a connection."""

    action: ClassVar[str] = "hello"
    protocol: Number


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Sync(Action):
    """Ask for everything as it is."""

    action: ClassVar[str] = "sync"


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Ping(Action):
    """Keep the connection open."""

    action: ClassVar[str] = "ping"


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Rename(Action):
    """Choose a nickname."""

    action: ClassVar[str] = "rename"
    nickname: LongText


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Join(Action):
    """Look for a lobby."""

    action: ClassVar[str] = "join"
    language: Text


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Leave(Action):
    """Leave the lobby or the tournament."""

    action: ClassVar[str] = "leave"


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Guess(Action):
    """Play a turn."""

    action: ClassVar[str] = "guess"
    duel_id: Text
    turn: Turn
    word: Text


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Watch(Action):
    """Watch the running duels."""

    action: ClassVar[str] = "watch"


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Unwatch(Action):
    """Stop watching."""

    action: ClassVar[str] = "unwatch"


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class CreateGroup(Action):
    """Found a group."""

    action: ClassVar[str] = "createGroup"
    language: Text


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class JoinGroup(Action):
    """Come into a group by its link."""

    action: ClassVar[str] = "joinGroup"
    code: Text


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class LeaveGroup(Action):
    """Leave the group."""

    action: ClassVar[str] = "leaveGroup"


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class RemoveFromGroup(Action):
    """Remove a member from the group."""

    action: ClassVar[str] = "removeFromGroup"
    player_id: Text


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class SetGroupLanguage(Action):
    """Choose the language that the group will play in."""

    action: ClassVar[str] = "setGroupLanguage"
    language: Text


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class StartGroup(Action):
    """Start the group's game."""

    action: ClassVar[str] = "startGroup"


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class History(Action):
    """Ask for finished tournaments, older than the cursor `before`."""

    action: ClassVar[str] = "history"
    before: OptionalCursor = None
    limit: Fifty = None


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Leaderboard(Action):
    """Ask for the best players."""

    action: ClassVar[str] = "leaderboard"
    limit: Hundred = None


ACTIONS: tuple[type[Action], ...] = (
    Hello,
    Sync,
    Ping,
    Rename,
    Join,
    Leave,
    Guess,
    Watch,
    Unwatch,
    CreateGroup,
    JoinGroup,
    LeaveGroup,
    RemoveFromGroup,
    SetGroupLanguage,
    StartGroup,
    History,
    Leaderboard,
)
"""The models of all actions, in the order of the protocol."""

M = TypeVar("M", bound=Action)


def decode(text: str, model: type[M]) -> M:
    """Read a message; refuses `message_too_large`, or `bad_message` with details by field.

    Unknown fields are ignored, and null stands for an optional field left out. No refusal repeats
    what the message held.
    """
    document = _read(text)
    try:
        values = _validator(model).validate_python(document)
    except ValidationError as error:
        details = {
            ".".join(map(str, fault["loc"])): fault["msg"]
            for fault in error.errors(include_url=False, include_context=False, include_input=False)
        }
        names = ", ".join(details)
        raise Refusal(Code.BAD_MESSAGE, f"Fields are missing or wrong: {names}.", details) from None
    del values["action"]
    return model(**values)


def action_of(text: str) -> str:
    """Tell the action that a message names; refuses as `decode` does when there is none."""
    action = _read(text).get("action")
    if not isinstance(action, str):
        problem = "Field required" if action is None else "Input should be a valid string"
        raise Refusal(Code.BAD_MESSAGE, "The message names no action.", {"action": problem})
    return action


def request_id_of(text: str) -> str | None:
    """Find the request id that an error answers, if the message has a usable one.

    Of a message that is too large or cut off the first MOST_BYTES characters are searched, so that
    even an enormous one costs next to nothing. In one that is refused as JSON, for half a
    character or for its depth, the id is found by what it looks like.
    """
    beginning = text[:MOST_BYTES]
    try:
        document = from_json(beginning.encode(), cache_strings="keys", allow_partial=True)
    except ValueError:
        alike = _REQUEST_ID.search(beginning)
        return alike[1] if alike else None
    found = document.get("requestId") if isinstance(document, dict) else None
    return found if isinstance(found, str) and len(found) <= LONGEST_REQUEST_ID else None


def schema(model: type[Action]) -> core_schema.TypedDictSchema:
    """Describe a message as pydantic does: what is validated, and what JSON Schemas are made of."""
    hints = get_type_hints(model, include_extras=True)
    described = {
        one.name: core_schema.typed_dict_field(
            hints[one.name].__metadata__[0],
            required=one.default is MISSING,
            validation_alias=camel_case(one.name),
        )
        for one in fields(model)
    }
    action = core_schema.typed_dict_field(core_schema.literal_schema([model.action]), required=True)
    return core_schema.typed_dict_schema({"action": action, **described})


_VALIDATORS: dict[type[Action], SchemaValidator] = {}


def _validator(model: type[Action]) -> SchemaValidator:
    found = _VALIDATORS.get(model)
    if found is None:
        found = _VALIDATORS[model] = SchemaValidator(schema(model))
    return found


def _read(text: str) -> dict[str, object]:
    # A lone surrogate has no place in UTF-8, but counts towards the size all the same.
    if len(text) > MOST_BYTES or len(text.encode(errors="surrogatepass")) > MOST_BYTES:
        raise Refusal(Code.MESSAGE_TOO_LARGE, f"A message has at most {MOST_BYTES} bytes.")
    try:
        document = from_json(text.encode(), allow_inf_nan=False, cache_strings="keys")
    except ValueError:
        # From None: the parser's own words may repeat what it read.
        raise Refusal(Code.BAD_MESSAGE, "The message is not valid JSON.") from None
    if not isinstance(document, dict):
        raise Refusal(Code.BAD_MESSAGE, "The message is not a JSON object.")
    return document
