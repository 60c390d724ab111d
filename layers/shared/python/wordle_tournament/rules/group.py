"""Groups of friends: membership and leadership (R8)."""

from collections.abc import Collection
from dataclasses import replace

from wordle_tournament.rules.ids import GroupCode, PlayerId
from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.lobby import SEATS
from wordle_tournament.rules.refusals import Code, Refusal


@immutable
class Group:
    """A group: `members` in the order of joining, one of them the leader (R8.1)."""

    code: GroupCode
    language: str
    leader: PlayerId
    members: tuple[PlayerId, ...]
    version: int = 1
    revision: int = 0


def read_code(typed: str) -> GroupCode:
    """Read a group's code as people write it down: capitals, blanks and hyphens do not matter."""
    return GroupCode("".join(typed.split()).replace("-", "").lower())


def admit(group: Group, player: PlayerId) -> Group:
    """Take a player in; raises Refusal when all eight places are taken (R8.1)."""
    if len(group.members) >= SEATS:
        raise Refusal(Code.GROUP_FULL, f"The group already has {SEATS} members.")
    return _next_version(replace(group, members=(*group.members, player)))


def dismiss(group: Group, player: PlayerId, connected: Collection[PlayerId]) -> Group | None:
    """Let a member go; None when nobody is left (R8.5).

    After the leader the longest-standing of the `connected` members leads, or, while nobody is
    connected, the longest-standing member.
    """
    members = tuple(one for one in group.members if one != player)
    if not members:
        return None
    leader = group.leader
    if leader == player:
        leader = next((one for one in members if one in connected), members[0])
    return _next_version(replace(group, members=members, leader=leader))


def choose_language(group: Group, language: str) -> Group:
    """Set the language of the group's next games."""
    return _next_version(replace(group, language=language))


def touch(group: Group) -> Group:
    """Count a change of what members see of one another (connected, playing)."""
    return _next_version(group)


def check_leader(group: Group, player: PlayerId) -> None:
    """Raise Refusal unless `player` leads the group (R8.1, R8.6)."""
    if group.leader != player:
        raise Refusal(Code.NOT_LEADER, "Only the leader of the group can do this.")


def _next_version(group: Group) -> Group:
    return replace(group, version=group.version + 1)
