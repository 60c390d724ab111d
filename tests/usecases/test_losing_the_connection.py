"""Players who lose the connection, and who come back in time or too late."""

from functools import partial

import pytest

from tests.usecases.invariants import (
    check_everything,
    check_followers,
    play_out,
)
from tests.usecases.table import MINUTE, MS, SECOND, Client, Table, once
from wordle_tournament.adapters.memory_outside import Grace
from wordle_tournament.ports import messages
from wordle_tournament.rules.duel import Duel, Outcome
from wordle_tournament.rules.tournament import Tournament


@pytest.fixture
def gone(table: Table, duel: Duel) -> Client:
    return table.find(duel.player_of(1))


def has_left(table: Table, client: Client) -> bool:
    """Whether a player counts as having left the only tournament there is."""
    (stored,) = table.store.all_of(Tournament)
    return stored.entrant(client.player).left


def test_a_loss_is_told_with_the_time_until_which_the_player_may_come_back(
    table: Table, gone: Client, opponent: Client
) -> None:
    """R7.2: 60 s, and one timer for this very loss."""
    gone.disconnect()
    (told,) = opponent.all_heard(messages.PlayerDisconnected)
    assert (told.player_id, told.back_by) == (gone.player, table.clock.now() + 60 * SECOND)
    assert Grace(gone.player, 1) in table.timers.waiting
    check_followers(table)


def test_the_turns_of_whoever_is_gone_are_skipped(
    table: Table, duel: Duel, gone: Client, opponent: Client
) -> None:
    """R7.2, R3.3"""
    gone.disconnect()
    table.pass_time(31 * SECOND)
    assert table.duel(opponent).rows == (None,)
    assert table.duel(opponent).player_of(2) == opponent.player


def test_back_after_59_seconds_nothing_is_lost(
    table: Table, duel: Duel, gone: Client, opponent: Client
) -> None:
    """R7.2, R7.4: board, turn and time left are there; the others are told; nothing follows."""
    table.miss(duel)
    gone.disconnect()
    table.pass_time(59 * SECOND - MS)
    welcome = gone.come_back()
    (shown,) = welcome.duels
    stored = table.duel(opponent)
    assert (len(shown.rows), shown.turn, shown.deadline) == (2, 3, stored.deadline)
    assert opponent.all_heard(messages.PlayerReconnected)[-1].player_id == gone.player
    table.pass_time(10 * SECOND)
    assert not has_left(table, gone)
    check_everything(table)
    check_followers(table)


def test_back_after_61_seconds_the_player_has_left(
    table: Table, gone: Client, opponent: Client
) -> None:
    """R7.2, R4.2: as soon as the 60 s are over, not when they come back."""
    gone.disconnect()
    table.pass_time(60 * SECOND - MS)
    assert not has_left(table, gone)
    table.pass_time(MS)
    assert has_left(table, gone)
    ended = opponent.all_heard(messages.DuelEnded)[-1]
    assert (ended.outcome, ended.winner) == (Outcome.LEFT, opponent.player)
    table.pass_time(SECOND)
    welcome = gone.come_back()
    assert (welcome.tournament, welcome.duels) == (None, ())
    check_everything(table)
    check_followers(table)


def test_back_too_late_and_before_any_timer_the_player_has_left(
    table: Table, gone: Client, opponent: Client
) -> None:
    """R7.2: hello is no way round a timer that is late."""
    gone.disconnect()
    table.clock.advance(61 * SECOND)
    assert gone.come_back().tournament is None
    assert has_left(table, gone)
    assert opponent.all_heard(messages.PlayerLeft)[-1].player_id == gone.player
    check_everything(table)


def test_a_second_loss_has_60_seconds_of_its_own_and_the_first_timer_does_nothing(
    table: Table, gone: Client
) -> None:
    """R7.2"""
    gone.disconnect()
    table.pass_time(40 * SECOND)
    gone.come_back()
    gone.disconnect()
    table.pass_time(59 * SECOND)
    assert not has_left(table, gone)
    assert table.wake(Grace(gone.player, 1)) is None
    assert not has_left(table, gone)
    table.pass_time(SECOND)
    assert has_left(table, gone)
    check_everything(table)


def test_a_grace_timer_early_twice_or_after_the_return_does_no_harm(
    table: Table, gone: Client, opponent: Client
) -> None:
    """R7.2: early it tells when to come again; after the return it ends."""
    gone.disconnect()
    back_by = table.clock.now() + 60 * SECOND
    table.clock.advance(59 * SECOND)
    assert table.wake(Grace(gone.player, 1)) == back_by
    gone.come_back()
    table.clock.advance(SECOND)
    assert table.wake(Grace(gone.player, 1)) is None
    assert not has_left(table, gone)
    gone.disconnect()
    table.clock.advance(MINUTE)
    for _ in range(2):
        assert table.wake(Grace(gone.player, 2)) is None
    assert len(opponent.all_heard(messages.PlayerLeft)) == 1
    check_everything(table)


def test_a_grace_timer_that_never_started_lets_the_player_go_all_the_same(
    table: Table, gone: Client
) -> None:
    """R7.2: the clock of the round looks after it, too."""
    table.timers.failing = True
    gone.disconnect()
    table.timers.failing = False
    assert Grace(gone.player, 1) not in table.timers.started
    table.pass_time(61 * SECOND)
    assert has_left(table, gone)


def test_the_return_and_the_end_of_the_grace_at_the_same_instant_are_one_or_the_other(
    table: Table, gone: Client, opponent: Client
) -> None:
    """R7.2: whichever is written first; the player is never both back and gone."""
    gone.disconnect()
    table.clock.advance(60 * SECOND)
    table.store.before_commit = once(table, partial(table.wake, Grace(gone.player, 1)))
    gone.come_back()
    assert has_left(table, gone)
    assert gone.stored().tournament is None
    check_everything(table)
    check_followers(table)


def test_a_loss_during_the_intro_is_made_good_before_the_first_turn(table: Table) -> None:
    """R7.2, R1.3"""
    gone = table.find(table.duel(table.clients[0]).player_of(1))
    gone.disconnect()
    table.pass_time(3 * SECOND)
    welcome = gone.come_back()
    assert welcome.tournament is not None
    assert welcome.tournament.intro_ends_at == table.clock.now() + 3 * SECOND - 1 * MS
    duel = table.open_round(gone)[0]
    assert gone.all_heard(messages.DuelStarted)[-1].duel.duel_id == table.duel(gone).id, duel
    check_followers(table)


def test_a_loss_during_the_intro_that_is_not_made_good_skips_and_then_loses(
    table: Table,
) -> None:
    """R7.2, R4.2"""
    duel = table.duel(table.clients[0])
    gone, opponent = (table.find(player) for player in duel.players)
    gone.disconnect()
    table.pass_time(59 * SECOND)
    assert table.duel(opponent).rows == (None,)
    table.pass_time(SECOND)
    assert opponent.all_heard(messages.DuelEnded)[-1].winner == opponent.player
    check_everything(table)


def test_a_loss_with_a_bye_counts_as_having_left_after_60_seconds(table: Table) -> None:
    """R4.2: it makes no difference that no duel is running for them."""
    table.clients[7].leave()
    for duel in table.open_round(table.clients[0]):
        if not duel.over:
            table.solve(duel)
    bye = table.tournament(table.clients[0]).pairing.bye
    assert bye is not None
    gone = table.find(bye)
    gone.disconnect()
    table.pass_time(61 * SECOND)
    assert has_left(table, gone)
    for duel in table.duels(table.clients[0]):
        table.solve(duel)
    (tournament,) = table.store.all_of(Tournament)
    assert tournament.entrant(gone.player).place == 7
    check_everything(table)


def test_a_loss_after_the_own_duel_counts_in_the_same_round(
    table: Table, duel: Duel, gone: Client, opponent: Client
) -> None:
    """R4.2: the duel that was won stays won; the winner is out all the same."""
    table.solve(duel)
    gone.disconnect()
    table.pass_time(61 * SECOND)
    assert has_left(table, gone)
    assert table.tournament(opponent).entrant(opponent.player).lives == 3
    for other in table.duels(opponent):
        if not other.over:
            table.solve(other)
    tournament = table.tournament(opponent)
    assert tournament.entrant(gone.player).place == 8
    assert tournament.entrant(opponent.player).lives == 2
    check_everything(table)


def test_a_loss_in_the_last_duel_gives_the_tournament_to_the_other(table: Table) -> None:
    """R4.5, R7.2"""
    for client in table.clients[2:]:
        client.leave()
    first, second = table.clients[:2]
    if table.tournament(first).round == 1:
        for duel in table.open_round(first):
            table.solve(duel)
    table.open_round(first)
    first.disconnect()
    table.pass_time(60 * SECOND)
    (tournament,) = table.store.all_of(Tournament)
    assert tournament.over
    assert tournament.entrant(second.player).place == 1
    check_everything(table)


def test_both_players_of_a_duel_gone_end_it_without_a_winner(
    table: Table, duel: Duel, gone: Client, opponent: Client
) -> None:
    """R4.3: they share the last place."""
    gone.disconnect()
    opponent.disconnect()
    table.pass_time(61 * SECOND)
    for other in table.store.duels(duel.tournament, 1):
        if not other.over:
            table.solve(other)
    (tournament,) = table.store.all_of(Tournament)
    assert [tournament.entrant(one).place for one in duel.players] == [7, 7]
    check_everything(table)


@pytest.mark.parametrize("unnoticed", [False, True], ids=["told", "found out by pushes"])
def test_when_all_eight_are_gone_the_tournament_ends_with_everybody_placed_and_rated_once(
    table: Table, duel: Duel, unnoticed: bool
) -> None:
    """R4.4, R5.5"""
    for client in table.clients:
        if unnoticed:
            client.vanish()
        else:
            client.disconnect()
    table.pass_time(3 * MINUTE)
    (tournament,) = table.store.all_of(Tournament)
    assert tournament.over
    assert all(client.stored().games == 1 for client in table.clients)
    check_everything(table)


def test_when_all_eight_are_gone_and_no_timer_works_the_sweep_ends_the_tournament(
    table: Table, duel: Duel
) -> None:
    """R4.4"""
    table.timers.failing = True
    for timer in table.timers.waiting:
        table.timers.lose(timer)
    for client in table.clients:
        client.disconnect()
    play_out(table)


def test_a_connection_that_a_push_finds_gone_takes_the_same_path_as_a_goodbye(
    table: Table, duel: Duel, gone: Client, opponent: Client
) -> None:
    """R7.2: and delays and loses nothing for the other seven."""
    opponent.vanish()
    table.miss(duel)
    assert opponent.stored().connection is None
    assert Grace(opponent.player, 1) in table.timers.waiting
    for client in table.clients:
        if client is not opponent:
            assert len(client.all_heard(messages.PlayerDisconnected)) == 1
    assert len(gone.all_heard(messages.GuessMade)) == 1
    check_everything(table)
    check_followers(table)


def test_a_goodbye_after_the_push_that_found_out_changes_nothing(
    table: Table, duel: Duel, opponent: Client
) -> None:
    """R7.3: one loss, one grace."""
    opponent.vanish()
    table.miss(duel)
    before = table.everything()
    opponent.say_goodbye(opponent.connection)
    assert table.everything() == before
    assert opponent.stored().losses == 1


def test_all_of_eight_connections_dead_at_one_push_are_all_noted(table: Table) -> None:
    """R7.2: losses found while telling of losses are dealt with, too."""
    for client in table.clients:
        client.vanish()
    table.open_round(table.clients[0])
    assert all(client.stored().connection is None for client in table.clients)
    check_everything(table)


def test_a_seat_in_a_lobby_is_given_back_at_once_and_the_player_told_on_return() -> None:
    """R6.5"""
    table = Table()
    ann, bob = table.several("ab")
    for client in (ann, bob):
        client.join()
    lobby = table.store.room("en").lobbies[0]
    bob.disconnect()
    assert table.store.room("en").lobbies[0].players == (ann.player,)
    assert table.timers.started == []
    welcome = bob.come_back()
    assert welcome.lobby is None
    (told,) = bob.all_heard(messages.LobbyLeft)
    assert (told.lobby_id, told.reason) == (lobby.id, "disconnected")
    bob.come_back()
    assert bob.all_heard(messages.LobbyLeft) == []
    check_everything(table)
    check_followers(table)


def test_whoever_takes_a_seat_again_before_hello_is_not_told_that_it_was_lost() -> None:
    """R6.5: in the same lobby, which somebody else has kept open."""
    table = Table()
    ann, bob = table.several("ab")
    for client in (ann, bob):
        client.join()
    bob.disconnect()
    bob.connect()
    bob.join()
    bob.hello()
    assert bob.all_heard(messages.LobbyLeft) == []
    assert bob.stored().lost_lobby is None
    check_followers(table)


@pytest.mark.parametrize("loss_first", [True, False], ids=["loss first", "start first"])
def test_a_loss_in_a_lobby_at_the_instant_it_fills_is_a_seat_or_a_loss_in_the_tournament(
    loss_first: bool,
) -> None:
    """R6.5: what decides is which was written first."""
    table = Table()
    seven = table.several("abcdefg")
    for client in seven:
        client.join()
    eighth = table.client("h")
    if loss_first:
        table.store.before_commit = once(table, seven[0].disconnect)
        eighth.join()
        assert table.store.all_of(Tournament) == []
        assert seven[0].stored().seat is None
    else:
        table.store.before_commit = once(table, eighth.join)
        seven[0].disconnect()
        (tournament,) = table.store.all_of(Tournament)
        back_by = table.clock.now() + 60 * SECOND
        assert tournament.entrant(seven[0].player).back_by == back_by
    check_everything(table)
    check_followers(table)


def test_a_lobby_that_fills_with_a_dead_connection_notices_it_with_its_first_push() -> None:
    """R6.5, R7.2: the seat counts, and the player has 60 s to come back."""
    table = Table()
    seven = table.several("abcdefg")
    for client in seven:
        client.join()
    seven[0].vanish()
    eighth = table.client("h")
    eighth.join()
    assert seven[0].stored().connection is None
    assert eighth.all_heard(messages.PlayerDisconnected)[-1].player_id == seven[0].player
    check_everything(table)
    check_followers(table)


def test_whoever_is_out_loses_nothing_by_losing_the_connection(
    table: Table, duel: Duel, gone: Client, opponent: Client
) -> None:
    """R7.5: no time to be back by, no timer, nothing told."""
    table.set_lives(gone, {opponent.player: 1})
    for each in table.duels(gone):
        table.solve(each)
    before = table.tournament(gone)
    opponent.disconnect()
    assert table.tournament(gone) == before
    assert Grace(opponent.player, 1) not in table.timers.started
    table.pass_time(5 * MINUTE)
    welcome = opponent.come_back()
    assert welcome.tournament is not None
    assert welcome.profile.games == 1
    check_everything(table)
    check_followers(table)


def test_a_player_placed_while_gone_is_shown_as_back_on_return(table: Table, duel: Duel) -> None:
    """R7.4, R7.5: the others are told."""
    first = table.clients[0]
    gone = table.find(duel.player_of(2))
    witness = table.find(duel.player_of(1))
    gone.disconnect()
    table.set_lives(first, {gone.player: 1})
    for each in table.duels(first):
        table.solve(each)
    table.pass_time(MS)
    gone.come_back()
    assert witness.all_heard(messages.PlayerReconnected)[-1].player_id == gone.player
    table.pass_time(2 * MINUTE)
    assert not table.tournament(gone).entrant(gone.player).left
    check_everything(table)
    check_followers(table)
