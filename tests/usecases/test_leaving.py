"""Going out of a tournament, and what it does to places and ratings."""

import pytest

from tests.usecases.invariants import (
    check_ended,
    check_everything,
    check_followers,
    play_out,
)
from tests.usecases.table import Table, changes_nothing, once
from wordle_tournament.ports import messages
from wordle_tournament.rules.duel import Outcome
from wordle_tournament.rules.result import Result


def test_whoever_leaves_loses_the_running_duel_at_once(table: Table) -> None:
    """R4.2: the opponent wins it and keeps three lives; everybody in it is told the word."""
    duel, *others = table.open_round(table.clients[0])
    leaver, opponent = (table.find(player) for player in duel.players)
    leaver.leave()
    assert leaver.answer(messages.Left).origin == "tournament"
    ended = opponent.all_heard(messages.DuelEnded)[-1]
    assert (ended.outcome, ended.winner) == (Outcome.LEFT, opponent.player)
    for other in others:
        table.solve(other)
    entrant = table.tournament(opponent).entrant(leaver.player)
    assert (entrant.left, entrant.place) == (True, 8)
    assert table.tournament(opponent).entrant(opponent.player).lives == 3
    assert leaver.stored().rating == 975
    assert len(opponent.all_heard(messages.PlayerLeft)) == 1
    assert leaver.all_heard(messages.PlayerLeft) == []
    check_everything(table)
    check_followers(table)


def test_whoever_leaves_during_the_intro_ends_a_duel_that_never_starts(table: Table) -> None:
    """R4.2"""
    duel = table.duel(table.clients[0])
    leaver, opponent = (table.find(player) for player in duel.players)
    leaver.leave()
    table.open_round(opponent)
    assert opponent.all_heard(messages.DuelStarted) == []
    assert opponent.all_heard(messages.DuelEnded)[-1].winner == opponent.player


def test_two_who_leave_in_one_round_share_the_place_behind_those_put_out(table: Table) -> None:
    """R4.3, R4.4: one is put out by play, two leave: places 6 and 7 of eight."""
    first, second, third, fourth = table.open_round(table.clients[0])
    table.set_lives(table.clients[0], {third.player_of(2): 1})
    leavers = [table.find(duel.player_of(1)) for duel in (first, second)]
    witness = table.find(third.player_of(1))
    for leaver in leavers:
        leaver.leave()
    for duel in (third, fourth):
        table.solve(duel)
    tournament = table.tournament(witness)
    assert [tournament.entrant(one.player).place for one in leavers] == [7, 7]
    assert tournament.entrant(third.player_of(2)).place == 6


def test_when_all_others_leave_the_last_one_has_won_at_once(table: Table) -> None:
    """R4.5: the round has ended with the last running duel."""
    duels = table.open_round(table.clients[0])
    winner, *others = table.clients
    for other in others:
        other.leave()
    assert all(duel.over for duel in table.duels(winner)), duels
    tournament = table.tournament(winner)
    assert tournament.over
    assert tournament.entrant(winner.player).place == 1
    assert winner.all_heard(messages.TournamentEnded)[-1].standings[0].place == 1
    check_everything(table)
    check_followers(table)


def test_when_all_leave_one_after_the_other_all_are_placed(table: Table) -> None:
    """R4.4, R4.5: a round in which no duel is running any more has ended."""
    for client in table.clients:
        client.leave()
    check_ended(table)
    check_everything(table)
    assert len(table.store.all_of(Result)) == 8


def test_of_two_players_who_leave_their_duel_in_the_same_instant_the_first_loses_it(
    table: Table,
) -> None:
    """R4.2: with it the round has ended, and the other one leaves in the next."""
    last, *others = table.open_round(table.clients[0])
    second, first = (table.find(player) for player in last.players)
    for duel in others:
        table.solve(duel)
    table.store.before_commit = once(table, first.leave)
    second.leave()
    tournament = table.tournament(table.find(others[0].player_of(1)))
    assert tournament.round == 2
    assert tournament.entrant(first.player).place == 8
    assert tournament.entrant(second.player).left
    check_everything(table)
    check_followers(table)


def test_whoever_solves_the_last_duel_and_leaves_before_it_is_settled_has_won_it(
    table: Table,
) -> None:
    """R4.2: the round was decided before the leave came."""
    first, *others = table.open_round(table.clients[0])
    winner, loser = (table.find(player) for player in first.players)
    table.set_lives(winner, {client.player: 1 for client in table.clients if client is not winner})
    for duel in others:
        table.find(duel.player_of(1)).leave()
        table.find(duel.player_of(2)).leave()
    table.store.after_commit = once(table, winner.leave)
    winner.guess(first.id, 1, first.word)
    tournament = table.store.tournament(first.tournament)
    assert tournament is not None
    assert tournament.entrant(winner.player).place == 1
    assert tournament.entrant(loser.player).place == 2
    check_everything(table)


def test_whoever_is_out_goes_and_plays_again_while_the_tournament_runs_on(table: Table) -> None:
    """R4.6, R6.6: the others are not touched, and hear nothing of it."""
    duels = table.open_round(table.clients[0])
    out = table.find(duels[0].player_of(2))
    witness = table.find(duels[0].player_of(1))
    table.set_lives(witness, {out.player: 1})
    for duel in duels:
        table.solve(duel)
    tournament = table.tournament(witness)
    assert out.all_heard(messages.RoundEnded)[-1].standings
    witness.take()
    out.leave()
    out.join()
    assert table.tournament(witness) == tournament
    assert witness.take() == []
    assert out.stored().lobby is not None
    check_everything(table)
    play_out(table)


def test_whoever_is_out_may_join_without_leaving_first(table: Table) -> None:
    """R6.6"""
    duels = table.open_round(table.clients[0])
    out = table.find(duels[0].player_of(2))
    table.set_lives(out, {out.player: 1})
    for duel in duels:
        table.solve(duel)
    out.join()
    assert out.stored().lobby is not None
    check_everything(table)
    check_followers(table)


def test_a_tournament_that_is_over_is_shown_until_its_player_goes(table: Table) -> None:
    """R4.6, R7.4"""
    winner, *others = table.clients
    for other in others:
        other.leave()
    shown = winner.sync().tournament
    assert shown is not None
    assert shown.phase == "ended"
    winner.leave()
    assert winner.sync().tournament is None
    assert changes_nothing(table, winner.leave) == "not_playing"


def test_a_rating_changed_in_two_tournaments_at_once_adds_up(table: Table) -> None:
    """R5.4, R5.5: who left plays on elsewhere, and the old place is fixed in the middle of it."""
    first, *others = table.open_round(table.clients[0])
    leaver = table.find(first.player_of(1))
    leaver.leave()
    strangers = table.several("tuvwxyz")
    for client in (leaver, *strangers):
        client.join()
    for stranger in strangers:
        stranger.leave()
    assert leaver.stored().rating == 1025
    for duel in others:
        table.solve(duel)
    assert leaver.stored().rating == 1000
    assert leaver.stored().games == 2
    check_everything(table)
    play_out(table)


@pytest.mark.parametrize("plays_again", [False, True], ids=["waiting", "already in a new lobby"])
def test_whoever_left_is_told_place_and_rating_change_when_they_are_fixed(
    table: Table, plays_again: bool
) -> None:
    """R4.1, R4.6: once, at the end of the round, and nothing of the rounds that follow."""
    duel, *others = table.open_round(table.clients[0])
    leaver = table.find(duel.players[0])
    leaver.leave()
    if plays_again:
        leaver.join()
    assert leaver.all_heard(messages.RoundEnded) == []
    for other in others:
        table.solve(other)
    (ended,) = leaver.all_heard(messages.RoundEnded)
    own = next(one for one in ended.standings if one.player_id == leaver.player)
    assert (own.place, own.rating_change, own.rating) == (8, -25, 975)
    play_out(table)
    assert leaver.all_heard(messages.RoundEnded) == [ended]
