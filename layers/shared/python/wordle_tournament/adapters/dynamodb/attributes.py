"""How values of the domain are written as attributes of DynamoDB."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from pynamodb.attributes import Attribute, MapAttribute
from pynamodb.constants import LIST, MAP, NUMBER, STRING

from wordle_tournament.rules.moments import from_ms, to_ms


class Integer(Attribute[int]):
    """A whole number."""

    attr_type = NUMBER

    def serialize(self, value: int) -> str:
        """Write decimal digits."""
        return str(value)

    def deserialize(self, value: str) -> int:
        """Read decimal digits."""
        return int(value)


class Moment(Attribute[datetime]):
    """A time in milliseconds since the epoch."""

    attr_type = NUMBER

    def serialize(self, value: datetime) -> str:
        """Write milliseconds."""
        return str(to_ms(value))

    def deserialize(self, value: str) -> datetime:
        """Read milliseconds."""
        return from_ms(int(value))


class Texts(Attribute[Sequence[str]]):
    """A list of strings."""

    attr_type = LIST

    def serialize(self, value: Sequence[str]) -> list[dict[str, str]]:
        """Write the strings in their order."""
        return [{STRING: text} for text in value]

    def deserialize(self, value: list[dict[str, str]]) -> tuple[str, ...]:
        """Read the strings in their order."""
        return tuple(text[STRING] for text in value)


class TextMap(Attribute[Mapping[str, str]]):
    """A map from strings to strings, each key an attribute that can be written alone."""

    attr_type = MAP

    def serialize(self, value: Mapping[str, str]) -> dict[str, dict[str, str]]:
        """Write keys and strings."""
        return {key: {STRING: text} for key, text in value.items()}

    def deserialize(self, value: dict[str, dict[str, str]]) -> dict[str, str]:
        """Read keys and strings."""
        return {key: text[STRING] for key, text in value.items()}


class Record(MapAttribute[str, object]):
    """A map with attributes of its own, as an element of a list."""

    def __init__(self, **attributes: object) -> None:
        super().__init__(**attributes)  # type: ignore[no-untyped-call] # PynamoDB's is untyped
