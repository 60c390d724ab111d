"""Values: equal when their fields are, and never changed."""

from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

C = TypeVar("C")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def immutable(kind: type[C]) -> type[C]:
    """Make a class a dataclass with fields that the type checker lets nobody assign to.

    A frozen one of the standard library compiles six methods at every cold start; a hundred
    classes made like this compile a constructor each and share the rest.
    """
    for name, method in _SHARED.items():
        setattr(kind, name, method)
    return dataclass(slots=True, eq=False, repr=False)(kind)


def _values(one: Any) -> tuple[object, ...]:
    return tuple(getattr(one, name) for name in one.__match_args__)


def _equals(one: object, other: object) -> bool:
    return one.__class__ is other.__class__ and _values(one) == _values(other)


def _hash(one: object) -> int:
    return hash(_values(one))


def _show(one: Any) -> str:
    shown = (f"{each.name}={getattr(one, each.name)!r}" for each in fields(one) if each.repr)
    return f"{type(one).__qualname__}({', '.join(shown)})"


_SHARED = {"__eq__": _equals, "__hash__": _hash, "__repr__": _show}
