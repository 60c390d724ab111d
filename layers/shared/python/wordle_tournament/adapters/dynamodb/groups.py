"""Groups as items: hash key `code`."""

from datetime import timedelta

from pynamodb.attributes import UnicodeAttribute

from wordle_tournament.adapters.dynamodb.attributes import Integer, Texts
from wordle_tournament.adapters.dynamodb.items import Item, Kind
from wordle_tournament.rules.group import Group
from wordle_tournament.rules.ids import GroupCode, PlayerId


class GroupItem(Item):
    """A group of friends."""

    code = UnicodeAttribute(hash_key=True)
    language = UnicodeAttribute()
    leader = UnicodeAttribute()
    members = Texts()
    version = Integer()


def to_item(group: Group) -> GroupItem:
    """Write a group."""
    return GroupItem(
        code=group.code,
        language=group.language,
        leader=group.leader,
        members=group.members,
        version=group.version,
        revision=group.revision,
    )


def from_item(item: GroupItem) -> Group:
    """Read a group."""
    return Group(
        code=GroupCode(item.code),
        language=item.language,
        leader=PlayerId(item.leader),
        members=tuple(map(PlayerId, item.members)),
        version=item.version,
        revision=item.revision,
    )


GROUPS = Kind(
    item=GroupItem,
    to_item=to_item,
    from_item=from_item,
    # An invite link nobody has used for a month is forgotten.
    lifetime=timedelta(days=30),
    renewed=True,
)
