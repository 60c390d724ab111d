"""Watching: who may, what is seen, and when it ends."""

import pytest

from tests.functions.connections.lambda_table import LambdaTable, outcome_of
from tests.usecases.invariants import check_everything, check_followers
from tests.usecases.table import MINUTE, SECOND, Client
from wordle_tournament.ports import messages
from wordle_tournament.rules.duel import Duel


@pytest.fixture
def running(table: LambdaTable, duel: Duel) -> list[Duel]:
    """The four duels of a first round."""
    return table.duels(table.clients[0])


@pytest.fixture
def finished(table: LambdaTable, running: list[Duel]) -> Client:
    """The winner of the first duel; in the second a guess has been made."""
    table.miss(running[1])
    return table.solve(running[0])


@pytest.fixture
def out(table: LambdaTable, running: list[Duel]) -> Client:
    """A player put out in the first round, while the second is being played."""
    loser = table.find(running[0].player_of(2))
    table.set_lives(loser, {loser.player: 1})
    for duel in running:
        table.solve(duel)
    table.open_round(loser)
    return loser


@pytest.fixture
def resting(table: LambdaTable, eight: list[Client]) -> Client:
    """A player who has a bye in the second round, in its intro."""
    eight[7].leave()
    for duel in table.open_round(eight[0]):
        if not duel.over:
            table.solve(duel)
    bye = table.tournament(eight[0]).pairing.bye
    assert bye is not None
    return table.find(bye)


def sees(table: LambdaTable, client: Client) -> bool:
    """Whether the client hears the next guess of a running duel of others."""
    duel = next(
        one
        for one in table.store.all_of(Duel)
        if one.deadline is not None and client.player not in one.players
    )
    before = len(client.all_heard(messages.GuessMade))
    table.miss(duel)
    return len(client.all_heard(messages.GuessMade)) > before


def test_whoever_has_finished_sees_all_rows_so_far_and_then_every_event(
    table: LambdaTable, running: list[Duel], finished: Client
) -> None:
    """R4.6"""
    shown = finished.watch()
    assert [duel.duel_id for duel in shown.duels] == [duel.id for duel in running[1:]]
    assert [len(duel.rows) for duel in shown.duels] == [1, 0, 0]
    assert sees(table, finished)
    check_followers(table)


def test_whoever_is_out_watches_over_the_rounds_until_the_tournament_ends(
    table: LambdaTable, out: Client
) -> None:
    """R4.6: and no frame ever held the word of a running duel (R3.10)."""
    assert len(out.watch().duels) == 3
    for _ in range(30):
        if table.only_tournament().over:
            break
        for duel in table.open_round(out):
            table.solve(duel)
        check_followers(table)
    assert out.all_heard(messages.TournamentEnded)
    check_everything(table)


def test_whoever_has_a_bye_watches_from_the_intro_until_the_own_next_duel(
    table: LambdaTable, resting: Client
) -> None:
    """R4.6"""
    assert resting.watch().duels == ()
    before = len(resting.all_heard(messages.DuelStarted))
    duels = table.open_round(resting)
    assert len(resting.all_heard(messages.DuelStarted)) == before + len(duels)
    assert sees(table, resting)
    for duel in table.duels(resting):
        if not duel.over:
            table.find(duel.player_of(duel.turn)).guess(duel.id, duel.turn, duel.word)
    table.open_round(resting)
    assert not sees(table, resting)
    check_everything(table)
    check_followers(table)


def test_nobody_watches_in_the_intro_of_the_own_duel_or_while_it_runs(
    table: LambdaTable, eight: list[Client]
) -> None:
    """R4.6: refused, and nothing is changed."""
    for _ in ("intro", "duels"):
        before = table.everything()
        assert outcome_of(eight[0], "watch") == "still_playing"
        assert table.everything() == before
        table.open_round(eight[0])


def test_nobody_watches_without_a_tournament_that_runs(
    table: LambdaTable, eight: list[Client]
) -> None:
    """R4.6: neither a stranger, nor in a lobby, nor after the end."""
    stranger = table.client("s")
    for action in ("watch", "unwatch"):
        assert outcome_of(stranger, action) == "not_playing"
    stranger.join()
    assert outcome_of(stranger, "watch") == "not_playing"
    winner, *others = eight
    for other in others:
        other.leave()
    assert table.only_tournament().over
    assert outcome_of(winner, "watch") == "not_playing"


def test_unwatch_ends_it_at_once_and_may_be_repeated(table: LambdaTable, finished: Client) -> None:
    """R4.6"""
    finished.watch()
    for _ in range(2):
        shown = finished.unwatch()
        assert shown.duels == ()
        assert shown.tournament is not None
        assert not shown.tournament.watching
    assert not sees(table, finished)
    check_followers(table)


def test_unwatch_of_somebody_who_plays_hides_nothing(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R4.6"""
    (shown,) = on_turn.unwatch().duels
    assert shown.duel_id == duel.id
    table.miss(duel)
    table.miss(table.duel(opponent))
    assert [told.turn for told in on_turn.all_heard(messages.GuessMade)] == [1, 2]


def test_a_player_who_is_out_and_goes_leaves_the_others_untouched(
    table: LambdaTable, out: Client
) -> None:
    """R4.6, R6.6: nobody hears of it, and nothing of the duels changes."""
    out.watch()
    others = [client for client in table.clients if client is not out]
    heard = [len(client.heard()) for client in others]
    duels = [(duel.id, duel.rows, duel.deadline) for duel in table.duels(others[0])]
    out.leave()
    assert [len(client.heard()) for client in others] == heard
    assert [(duel.id, duel.rows, duel.deadline) for duel in table.duels(others[0])] == duels
    assert not sees(table, out)
    check_everything(table)
    check_followers(table)


@pytest.mark.parametrize("noticed", [True, False], ids=["lost", "replaced"])
def test_watching_ends_with_its_connection_and_can_be_asked_for_on_the_next(
    table: LambdaTable, out: Client, noticed: bool
) -> None:
    """R4.6, R7.4"""
    out.watch()
    if noticed:
        out.disconnect()
    welcome = out.come_back()
    assert welcome.duels == ()
    assert not sees(table, out)
    assert len(out.watch().duels) == 3
    assert sees(table, out)
    check_everything(table)
    check_followers(table)


def test_a_watcher_with_a_bye_who_does_not_come_back_has_left(
    table: LambdaTable, resting: Client
) -> None:
    """R7.2, R4.2: watching is no way to stay in."""
    table.open_round(resting)
    resting.watch()
    resting.disconnect()
    table.pass_time(MINUTE + SECOND)
    assert table.entrant(resting).left
    assert resting.player not in table.only_tournament().watchers
    check_everything(table)
