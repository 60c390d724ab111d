"""Watching the duels of one's own tournament: who may, what is seen, and when it ends."""

import pytest

from tests.usecases.invariants import (
    check_everything,
    check_follower,
    check_followers,
)
from tests.usecases.table import MINUTE, SECOND, Client, Table, changes_nothing
from wordle_tournament.ports import messages
from wordle_tournament.rules.duel import Duel


@pytest.fixture
def running(table: Table) -> list[Duel]:
    return table.open_round(table.clients[0])


@pytest.fixture
def watcher(table: Table, running: list[Duel]) -> Client:
    """The winner of the first duel, watching the other three; in one a guess has been made."""
    table.miss(running[1])
    winner = table.solve(running[0])
    winner.watch()
    return winner


@pytest.fixture
def out(table: Table, running: list[Duel]) -> Client:
    """A player put out in the first round, in which all duels were solved."""
    loser = table.find(running[0].player_of(2))
    table.set_lives(loser, {loser.player: 1})
    for duel in running:
        table.solve(duel)
    return loser


def sees(table: Table, client: Client) -> bool:
    """Whether the client hears the next guess of a running duel that is not their own."""
    duel = next(one for one in table.store.all_of(Duel) if _is_foreign(one, client))
    before = len(client.all_heard(messages.GuessMade))
    table.miss(duel)
    return len(client.all_heard(messages.GuessMade)) > before


def _is_foreign(duel: Duel, client: Client) -> bool:
    return duel.deadline is not None and client.player not in duel.players


def test_whoever_has_finished_their_duel_sees_all_rows_so_far_and_then_every_event(
    table: Table, running: list[Duel], watcher: Client
) -> None:
    """R4.6"""
    shown = watcher.answer(messages.Snapshot)
    assert shown.tournament is not None
    assert shown.tournament.watching
    assert [duel.duel_id for duel in shown.duels] == [duel.id for duel in running[1:]]
    assert [len(duel.rows) for duel in shown.duels] == [1, 0, 0]
    assert sees(table, watcher)
    check_followers(table)


def test_nobody_watches_while_their_own_duel_runs_or_is_about_to(
    table: Table, running: list[Duel]
) -> None:
    """R4.6: nor in the intro."""
    player = table.clients[0]
    assert changes_nothing(table, player.watch) == "still_playing"
    for duel in running:
        table.solve(duel)
    assert changes_nothing(table, player.watch) == "still_playing"


def test_nobody_watches_without_a_tournament_that_runs(table: Table) -> None:
    """R4.6: not a stranger, not in a lobby, not after the end."""
    stranger = table.client("s")
    assert changes_nothing(table, stranger.watch) == "not_playing"
    assert changes_nothing(table, stranger.unwatch) == "not_playing"
    stranger.join()
    assert changes_nothing(table, stranger.watch) == "not_playing"
    winner, *others = table.clients[:8]
    for other in others:
        other.leave()
    assert changes_nothing(table, winner.watch) == "not_playing"


def test_watching_twice_changes_nothing_more(table: Table, watcher: Client) -> None:
    """R4.6: the repeat is answered like the first time."""
    before = table.everything()
    shown = watcher.watch()
    assert table.everything() == before
    assert len(shown.duels) == 3
    assert sees(table, watcher)
    check_followers(table)


def test_watching_over_a_bye_ends_with_the_own_next_duel(table: Table) -> None:
    """R4.6: it begins in the intro, before any duel runs, and ends without a word."""
    table.clients[7].leave()
    first = table.clients[0]
    for duel in table.open_round(first):
        if not duel.over:
            table.solve(duel)
    bye = table.tournament(first).pairing.bye
    assert bye is not None
    resting = table.find(bye)
    assert resting.watch().duels == ()
    duels = table.open_round(first)
    assert len(resting.all_heard(messages.DuelStarted)) == 1 + len(duels)
    for duel in duels:
        table.solve(duel)
    assert len(resting.all_heard(messages.DuelEnded)) == 1 + len(duels)
    shown = resting.sync().tournament
    assert shown is not None
    assert not shown.watching
    table.open_round(first)
    assert not sees(table, resting)
    check_everything(table)
    check_followers(table)


def test_whoever_is_out_watches_over_the_following_rounds(table: Table, out: Client) -> None:
    """R4.6: intro, duels and ends of each round, until the tournament is over."""
    out.watch()
    witness = next(one for one in table.clients if table.tournament(one).duel_of(one.player))
    for _ in range(30):
        if table.tournament(out).over:
            break
        for duel in table.open_round(out):
            table.miss(duel)
            table.solve(table.store.duel(duel.id) or duel)
        check_follower(table, out)
    assert table.tournament(out).over
    told = out.all_heard(messages.GuessMade)
    rounds = {message.duel_id.split(".")[1] for message in told}
    assert rounds == {str(number + 1) for number in range(table.tournament(witness).round)}
    assert out.all_heard(messages.TournamentEnded)
    check_everything(table)


def test_unwatch_ends_it_at_once_and_shows_no_duels(
    table: Table, running: list[Duel], watcher: Client
) -> None:
    """R4.6"""
    shown = watcher.unwatch()
    assert shown.duels == ()
    assert shown.tournament is not None
    assert not shown.tournament.watching
    assert not sees(table, watcher)
    before = table.everything()
    watcher.unwatch()
    assert table.everything() == before
    check_followers(table)


def test_unwatch_hides_nobodys_own_duel(table: Table, running: list[Duel]) -> None:
    """R4.6: who is not watching may send it all the same."""
    player, opponent = (table.find(one) for one in running[0].players)
    before = table.everything()
    (shown,) = player.unwatch().duels
    assert shown.duel_id == running[0].id
    assert table.everything() == before
    table.solve(running[0])
    assert player.all_heard(messages.DuelEnded)
    assert opponent.all_heard(messages.DuelEnded)


def test_leaving_ends_it(table: Table, out: Client) -> None:
    """R4.6"""
    table.open_round(table.find(out.player))
    out.watch()
    out.leave()
    assert not sees(table, out)
    check_everything(table)


def test_joining_a_new_lobby_ends_it(table: Table, out: Client) -> None:
    """R4.6, R6.6"""
    table.open_round(out)
    out.watch()
    out.join()
    assert not sees(table, out)
    check_everything(table)
    check_followers(table)


@pytest.mark.parametrize("noticed", [True, False], ids=["lost", "replaced"])
def test_the_end_of_the_connection_ends_it(table: Table, out: Client, noticed: bool) -> None:
    """R4.6: a new connection watches when it asks for it."""
    table.open_round(out)
    out.watch()
    if noticed:
        out.disconnect()
    welcome = out.come_back()
    assert welcome.duels == ()
    assert welcome.tournament is not None
    assert not welcome.tournament.watching
    assert not sees(table, out)
    assert len(out.watch().duels) == 3
    assert sees(table, out)
    check_everything(table)
    check_followers(table)


def test_watching_on_a_connection_that_was_replaced_is_not_dealt_on(
    table: Table, out: Client
) -> None:
    """R4.6"""
    duels = table.open_round(out)
    out.watch()
    out.come_back()
    for duel in duels:
        table.solve(duel)
    assert table.tournament(out).watchers == {}
    assert all(out.player not in duel.viewers for duel in table.duels(out))


def test_a_watcher_who_watches_anew_while_a_push_finds_the_old_connection_gone_goes_on_watching(
    table: Table, out: Client
) -> None:
    """R4.6, R7.4: forgetting the old connection does not forget the new one."""
    duel, *_ = table.open_round(out)
    out.watch()
    out.disconnect()
    out.connect()
    table.steps.taken.clear()

    def before(_: int) -> None:
        if table.steps.taken[-3:] == ["play", "send", "player"]:
            table.steps.before = None
            out.hello()
            out.watch()

    table.steps.before = before
    table.miss(duel)
    assert table.steps.before is None
    table.miss(table.store.duel(duel.id) or duel)
    assert [told.turn for told in out.all_heard(messages.GuessMade)] == [2]
    check_followers(table)


def test_the_players_of_a_duel_do_not_notice_who_watches(
    table: Table, running: list[Duel], watcher: Client
) -> None:
    """R4.6: going, too, leaves the others untouched."""
    player = table.find(running[1].player_of(1))
    before = len(player.heard())
    watcher.unwatch()
    watcher.watch()
    assert len(player.heard()) == before


def test_watching_that_is_cut_off_before_it_shows_anything_can_be_asked_for_again(
    table: Table, running: list[Duel], watcher: Client
) -> None:
    """R4.6: the repeat shows the duels, though the tournament knows the watcher already."""
    for duel in running[1:]:
        table.store.show(duel.id, watcher.player, None)
    assert not sees(table, watcher)
    watcher.watch()
    assert sees(table, watcher)
    check_followers(table)


def test_a_watcher_who_does_not_come_back_and_has_a_bye_is_let_go(table: Table) -> None:
    """R7.2, R4.2: watching is no way to stay in."""
    table.clients[7].leave()
    first = table.clients[0]
    for duel in table.open_round(first):
        if not duel.over:
            table.solve(duel)
    bye = table.tournament(first).pairing.bye
    assert bye is not None
    resting = table.find(bye)
    table.open_round(first)
    resting.watch()
    resting.disconnect()
    table.pass_time(MINUTE + SECOND)
    tournament = table.tournament(next(one for one in table.clients if one.stored().tournament))
    assert tournament.entrant(bye).left
    assert bye not in tournament.watchers
    check_everything(table)
