"""Finding a lobby, leaving it, and the start of a tournament."""

import pytest

from tests.usecases.invariants import check_everything, check_followers
from tests.usecases.table import (
    SECOND,
    Table,
    changes_nothing,
    code_of,
    once,
)
from wordle_tournament.adapters.memory_outside import RoundClock
from wordle_tournament.ports import messages
from wordle_tournament.rules.tournament import Tournament


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_lobby_is_told_to_all_in_it_with_every_seat_taken(table: Table) -> None:
    """R6.1: the joiner gets it as the answer, at the version at which all others hear it."""
    ann, bob, cleo = table.several("abc")
    for client in (ann, bob, cleo):
        client.join()
    told = [message.lobby for message in ann.all_heard(messages.LobbyChanged)]
    assert [(lobby.version, len(lobby.players)) for lobby in told] == [(1, 1), (2, 2), (3, 3)]
    assert cleo.answer(messages.LobbyChanged).lobby == told[-1]
    assert (told[-1].seats, told[-1].rating_window) == (8, 200)


def test_the_eighth_seat_starts_a_tournament_by_itself(table: Table) -> None:
    """R6.4: eight hear of the full lobby, the tournament and its first round, in this order."""
    clients = table.eight()
    for client in clients:
        *_, lobby, started, intro = client.heard()
        assert isinstance(lobby, messages.LobbyChanged)
        assert len(lobby.lobby.players) == 8
        assert isinstance(started, messages.TournamentStarted)
        assert isinstance(intro, messages.RoundIntro)
        assert (started.tournament.version, intro.version) == (1, 2)
        assert intro.ends_at == table.clock.now() + 6 * SECOND
    tournament = table.tournament(clients[0])
    assert table.timers.started == [RoundClock(tournament.id, 1, table.clock.now() + 6 * SECOND)]
    check_everything(table)
    check_followers(table)


def test_a_ninth_who_asks_at_the_same_instant_waits_in_a_new_lobby(table: Table) -> None:
    """R6.4: there is never a ninth seat, and one tournament starts, once."""
    for client in table.several("abcdefg"):
        client.join()
    eighth, ninth = table.several("hi")
    table.store.before_commit = once(table, eighth.join)
    ninth.join()
    assert ninth.stored().lobby is not None
    assert len(table.store.all_of(Tournament)) == 1
    assert len(ninth.answer(messages.LobbyChanged).lobby.players) == 1
    check_everything(table)
    check_followers(table)


def test_two_who_ask_at_the_same_instant_open_one_lobby(table: Table) -> None:
    """R6.3"""
    ann, bob = table.several("ab")
    table.store.before_commit = once(table, ann.join)
    bob.join()
    (lobby,) = table.store.room("en").lobbies
    assert set(lobby.players) == {"a", "b"}


def test_whoever_is_201_points_away_waits_elsewhere(table: Table) -> None:
    """R6.2: 200 is inside."""
    for name, rating in (("a", 1000), ("b", 1200), ("c", 1201)):
        table.client(name, rating).join()
    lobbies = table.store.room("en").lobbies
    assert [lobby.players for lobby in lobbies] == [("a", "b"), ("c",)]


def test_joining_again_is_answered_with_the_lobby_and_told_to_nobody_else(table: Table) -> None:
    """R6.4: a repeat of the message, not an error."""
    ann, bob = table.several("ab")
    ann.join()
    bob.join()
    ann.take()
    before = table.everything()
    bob.join()
    assert table.everything() == before
    assert bob.answer(messages.LobbyChanged).lobby.version == 2
    assert ann.take() == []


def test_whoever_is_in_a_lobby_or_a_tournament_is_in_no_second_one(table: Table) -> None:
    """R6.4"""
    ann = table.client("a")
    ann.join()
    assert changes_nothing(table, lambda: ann.join("de")) == "already_playing"
    first, *_ = table.eight()
    assert changes_nothing(table, first.join) == "already_playing"


def test_nobody_plays_in_a_language_that_is_not_there(table: Table) -> None:
    """R9.1"""
    ann = table.client("a")
    assert changes_nothing(table, lambda: ann.join("tlh")) == "unknown_language"


def test_leaving_a_lobby_gives_the_seat_to_the_next(table: Table) -> None:
    """R6.5: without penalty, and the others are told."""
    ann, bob, cleo = table.several("abc")
    for client in (ann, bob):
        client.join()
    bob.leave()
    assert bob.answer(messages.Left).origin == "lobby"
    assert [one.player_id for one in ann.all_heard(messages.LobbyChanged)[-1].lobby.players] == [
        "a"
    ]
    cleo.join()
    assert bob.stored().seat is None
    check_everything(table)
    check_followers(table)


def test_whoever_leaves_in_the_instant_of_the_start_has_left_a_lobby_if_that_was_first(
    table: Table,
) -> None:
    """R6.5: what decides is which was written first; the eighth then waits."""
    seven = table.several("abcdefg")
    for client in seven:
        client.join()
    eighth = table.client("h")
    table.store.before_commit = once(table, seven[0].leave)
    eighth.join()
    assert table.store.all_of(Tournament) == []
    assert len(table.store.room("en").lobbies[0].players) == 7
    check_everything(table)
    check_followers(table)


def test_whoever_leaves_in_the_instant_of_the_start_has_left_the_tournament_if_that_was_first(
    table: Table,
) -> None:
    """R4.2, R6.5"""
    leaver, *others = table.several("abcdefg")
    for client in (leaver, *others):
        client.join()
    eighth = table.client("h")
    table.store.before_commit = once(table, eighth.join)
    leaver.leave()
    assert leaver.answer(messages.Left).origin == "tournament"
    assert table.tournament(eighth).entrant(leaver.player).left
    check_everything(table)
    check_followers(table)


def test_leave_and_join_sent_without_waiting_leave_no_seat_behind(table: Table) -> None:
    """R6.4, R6.6: the leave looks again when the join of the same player was faster."""
    first, *_ = table.eight()
    out = table.find(table.open_round(first)[0].player_of(2))
    table.set_lives(first, {out.player: 1})
    for duel in table.duels(first):
        table.solve(duel)

    def before(taken: int) -> None:
        if table.steps.taken[-1:] == ["duels"]:
            table.steps.before = None
            out.join()

    table.steps.before = before
    table.steps.taken.clear()
    out.leave()
    check_everything(table)


def test_leaving_twice_is_leaving_once(table: Table) -> None:
    """R6.5: the repeat finds nothing to leave."""
    ann = table.client("a")
    ann.join()
    ann.leave()
    assert changes_nothing(table, ann.leave) == "not_playing"


def test_a_join_that_keeps_losing_asks_to_try_again(table: Table) -> None:
    """R6.3: a conflict is no full lobby: it is tried again ten times before."""
    ann, bob = table.several("ab")

    def always(_: object) -> None:
        (bob.leave if bob.stored().lobby else bob.join)()

    table.store.before_commit = always
    assert code_of(ann.join) == "try_again"
    assert len(table.clock.pauses) == 10
    check_everything(table)
