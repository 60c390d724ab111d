"""What the items of all tables have in common."""

from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import timedelta
from typing import Generic, TypeVar

from pynamodb.models import Model

from wordle_tournament.adapters.dynamodb.attributes import Integer
from wordle_tournament.ports.store import Aggregate
from wordle_tournament.rules.immutable import immutable


class Item(Model):
    """An item of any table.

    `revision` counts writes: every write demands the one that was read. `expires_at`, in seconds
    since the epoch, is when DynamoDB may remove the item; reads no longer see it from then on.
    """

    revision = Integer()
    expires_at = Integer(null=True)

    def __repr__(self) -> str:
        """Show no values: hidden words are among them."""
        return f"<{type(self).__name__}>"


A = TypeVar("A", bound=Aggregate)
I = TypeVar("I", bound=Item)  # noqa: E741 - an item


@immutable
class Kind(Generic[A, I]):
    """How one kind of aggregate is written as an item, and read back.

    An item expires `lifetime` after its creation or, if it is `renewed`, after its last write.
    Attributes that are `counted` are changed by adding the difference; those in `own_writes`
    are left alone by all writes of the whole but the first. `indexes` names those that are
    queried, each with its hash and range key.
    """

    item: type[I]
    to_item: Callable[[A], I]
    from_item: Callable[[I], A]
    lifetime: timedelta | None = None
    renewed: bool = False
    counted: frozenset[str] = frozenset()
    own_writes: frozenset[str] = frozenset()
    indexes: Mapping[str, tuple[str, str]] = field(default_factory=dict)
