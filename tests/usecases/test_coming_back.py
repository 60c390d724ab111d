"""Newer connections, older ones, and all that a return shows."""

import random
from datetime import timedelta

import pytest

from tests.usecases.following import follow
from tests.usecases.instruments import Crash
from tests.usecases.invariants import (
    check_everything,
    check_follower,
    check_followers,
    play_out,
)
from tests.usecases.table import (
    MS,
    SECOND,
    Client,
    Table,
    changes_nothing,
    crash_after,
    once,
)
from wordle_tournament.ports import messages
from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.lobby import Room
from wordle_tournament.rules.tournament import Tournament
from wordle_tournament.usecases.greeting import TOKEN_RENEWAL, greet


@pytest.fixture
def player(table: Table, duel: Duel) -> Client:
    return table.find(duel.player_of(1))


def test_the_newest_connection_wins_and_the_older_is_told_and_closed(
    table: Table, player: Client, opponent: Client
) -> None:
    """R7.3: the others hear of no loss and no return."""
    older = player.connection
    player.come_back()
    assert isinstance(table.push.received(older)[-1].message, messages.Replaced)
    assert table.push.closed == [older]
    assert opponent.all_heard(messages.PlayerDisconnected) == []
    assert opponent.all_heard(messages.PlayerReconnected) == []
    check_followers(table)


def test_the_late_goodbye_of_an_older_connection_changes_nothing(
    table: Table, player: Client
) -> None:
    """R7.3"""
    older = player.connection
    player.come_back()
    before = table.everything()
    player.say_goodbye(older)
    assert table.everything() == before


def test_an_older_connection_cannot_take_over_again(table: Table, player: Client) -> None:
    """R7.3: two devices that both come back by themselves do not chase each other for ever."""
    older, since = player.connections, player.connected_at
    player.come_back()
    newer, newer_since = player.connections, player.connected_at
    for command in (player.hello, player.sync, player.join, player.leave, player.watch):
        player.connections, player.connected_at = older, since
        assert changes_nothing(table, command) == "superseded"
    player.connections, player.connected_at = newer, newer_since
    assert player.stored().ear == player.connection


def test_hello_twice_is_welcomed_twice_and_changes_nothing(table: Table, player: Client) -> None:
    """R7.4"""
    before = table.everything()
    player.hello()
    assert table.everything() == before
    assert len(player.all_heard(messages.Welcome)) == 2


def test_a_return_that_is_cut_off_can_be_sent_again(
    table: Table, player: Client, opponent: Client
) -> None:
    """R7.2: the first hello died after taking the connection and before the return was noted."""
    player.disconnect()
    player.connect()
    table.steps.taken.clear()
    table.steps.before = crash_after(table, "commit")
    with pytest.raises(Crash):
        player.hello()
    table.steps.before = None
    player.hello()
    assert len(opponent.all_heard(messages.PlayerReconnected)) == 1
    table.pass_time(61 * SECOND)
    assert not table.tournament(opponent).entrant(player.player).left
    check_follower(table, player)


def test_another_version_of_the_protocol_is_refused_before_anything_else(table: Table) -> None:
    """The protocol is version 1."""
    stranger = table.stranger("s")
    assert changes_nothing(table, lambda: stranger.hello(protocol=2)) == "unsupported_protocol"


def test_a_return_shows_everything_as_it_is(
    table: Table, duel: Duel, player: Client, opponent: Client
) -> None:
    """R7.4: tournament, own duel with board, turn and time left, and the group."""
    code = player.create_group()
    opponent.join_group(code)
    table.miss(duel)
    welcome = player.come_back()
    assert welcome.server_time == table.clock.now()
    assert welcome.profile.player_id == player.player
    assert welcome.group is not None
    assert [member.player_id for member in welcome.group.members] == [
        player.player,
        opponent.player,
    ]
    assert all(member.playing and member.connected for member in welcome.group.members)
    assert welcome.tournament is not None
    assert len(welcome.tournament.players) == 8
    (shown,) = welcome.duels
    assert (shown.duel_id, shown.turn, shown.player_id) == (duel.id, 2, opponent.player)
    assert len(shown.rows) == 1
    assert shown.ended is None
    check_followers(table)


def test_a_return_to_a_lobby_on_a_newer_connection_keeps_the_seat() -> None:
    """R6.5, R7.3: the older connection was replaced, not lost."""
    table = Table()
    ann, bob = table.several("ab")
    for client in (ann, bob):
        client.join()
    older = bob.connection
    welcome = bob.come_back()
    bob.say_goodbye(older)
    assert welcome.lobby is not None
    assert len(welcome.lobby.players) == 2
    check_everything(table)
    check_followers(table)


@pytest.mark.parametrize("lost", [Room, Tournament])
def test_who_comes_back_to_what_was_lost_is_free_to_play(lost: type[Room | Tournament]) -> None:
    """R6.4: tables were damaged, or restored without the others."""
    table = Table()
    if lost is Room:
        ann = table.client("ann")
        ann.join()
    else:
        ann, *_ = table.eight()
    table.store.forget(lost)
    assert changes_nothing(table, lambda: ann.join("de")) == "already_playing"

    welcome = ann.come_back()

    assert (welcome.lobby, welcome.tournament, ann.stored().seat) == (None, None, None)
    ann.join("de")
    assert ann.stored().lobby is not None


def test_who_comes_back_to_a_lobby_that_has_just_filled_up_is_in_its_tournament() -> None:
    """R6.4: what is gone only because it went on is not lost."""
    table = Table()
    ann, *others = table.several("abcdefgh")
    for client in (ann, *others[:-1]):
        client.join()
    ann.connect()
    table.store.after_commit = once(table, others[-1].join)

    welcome = ann.hello()

    assert welcome.tournament is not None
    assert table.tournament(ann).entrant(ann.player).active
    check_everything(table)


def test_a_connection_changed_in_the_middle_of_the_own_turn_loses_nothing(
    table: Table, duel: Duel, player: Client, opponent: Client
) -> None:
    """R7.4: the turn is played on the new connection, and the opponent's answer heard there."""
    table.clock.advance(10 * SECOND)
    player.come_back()
    table.miss(duel)
    table.miss(table.duel(opponent))
    assert [told.turn for told in player.all_heard(messages.GuessMade)] == [1, 2]
    check_followers(table)


def test_a_guess_before_hello_counts_and_is_answered_on_its_connection(
    table: Table, duel: Duel, player: Client, opponent: Client
) -> None:
    """R7.4: other actions before hello work, too; events begin with it."""
    player.disconnect()
    player.connect()
    table.miss(duel)
    assert player.answer(messages.GuessMade).turn == 1
    table.miss(table.duel(opponent))
    assert len(player.heard()) == 1
    player.hello()
    check_followers(table)


def test_any_message_on_a_new_connection_but_a_guess_is_a_return(
    table: Table, player: Client, opponent: Client
) -> None:
    """R7.2: whoever is there and speaks is not let go; events begin with hello."""
    player.disconnect()
    player.connect()
    player.sync()
    assert opponent.all_heard(messages.PlayerReconnected)[-1].player_id == player.player
    table.pass_time(61 * SECOND)
    assert not table.tournament(opponent).entrant(player.player).left
    assert len(player.heard()) == 1
    player.hello()
    check_followers(table)


def test_a_return_whose_time_runs_out_while_it_is_handled_is_told_to_the_group(
    table: Table, player: Client, opponent: Client
) -> None:
    """R7.2, R8.4"""
    opponent.join_group(player.create_group())
    player.disconnect()
    table.pass_time(60 * SECOND - 2 * MS)
    player.connect()
    table.steps.taken.clear()

    def before(_: int) -> None:
        if table.steps.taken[-2:] == ["tournament", "duels"]:
            table.steps.before = None
            table.clock.advance(2 * MS)

    table.steps.before = before
    welcome = player.hello()
    assert welcome.tournament is None
    members = opponent.all_heard(messages.GroupChanged)[-1].group.members
    assert [member.playing for member in members] == [False, True]
    check_everything(table)
    check_followers(table)


def test_whoever_speaks_too_late_without_hello_has_left(
    table: Table, player: Client, opponent: Client
) -> None:
    """R7.2"""
    player.disconnect()
    table.clock.advance(61 * SECOND)
    player.connect()
    assert player.sync().tournament is None
    assert table.tournament(opponent).entrant(player.player).left
    check_everything(table)


def test_whoever_joined_before_hello_hears_of_the_tournament_from_hello_on(table: Table) -> None:
    """R7.4: also when hello crosses the deal of the next round, which it then does itself."""
    for name in "abcdefg":
        table.client(name).join()
    quiet = table.stranger("q")
    quiet.join()
    first = table.find(quiet.player)
    assert [type(message) for message in quiet.heard()] == [
        messages.LobbyChanged,
        messages.TournamentStarted,
        messages.RoundIntro,
    ]
    *early, last = table.open_round(first)
    for duel in early:
        table.solve(duel)
    table.steps.taken.clear()

    def before(taken: int) -> None:
        if table.steps.taken == ["duel", "play", "send", "tournament", "duels", "players"]:
            quiet.hello()

    table.steps.before = before
    table.solve(last)
    table.steps.before = None
    following = table.duel(quiet)
    assert following.round == 2
    table.open_round(quiet)
    assert quiet.all_heard(messages.DuelStarted)[-1].duel.duel_id == following.id
    check_followers(table)


def test_a_duel_dealt_while_its_player_was_gone_is_heard_from_the_return_on(
    table: Table, duel: Duel, player: Client
) -> None:
    """R7.4: nobody was there to be let see it when it was dealt."""
    for each in table.duels(player):
        if each.id != duel.id:
            table.solve(each)
    player.disconnect()
    table.solve(duel)
    following = table.duel(player)
    assert (following.round, player.player in following.viewers) == (2, False)
    player.come_back()
    table.open_round(player)
    assert player.all_heard(messages.DuelStarted)[-1].duel.duel_id == following.id
    check_followers(table)


def test_a_push_to_a_connection_just_replaced_is_sent_again_to_the_new_one(
    table: Table, duel: Duel, player: Client, opponent: Client
) -> None:
    """R7.4: the duel still knows the old one, and is mended by the push that finds it gone."""
    older = player.connection
    player.come_back()
    table.store.show(duel.id, player.player, older)
    table.miss(duel)
    table.miss(table.duel(opponent))
    assert table.duel(opponent).viewers[player.player] == player.connection
    assert [told.turn for told in player.all_heard(messages.GuessMade)] == [1, 2]
    assert player.stored().losses == 0
    check_followers(table)


def test_replaced_in_the_midst_of_hello_the_older_hello_takes_nothing_back(
    table: Table, duel: Duel, player: Client, opponent: Client
) -> None:
    """R7.3: whatever the older one still writes, the newer one hears everything."""
    player.connect()
    table.steps.taken.clear()

    def newer(taken: int) -> None:
        if table.steps.taken[-1:] == ["commit"]:
            table.steps.before = None
            player.come_back()

    table.steps.before = newer
    player.hello()
    player.crossed = False
    table.miss(duel)
    table.miss(table.duel(opponent))
    check_followers(table)


@pytest.mark.parametrize("seed", range(8))
def test_events_that_come_late_and_in_any_order_are_neither_lost_nor_doubled(
    table: Table, duel: Duel, player: Client, opponent: Client, seed: int
) -> None:
    """R7.4: versions tell; a client that folds them ends up with what is stored."""
    chance = random.Random(seed)
    player.come_back()
    table.push.hold(player.connection)
    _play_on(table, duel)
    opponent.disconnect()
    opponent.come_back()
    table.push.release(player.connection, chance)
    follower = player.follow()
    assert follower.repeated == 0
    check_followers(table)


@pytest.mark.parametrize("seed", range(8))
def test_a_welcome_that_is_overtaken_by_events_loses_none_of_them(
    table: Table, duel: Duel, player: Client, opponent: Client, seed: int
) -> None:
    """R7.4: what comes before the snapshot is kept and applied after it, by version."""
    player.connect()
    table.push.hold(player.connection)
    player.hello()
    _play_on(table, duel)
    table.push.release(player.connection, random.Random(seed))
    check_followers(table)


@pytest.mark.parametrize("dropped", range(5))
def test_a_dropped_event_shows_as_a_gap_that_sync_fills(
    table: Table, duel: Duel, player: Client, opponent: Client, dropped: int
) -> None:
    """R7.4: each of two guesses, the end of the duel and of the round, and the next intro.

    The last event of a thing leaves no gap; the next snapshot tells it.
    """
    heard = player.heard()
    player.take()
    for other in table.duels(player):
        if other.id != duel.id:
            table.solve(other)
    table.miss(duel)
    table.solve(table.duel(player))
    news = player.take()
    assert len(news) == 5
    kept = [*heard, *news[:dropped], *news[dropped + 1 :]]
    follower = follow(player.player, kept)
    assert bool(follower.early) == (dropped in (0, 1, 3))
    follower.take(player.sync())
    assert follower.tournament is not None
    assert follower.tournament.version == table.tournament(player).version
    assert not [event for event in follower.early if hasattr(event, "tournament_id")]


def test_what_was_lost_on_the_way_is_in_the_answer_to_sync(
    table: Table, duel: Duel, player: Client, opponent: Client
) -> None:
    """R7.4: a push that is lost without a trace is no error of the command."""
    table.push.deafen(opponent.connection)
    table.miss(duel)
    table.push.mend(opponent.connection)
    assert len(opponent.all_heard(messages.GuessMade)) == 0
    (shown,) = opponent.sync().duels
    assert (shown.turn, shown.player_id) == (2, opponent.player)
    check_followers(table)


def test_a_token_older_than_30_days_is_renewed(table: Table) -> None:
    """A younger one is given back as it was."""
    ann = table.client("a")
    for age, renewed in ((TOKEN_RENEWAL, False), (TOKEN_RENEWAL + MS, True)):
        issued_at = table.clock.now() - age
        told = ann.do(
            lambda game, sender, at=issued_at: greet(  # type: ignore[misc]
                game, sender, protocol=1, token_issued_at=at
            )
        )
        assert isinstance(told, messages.Welcome)
        expected = table.clock.now() if renewed else issued_at
        assert told.token == table.game.tokens.mint(ann.player, expected)


def test_players_who_all_keep_changing_connections_finish_their_tournament(
    table: Table, duel: Duel
) -> None:
    """R7.3, R7.4"""
    for number in range(6):
        for client in table.clients:
            client.come_back()
        check_followers(table)
        for each in table.duels(table.clients[number]):
            if each.deadline is not None:
                table.miss(each)
    play_out(table)
    check_followers(table)


def _play_on(table: Table, duel: Duel) -> None:
    """Let a wrong guess, a skip and the ends of all duels of a round pass."""
    table.miss(duel)
    table.pass_time(timedelta(seconds=31))
    for each in table.store.duels(duel.tournament, duel.round):
        table.solve(each)
    table.pass_time(timedelta(seconds=6))
