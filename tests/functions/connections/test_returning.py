"""Newer and older connections, and all that a return shows."""

import random

import pytest

from tests.functions.connections.lambda_table import LambdaTable, outcome_of
from tests.usecases.following import follow
from tests.usecases.invariants import check_everything, check_followers, play_out
from tests.usecases.table import MINUTE, MS, NEVER_HIDDEN, SECOND, Client
from wordle_tournament.ports import messages
from wordle_tournament.rules.duel import Duel


def older_of(client: Client) -> Client:
    """The device on the connection in use, which stays there when the player opens another."""
    table = client.table
    assert isinstance(table, LambdaTable)
    device = table.stranger(client.player)
    table.clients.remove(device)
    device.connections, device.connected_at = client.connections, client.connected_at
    device.requests = client.requests + 100
    return device


def play_on(table: LambdaTable, duel: Duel) -> None:
    """Let a wrong guess, a skip and the ends of all duels of a round pass."""
    table.miss(duel)
    table.pass_time(32 * SECOND)
    for each in table.store.duels(duel.tournament, duel.round):
        table.solve(each)
    table.pass_time(7 * SECOND)


def test_the_newest_connection_wins_and_the_older_is_told_and_closed(
    table: LambdaTable, on_turn: Client, opponent: Client
) -> None:
    """R7.3: the others hear of no loss and no return."""
    older = on_turn.connection
    on_turn.come_back()
    assert isinstance(table.push.received(older)[-1].message, messages.Replaced)
    assert table.push.closed == [older]
    assert opponent.all_heard(messages.PlayerDisconnected) == []
    assert opponent.all_heard(messages.PlayerReconnected) == []
    check_followers(table)


def test_the_late_goodbye_of_an_older_connection_changes_nothing(
    table: LambdaTable, on_turn: Client
) -> None:
    """R7.3"""
    older = on_turn.connection
    on_turn.come_back()
    before = table.everything()
    on_turn.say_goodbye(older)
    assert table.everything() == before
    check_followers(table)


@pytest.mark.parametrize("action", ["hello", "sync", "join", "leave", "watch", "unwatch"])
def test_whatever_an_older_connection_still_says_is_answered_by_replaced(
    table: LambdaTable, on_turn: Client, action: str
) -> None:
    """R7.3: it is final, so that two devices do not chase each other for ever."""
    older = older_of(on_turn)
    on_turn.come_back()
    before = table.everything()
    fields: dict[str, dict[str, object]] = {"hello": {"protocol": 1}, "join": {"language": "en"}}
    assert outcome_of(older, action, **fields.get(action, {})) == "replaced"
    assert table.everything() == before
    assert table.push.closed == [older.connection]
    assert on_turn.all_heard(messages.Replaced) == []


def test_of_two_devices_that_say_hello_in_the_other_order_the_one_opened_last_stays(
    table: LambdaTable, on_turn: Client
) -> None:
    """R7.3: when a connection was opened decides, not when its hello is handled."""
    on_turn.connect()
    slow = older_of(on_turn)
    on_turn.come_back()
    assert outcome_of(slow, "hello", protocol=1) == "replaced"
    assert slow.connection in table.push.closed
    assert on_turn.stored().ear == on_turn.connection
    check_followers(table)


def test_a_return_shows_tournament_duel_turn_time_left_and_group(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R7.4"""
    opponent.join_group(on_turn.create_group())
    table.clock.advance(5 * SECOND)
    table.miss(duel)
    on_turn.disconnect()
    table.clock.advance(5 * SECOND)
    welcome = on_turn.come_back()
    assert welcome.server_time == table.clock.now()
    assert welcome.profile.player_id == on_turn.player
    assert welcome.lobby is None
    assert welcome.group is not None
    assert [member.connected for member in welcome.group.members] == [True, True]
    assert welcome.tournament is not None
    assert [one.connected for one in welcome.tournament.players] == [True] * 8
    (shown,) = welcome.duels
    assert (shown.duel_id, shown.turn, shown.player_id) == (duel.id, 2, opponent.player)
    assert shown.deadline is not None
    assert shown.deadline - welcome.server_time == 25 * SECOND - MS
    assert [row.word for row in shown.rows] == [NEVER_HIDDEN[len(duel.word)]]
    check_followers(table)


def test_a_return_on_a_newer_connection_keeps_the_seat_in_a_lobby(table: LambdaTable) -> None:
    """R6.5, R7.3: the older connection was replaced, not lost."""
    ann, bob = table.several("ab")
    ann.join()
    bob.join()
    older = bob.connection
    welcome = bob.come_back()
    bob.say_goodbye(older)
    assert welcome.lobby is not None
    assert [one.player_id for one in welcome.lobby.players] == [ann.player, bob.player]
    check_everything(table)
    check_followers(table)


def test_a_connection_changed_in_the_middle_of_ones_own_turn_loses_nothing(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R7.4: the turn is played on the new connection before the old one has said goodbye."""
    table.clock.advance(10 * SECOND)
    older = on_turn.connection
    on_turn.come_back()
    table.miss(duel)
    on_turn.say_goodbye(older)
    table.miss(table.duel(opponent))
    assert [told.turn for told in on_turn.all_heard(messages.GuessMade)] == [1, 2]
    assert opponent.all_heard(messages.PlayerDisconnected) == []
    check_followers(table)


def test_a_return_hears_events_though_the_gateway_still_takes_frames_for_the_dead_connection(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R7.4: nothing that answers Gone is needed for the duel to follow its player."""
    table.push.deafen(on_turn.connection)
    on_turn.say_goodbye(on_turn.connection)
    on_turn.come_back()
    table.miss(duel)
    table.miss(table.duel(opponent))
    assert [told.turn for told in on_turn.all_heard(messages.GuessMade)] == [1, 2]
    check_followers(table)


def test_a_guess_whose_answer_was_lost_is_sent_again_on_the_new_connection(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R3.9, R7.4: it is answered like the first time, and counted once."""
    on_turn.vanish()
    table.miss(duel)
    on_turn.come_back()
    table.miss(duel)
    assert on_turn.answer(messages.GuessMade).turn == 1
    assert len(table.duel(on_turn).rows) == 1
    assert len(opponent.all_heard(messages.GuessMade)) == 1
    check_followers(table)


def test_a_guess_before_hello_counts_and_events_begin_with_hello(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R7.4"""
    on_turn.disconnect()
    on_turn.connect()
    table.miss(duel)
    table.miss(table.duel(opponent))
    assert [type(message) for message in on_turn.heard()] == [messages.GuessMade]
    (shown,) = on_turn.hello().duels
    assert len(shown.rows) == 2
    check_followers(table)


@pytest.mark.parametrize("seed", range(4))
def test_events_that_come_late_and_in_any_order_are_neither_lost_nor_doubled(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client, seed: int
) -> None:
    """R7.4: what a client folds by version is what is stored."""
    on_turn.come_back()
    table.push.hold(on_turn.connection)
    play_on(table, duel)
    opponent.disconnect()
    opponent.come_back()
    table.push.release(on_turn.connection, random.Random(seed))
    assert on_turn.follow().repeated == 0
    check_followers(table)


@pytest.mark.parametrize("seed", range(4))
def test_a_welcome_that_is_overtaken_by_events_loses_none_of_them(
    table: LambdaTable, duel: Duel, on_turn: Client, seed: int
) -> None:
    """R7.4"""
    on_turn.connect()
    table.push.hold(on_turn.connection)
    on_turn.hello()
    play_on(table, duel)
    table.push.release(on_turn.connection, random.Random(seed))
    check_followers(table)


@pytest.mark.parametrize("dropped", range(3))
def test_a_dropped_event_shows_as_a_gap_that_sync_fills(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client, dropped: int
) -> None:
    """R7.4: of three guesses each; the last leaves no gap, and sync tells it all the same."""
    heard = on_turn.heard()
    on_turn.take()
    for _ in range(3):
        table.miss(table.duel(opponent))
    news = on_turn.take()
    assert len(news) == 3
    follower = follow(on_turn.player, [*heard, *news[:dropped], *news[dropped + 1 :]])
    assert bool(follower.early) == (dropped < 2)
    follower.take(on_turn.sync())
    assert follower.early == []
    assert follower.duels[duel.id].version == table.duel(on_turn).version


@pytest.mark.parametrize("step", range(1, 12))
def test_a_guess_at_any_moment_of_a_return_is_heard_once(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client, step: int
) -> None:
    """R7.4: between the snapshot and the events that follow it nothing falls."""
    table.miss(duel)
    on_turn.disconnect()
    on_turn.connect()
    table.steps.taken.clear()
    reached: list[int] = []

    def before(taken: int) -> None:
        if taken == step:
            table.steps.before = None
            reached.append(taken)
            table.miss(table.duel(opponent))

    table.steps.before = before
    on_turn.hello()
    assert reached == [step]
    table.miss(table.duel(opponent))
    check_followers(table)


def test_players_who_all_keep_changing_connections_finish_their_tournament(
    table: LambdaTable, duel: Duel
) -> None:
    """R7.3, R7.4"""
    for client in table.clients:
        older = client.connection
        client.come_back()
        client.say_goodbye(older)
    for each in table.duels(table.clients[0]):
        table.miss(each)
    check_followers(table)
    table.pass_time(MINUTE)
    check_followers(table)
    assert not any(entrant.left for entrant in table.only_tournament().entrants)
    play_out(table)
