"""Values: equal when their fields are, and never changed."""

from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

C = TypeVar("C")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def immutable(kind: type[C]) -> type[C]:
    """Make a class a dataclass of fields that the type checker lets nobody assign to.

    The standard library's frozen ones compile six methods for each class at every cold start;
    here a hundred classes share all of them but the constructor.
    """
    # The type checker takes methods for parts of a class that stay as they are.
    kind.__eq__ = _equals  # type: ignore[assignment]
    kind.__hash__ = _hash  # type: ignore[assignment]
    kind.__repr__ = _show  # type: ignore[assignment]
    return dataclass(slots=True, eq=False, repr=False)(kind)


def _values(one: Any) -> tuple[object, ...]:
    return tuple(getattr(one, name) for name in one.__match_args__)


def _equals(one: object, other: object) -> bool:
    if one.__class__ is not other.__class__:
        return NotImplemented
    return _values(one) == _values(other)


def _hash(one: object) -> int:
    return hash(_values(one))


def _show(one: Any) -> str:
    shown = (f"{each.name}={getattr(one, each.name)!r}" for each in fields(one) if each.repr)
    return f"{type(one).__qualname__}({', '.join(shown)})"
