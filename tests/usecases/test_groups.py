"""Groups of friends: forming one, coming and going, starting together, again and again."""

from collections.abc import Callable
from functools import partial

import pytest

from tests.usecases.instruments import Crash
from tests.usecases.invariants import check_everything, check_followers, check_pushes, play_out
from tests.usecases.table import (
    MINUTE,
    MS,
    SECOND,
    Client,
    Table,
    changes_nothing,
    code_of,
    crash_after,
    once,
)
from wordle_tournament.adapters.memory_outside import Grace
from wordle_tournament.ports import messages
from wordle_tournament.rules.group import Group
from wordle_tournament.rules.ids import GroupCode
from wordle_tournament.rules.refusals import Refusal
from wordle_tournament.rules.tournament import Tournament


@pytest.fixture
def table() -> Table:
    table = Table()
    check_pushes(table)
    return table


@pytest.fixture
def friends(table: Table) -> list[Client]:
    """Three friends in a group, in the order of joining."""
    return table.friends("abc")


def last_group(client: Client) -> messages.GroupChanged:
    """What the client heard last of its group."""
    return client.all_heard(messages.GroupChanged)[-1]


def fill_up(table: Table, names: str) -> list[Client]:
    """Let strangers join, one for each letter."""
    strangers = table.several(names)
    for stranger in strangers:
        stranger.join()
    return strangers


def play_to_the_end(table: Table, player: Client) -> Tournament:
    """Let whoever is on turn solve at once, round by round."""
    for _ in range(30):
        tournament = table.tournament(player)
        if tournament.over:
            break
        for duel in table.open_round(player):
            if not duel.over:
                table.solve(duel)
    assert table.tournament(player).over
    return table.tournament(player)


def test_a_group_is_told_with_its_code_and_an_invite_link(table: Table) -> None:
    """R8.1: a code of ten characters that cannot be mixed up when read aloud."""
    founder = table.client("a")
    code = founder.create_group()
    group = founder.answer(messages.GroupChanged).group
    assert group.invite_url == f"https://example.test/g/{code}"
    assert len(code) == 10
    assert not set(code) & set("01loiaeu")
    assert (group.leader, group.version, group.language) == (founder.player, 1, "en")


def test_all_members_hear_of_whoever_comes(table: Table, friends: list[Client]) -> None:
    """R8.1: as events of the group, each one version more."""
    first, *_ = friends
    told = [message.group for message in first.all_heard(messages.GroupChanged)]
    assert [(group.version, len(group.members)) for group in told] == [(1, 1), (2, 2), (3, 3)]
    check_followers(table)
    check_everything(table)


def test_there_is_never_a_ninth_member(table: Table) -> None:
    """R8.1: also when two come for the last place at the same instant."""
    code = table.friends("abcdefg")[0].group().code
    eighth, ninth = table.several("hi")
    table.store.before_commit = once(table, partial(eighth.join_group, code))
    assert code_of(partial(ninth.join_group, code)) == "group_full"
    assert len(eighth.group().members) == 8
    assert changes_nothing(table, partial(ninth.join_group, code)) == "group_full"
    check_everything(table)
    check_followers(table)


def test_nobody_is_in_two_groups(table: Table, friends: list[Client]) -> None:
    """R8.1"""
    founder = table.client("x")
    code = founder.create_group()
    member = friends[1]
    assert changes_nothing(table, partial(member.join_group, code)) == "already_in_group"
    assert changes_nothing(table, member.create_group) == "already_in_group"


def test_nobody_comes_into_two_groups_at_the_same_instant(
    table: Table, friends: list[Client]
) -> None:
    """R8.1: two messages of one player; the second finds the first."""
    other = table.client("x").create_group()
    guest = table.client("g")
    table.store.before_commit = once(table, partial(guest.join_group, other))
    code = friends[0].group().code
    assert code_of(partial(guest.join_group, code)) == "already_in_group"
    assert guest.group().code == other
    check_everything(table)


def test_joining_twice_is_answered_twice_and_counted_once(
    table: Table, friends: list[Client]
) -> None:
    """R8.1: the repeat is told to the sender alone."""
    first, _, last = friends
    before = table.everything()
    first.take()
    last.join_group(last.group().code)
    assert table.everything() == before
    assert first.take() == []
    assert last.answer(messages.GroupChanged).group.version == 3


def test_the_code_of_a_group_that_is_gone_finds_no_group(
    table: Table, friends: list[Client]
) -> None:
    """R8.5: an empty group is gone, and so is its link."""
    code = friends[0].group().code
    for friend in friends:
        friend.leave_group()
    assert table.store.all_of(Group) == []
    guest = table.client("g")
    assert changes_nothing(table, partial(guest.join_group, code)) == "no_such_group"
    nonsense = partial(guest.join_group, GroupCode("nonsense"))
    assert changes_nothing(table, nonsense) == "no_such_group"


def test_when_the_leader_leaves_the_longest_standing_connected_member_leads(
    table: Table, friends: list[Client]
) -> None:
    """R8.5"""
    leader, second, third = friends
    second.disconnect()
    leader.leave_group()
    assert leader.answer(messages.GroupLeft).reason == "left"
    assert last_group(third).group.leader == third.player
    check_everything(table)
    check_followers(table)


def test_when_leader_and_successor_leave_in_the_same_instant_the_third_leads(
    table: Table, friends: list[Client]
) -> None:
    """R8.5: in either order."""
    leader, second, third = friends
    table.store.before_commit = once(table, second.leave_group)
    leader.leave_group()
    assert third.group().leader == third.player
    fourth = table.client("d")
    fourth.join_group(third.group().code)
    fifth = table.client("e")
    fifth.join_group(third.group().code)
    table.store.before_commit = once(table, third.leave_group)
    fourth.leave_group()
    assert fifth.group().leader == fifth.player
    check_everything(table)
    check_followers(table)


def test_the_last_two_leaving_in_the_same_instant_leave_no_group(table: Table) -> None:
    """R8.5"""
    leader, second = table.friends("ab")
    table.store.before_commit = once(table, second.leave_group)
    leader.leave_group()
    assert table.store.all_of(Group) == []
    check_everything(table)


def test_losing_the_connection_keeps_the_place_for_60_seconds(
    table: Table, friends: list[Client]
) -> None:
    """R8.5: the members see who is gone, and who is back."""
    leader, second, _ = friends
    leader.disconnect()
    assert [member.connected for member in last_group(second).group.members] == [
        False,
        True,
        True,
    ]
    table.pass_time(59 * SECOND)
    welcome = leader.come_back()
    assert welcome.group is not None
    assert welcome.group.leader == leader.player
    assert all(member.connected for member in last_group(second).group.members)
    table.pass_time(MINUTE)
    assert leader.group().leader == leader.player
    check_followers(table)


def test_after_60_seconds_the_place_is_lost_and_the_next_one_leads(
    table: Table, friends: list[Client]
) -> None:
    """R8.5"""
    leader, second, _ = friends
    leader.disconnect()
    table.pass_time(60 * SECOND - MS)
    assert second.group().leader == leader.player
    table.pass_time(MS)
    assert second.group().members == (second.player, friends[2].player)
    assert last_group(second).group.leader == second.player
    assert leader.come_back().group is None
    check_everything(table)
    check_followers(table)


def test_the_return_and_the_end_of_the_grace_in_one_instant_leave_a_member_or_none(
    table: Table, friends: list[Client]
) -> None:
    """R8.5: the grace loses against a return that is written first."""
    leader, *_ = friends
    leader.disconnect()
    table.clock.advance(MINUTE)
    table.store.before_commit = once(table, leader.come_back)
    table.wake(Grace(leader.player, 1))
    assert leader.group().leader == leader.player
    check_everything(table)
    check_followers(table)


def test_a_group_whose_members_are_all_gone_for_60_seconds_is_gone(
    table: Table, friends: list[Client]
) -> None:
    """R8.5: one after the other or all at once."""
    for friend in friends:
        friend.disconnect()
    table.pass_time(MINUTE)
    assert table.store.all_of(Group) == []
    check_everything(table)


def test_a_leader_whose_grace_timer_was_lost_is_let_go_when_somebody_wants_something(
    table: Table, friends: list[Client]
) -> None:
    """R8.5, R8.6: nobody waits for ever for a timer that never started."""
    leader, second, third = friends
    table.timers.failing = True
    leader.disconnect()
    table.timers.failing = False
    table.pass_time(MINUTE - MS)
    assert changes_nothing(table, second.start_group) == "not_leader"
    table.pass_time(MS)
    second.start_group()
    assert second.group().leader == second.player
    assert table.store.room("en").lobbies[0].players == (second.player, third.player)
    check_everything(table)
    check_followers(table)


def test_only_the_leader_starts_removes_and_chooses_the_language(
    table: Table, friends: list[Client]
) -> None:
    """R8.1, R8.6"""
    leader, second, third = friends
    for command in (
        second.start_group,
        partial(second.remove, third),
        partial(second.set_group_language, "de"),
    ):
        assert changes_nothing(table, command) == "not_leader"
    leader.set_group_language("de")
    assert last_group(third).group.language == "de"
    unknown = partial(leader.set_group_language, "tlh")
    assert changes_nothing(table, unknown) == "unknown_language"
    assert changes_nothing(table, partial(table.client("x").create_group, "tlh")) == (
        "unknown_language"
    )
    check_followers(table)


def test_whoever_is_in_no_group_has_nothing_to_leave_start_or_change(table: Table) -> None:
    """R8.1"""
    stranger = table.client("s")
    for command in (
        stranger.leave_group,
        stranger.start_group,
        partial(stranger.remove, table.client("t")),
        partial(stranger.set_group_language, "de"),
    ):
        assert changes_nothing(table, command) == "not_in_group"


def test_a_removed_member_is_told_and_free(table: Table, friends: list[Client]) -> None:
    """R8.6"""
    leader, second, third = friends
    leader.remove(second)
    told = second.heard()[-1]
    assert isinstance(told, messages.GroupLeft)
    assert told.reason == "removed"
    assert [member.player_id for member in last_group(third).group.members] == ["a", "c"]
    assert changes_nothing(table, partial(leader.remove, second)) == "not_in_group"
    assert changes_nothing(table, partial(leader.remove, leader)) == "bad_message"
    second.create_group()
    check_everything(table)
    check_followers(table)


def test_whoever_leaves_while_news_of_the_group_is_on_its_way_hears_no_more_of_it(
    table: Table, friends: list[Client]
) -> None:
    """R8.1: who is told is looked up when the news is sent."""
    _, second, third = friends
    table.steps.taken.clear()

    def before(_: int) -> None:
        if table.steps.taken[-2:] == ["group", "commit"]:
            table.steps.before = None
            third.leave_group()

    table.steps.before = before
    second.rename("Somebody Else")
    assert isinstance(third.heard()[-1], messages.GroupLeft)
    check_followers(table)


def test_a_member_removed_in_the_instant_of_leaving_is_gone_once(
    table: Table, friends: list[Client]
) -> None:
    """R8.6"""
    leader, second, _ = friends
    table.store.before_commit = once(table, second.leave_group)
    assert code_of(partial(leader.remove, second)) == "not_in_group"
    assert leader.group().version == 4
    check_everything(table)
    check_followers(table)


def test_the_whole_group_is_seated_in_one_lobby_by_its_mean_rating(table: Table) -> None:
    """R8.2, R8.3: members need not be near each other, only their mean to the lobby."""
    leader = table.client("a", 700)
    code = leader.create_group()
    for name, rating in (("b", 1300), ("c", 1001)):
        table.client(name, rating).join_group(code)
    near, far = table.client("n", 1100), table.client("f", 700)
    for stranger in (near, far):
        stranger.join()
    leader.start_group()
    lobby = leader.answer(messages.LobbyChanged).lobby
    assert [player.player_id for player in lobby.players] == ["n", "a", "b", "c"]
    assert lobby.rating == 1100
    assert near.all_heard(messages.LobbyChanged)[-1].lobby == lobby
    assert all(member.playing for member in last_group(leader).group.members)
    check_everything(table)
    check_followers(table)


def test_a_group_opens_a_lobby_at_its_mean_rating(table: Table) -> None:
    """R8.3: rounded, halves away from zero."""
    leader = table.client("a", 1000)
    table.client("b", 1001).join_group(leader.create_group())
    leader.start_group()
    assert leader.answer(messages.LobbyChanged).lobby.rating == 1001


def test_a_lobby_without_enough_free_seats_is_passed_over(
    table: Table, friends: list[Client]
) -> None:
    """R8.2: a group is never split; the next one who comes alone takes the fuller lobby."""
    table.friends("uvwxyz")[0].start_group()
    friends[0].start_group()
    lobbies = table.store.room("en").lobbies
    assert [len(lobby.players) for lobby in lobbies] == [6, 3]
    fill_up(table, "m")
    assert [len(lobby.players) for lobby in table.store.room("en").lobbies] == [7, 3]
    check_everything(table)
    check_followers(table)


def test_a_group_of_eight_starts_at_once(table: Table) -> None:
    """R8.2"""
    leader, *others = table.friends("abcdefgh")
    fill_up(table, "xyz")
    leader.start_group()
    (tournament,) = table.store.all_of(Tournament)
    assert {entrant.player for entrant in tournament.entrants} == set("abcdefgh")
    for other in others:
        assert len(other.all_heard(messages.TournamentStarted)) == 1
    check_everything(table)
    check_followers(table)
    play_out(table)


def test_a_start_with_members_who_are_gone_or_playing_is_refused_with_who_and_why(
    table: Table, friends: list[Client]
) -> None:
    """R8.6: and nothing has changed."""
    leader, second, third = friends
    second.disconnect()
    third.join("de")
    before = table.everything()
    with pytest.raises(Refusal) as refused:
        leader.start_group()
    assert refused.value.code == "members_not_ready"
    assert refused.value.details == {
        "members": [
            {
                "playerId": second.player,
                "nickname": second.stored().nickname,
                "reason": "disconnected",
            },
            {"playerId": third.player, "nickname": third.stored().nickname, "reason": "playing"},
        ]
    }
    assert table.everything() == before


@pytest.mark.parametrize("action", ["is lost", "joins alone", "leaves", "a guest comes"])
def test_a_start_that_meets_a_change_of_the_group_looks_again(
    table: Table, friends: list[Client], action: str
) -> None:
    """R8.6: it starts with the members there are, or is refused."""
    leader, second, _ = friends
    guest = table.client("g")
    code = leader.group().code
    rivals: dict[str, Callable[[], object]] = {
        "is lost": second.disconnect,
        "joins alone": second.join,
        "leaves": second.leave_group,
        "a guest comes": partial(guest.join_group, code),
    }
    table.store.before_commit = once(table, rivals[action])
    if action in ("is lost", "joins alone"):
        assert code_of(partial(leader.start_group)) == "members_not_ready"
    else:
        leader.start_group()
        expected = {"a", "b", "c", "g"} if action == "a guest comes" else {"a", "c"}
        assert set(table.store.room("en").lobbies[0].players) == expected
    check_everything(table)
    check_followers(table)


def test_starting_twice_seats_nobody_twice(table: Table, friends: list[Client]) -> None:
    """R6.4: the repeat finds the members playing, and changes nothing."""
    leader, *_ = friends
    leader.start_group()
    assert changes_nothing(table, leader.start_group) == "members_not_ready"


def test_a_member_who_leaves_the_lobby_stays_in_the_group_and_the_others_keep_their_seats(
    table: Table, friends: list[Client]
) -> None:
    """R6.5, R8.2"""
    leader, second, third = friends
    leader.start_group()
    second.leave()
    assert table.store.room("en").lobbies[0].players == (leader.player, third.player)
    assert [member.playing for member in last_group(leader).group.members] == [True, False, True]
    assert second.group().members == ("a", "b", "c")
    check_everything(table)
    check_followers(table)


def test_a_member_who_joins_alone_stays_in_the_group_and_counts_as_playing(
    table: Table, friends: list[Client]
) -> None:
    """R8.4, R8.6"""
    leader, second, _ = friends
    second.join()
    assert [member.playing for member in last_group(leader).group.members] == [False, True, False]
    assert changes_nothing(table, leader.start_group) == "members_not_ready"
    second.leave()
    leader.start_group()
    check_everything(table)
    check_followers(table)


def test_a_member_removed_while_seated_keeps_the_seat(table: Table, friends: list[Client]) -> None:
    """R8.6: being removed from the group is not leaving the lobby."""
    leader, second, _ = friends
    leader.start_group()
    leader.remove(second)
    assert second.stored().lobby is not None
    fill_up(table, "vwxyz")
    assert second.player in table.tournament(leader).active
    check_everything(table)
    check_followers(table)


def test_three_friends_and_five_strangers_play_twice_in_a_row_with_a_loss_in_between(
    table: Table, friends: list[Client]
) -> None:
    """R8.4, R8.6: who is still in is told; the leader starts again once nobody is."""
    leader, _, third = friends
    leader.start_group()
    strangers = fill_up(table, "vwxyz")
    play_to_the_end(table, leader)
    assert not any(member.playing for member in last_group(leader).group.members)
    assert all(client.stored().games == 1 for client in (*friends, *strangers))
    third.disconnect()
    assert changes_nothing(table, leader.start_group) == "members_not_ready"
    table.pass_time(30 * SECOND)
    third.come_back()
    leader.start_group()
    assert all(friend.stored().lobby for friend in friends)
    for stranger in strangers:
        stranger.join()
    check_followers(table)
    play_to_the_end(table, leader)
    assert all(client.stored().games == 2 for client in (*friends, *strangers))
    assert leader.group().members == ("a", "b", "c")
    check_everything(table)
    check_followers(table)


def test_the_leader_can_start_again_while_the_old_tournament_runs_on(
    table: Table, friends: list[Client]
) -> None:
    """R8.4: as soon as the place of every member is fixed; one who is watching is taken along."""
    leader, second, third = friends
    leader.start_group()
    strangers = fill_up(table, "vwxyz")
    table.set_lives(leader, {leader.player: 1, second.player: 1})
    witness, *_ = strangers
    while leader.stored().playing or second.stored().playing:
        for duel in table.open_round(witness):
            if duel.player_of(1) in ("a", "b"):
                table.miss(duel)
            table.solve(table.store.duel(duel.id) or duel)
    old = table.tournament(witness)
    assert not old.over
    if third.stored().playing:
        third.leave()
    leader.watch()
    leader.start_group()
    assert leader.player not in table.tournament(witness).watchers
    assert all(friend.stored().lobby for friend in friends)
    heard = len(leader.all_heard(messages.GuessMade))
    for running in table.open_round(witness):
        if not running.over:
            table.miss(running)
    assert len(leader.all_heard(messages.GuessMade)) == heard
    check_everything(table)
    check_followers(table)
    play_out(table)


def test_groups_and_singles_in_any_order_wait_only_where_they_cannot_be_combined(
    table: Table,
) -> None:
    """R8.2, R6.3: arrivals of 3, 6, 1 and 2 leave four who add up to no eight."""
    three, six, two = table.friends("abc"), table.friends("defghi"), table.friends("kl")
    three[0].start_group()
    six[0].start_group()
    table.client("j").join()
    two[0].start_group()
    (tournament,) = table.store.all_of(Tournament)
    assert {entrant.player for entrant in tournament.entrants} == set("defghikl")
    assert sum(len(lobby.players) for lobby in table.store.room("en").lobbies) == 4
    check_everything(table)
    check_followers(table)
    play_out(table)


def test_a_start_cut_off_after_its_commit_goes_on_with_the_next_word_of_anybody(
    table: Table, friends: list[Client]
) -> None:
    """R8.2: all are seated, though nobody was told."""
    leader, second, _ = friends
    table.steps.taken.clear()
    table.steps.before = crash_after(table, "commit")
    with pytest.raises(Crash):
        leader.start_group()
    table.steps.before = None
    assert second.sync().lobby is not None
    fill_up(table, "vwxyz")
    assert second.all_heard(messages.TournamentStarted)
    check_everything(table)


def test_a_new_nickname_is_told_to_the_group(table: Table, friends: list[Client]) -> None:
    """R10.1, R10.2"""
    leader, second, _ = friends
    second.rename("Zoë 42")
    assert second.answer(messages.Profile).profile.nickname == "Zoë 42"
    assert last_group(leader).group.members[1].nickname == "Zoë 42"
    assert changes_nothing(table, partial(second.rename, "x")) == "bad_nickname"
    check_followers(table)


def test_start_before_hello_on_a_new_connection_finds_its_sender_connected(
    table: Table, friends: list[Client]
) -> None:
    """R8.6: any action takes the connection."""
    leader, *_ = friends
    leader.disconnect()
    leader.connect()
    leader.start_group()
    assert leader.answer(messages.LobbyChanged).lobby.players[0].player_id == leader.player
    check_everything(table)
