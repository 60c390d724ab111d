"""Groups of friends: membership and leadership (R8)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.examples import ANNE, BEN, CLEO, DORA
from wordle_tournament.rules.group import (
    Group,
    admit,
    check_leader,
    choose_language,
    dismiss,
    read_code,
    touch,
)
from wordle_tournament.rules.ids import GroupCode, PlayerId
from wordle_tournament.rules.refusals import Code, Refusal


def _group(*members: PlayerId) -> Group:
    group = Group(GroupCode("code"), "en", leader=members[0], members=members[:1])
    for member in members[1:]:
        group = admit(group, member)
    return group


def test_members_stand_in_the_order_of_joining() -> None:
    """R8.1"""
    group = _group(ANNE, BEN, CLEO)

    assert (group.leader, group.members, group.version) == (ANNE, (ANNE, BEN, CLEO), 3)


def test_a_ninth_member_is_refused() -> None:
    """R8.1"""
    group = _group(*(PlayerId(str(number)) for number in range(8)))

    with pytest.raises(Refusal) as refused:
        admit(group, ANNE)

    assert refused.value.code is Code.GROUP_FULL


def test_the_longest_standing_connected_member_leads_after_the_leader() -> None:
    """R8.5"""
    group = dismiss(_group(ANNE, BEN, CLEO, DORA), ANNE, connected={CLEO, DORA})

    assert group is not None
    assert (group.leader, group.members) == (CLEO, (BEN, CLEO, DORA))


def test_while_nobody_is_connected_the_longest_standing_member_leads() -> None:
    """R8.5: never somebody who has gone."""
    group = dismiss(_group(ANNE, BEN, CLEO), ANNE, connected={ANNE})

    assert group is not None
    assert group.leader == BEN


def test_when_leader_and_successor_go_in_one_instant_the_next_one_leads() -> None:
    """R8.5"""
    group = dismiss(_group(ANNE, BEN, CLEO), ANNE, connected={CLEO})
    assert group is not None

    group = dismiss(group, BEN, connected={CLEO})

    assert group is not None
    assert (group.leader, group.members) == (CLEO, (CLEO,))


def test_the_leader_stays_when_another_member_goes() -> None:
    """R8.5: connected or not."""
    group = dismiss(_group(ANNE, BEN, CLEO), BEN, connected={CLEO})

    assert group is not None
    assert (group.leader, group.members) == (ANNE, (ANNE, CLEO))


def test_an_empty_group_is_gone() -> None:
    """R8.5"""
    assert dismiss(_group(ANNE), ANNE, connected={ANNE}) is None


def test_only_the_leader_passes_for_the_leader() -> None:
    """R8.1, R8.6"""
    group = _group(ANNE, BEN)
    check_leader(group, ANNE)

    with pytest.raises(Refusal) as refused:
        check_leader(group, BEN)

    assert refused.value.code is Code.NOT_LEADER


def test_a_new_language_and_a_change_of_a_member_are_one_version_each() -> None:
    """R8.1"""
    group = choose_language(_group(ANNE), "uz")

    assert (group.language, group.version) == ("uz", 2)
    assert (touch(group).version, touch(group).members) == (3, (ANNE,))


MEMBER = st.sampled_from([PlayerId(f"friend-{number}") for number in range(10)])


@given(
    st.lists(st.tuples(MEMBER, st.booleans(), st.sets(MEMBER)), max_size=40),
)
def test_a_group_keeps_its_laws_whoever_comes_and_goes(
    story: list[tuple[PlayerId, bool, set[PlayerId]]],
) -> None:
    """R8.1, R8.5: who is no member comes if there is room; who is one may go."""
    group: Group | None = _group(PlayerId("friend-0"))
    for player, goes, connected in story:
        if group is None:
            break
        before = group
        if player not in group.members:
            if len(group.members) == 8:
                continue
            group = admit(group, player)
            assert group.members == (*before.members, player)
            assert group.leader == before.leader
        elif goes:
            group = dismiss(group, player, connected)
            expected = tuple(one for one in before.members if one != player)
            assert (() if group is None else group.members) == expected
            if group is not None and before.leader == player:
                heirs = [one for one in expected if one in connected] or list(expected)
                assert group.leader == heirs[0]
        if group is not None and group != before:
            assert group.version == before.version + 1
            assert group.leader in group.members
            assert 1 <= len(set(group.members)) == len(group.members) <= 8


@pytest.mark.parametrize("typed", ["bcdf23", "BCDF23", " bcdf23\n", "bcd f23", "Bcd-F23"])
def test_a_code_is_read_as_people_write_it_down(typed: str) -> None:
    """R8.1"""
    assert read_code(typed) == "bcdf23"
