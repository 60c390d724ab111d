"""The connection is lost: noticed, told, waited for, and what follows when nobody returns."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.functions.connections.lambda_table import LambdaTable, outcome_of
from tests.usecases.invariants import check_everything, check_followers, play_out
from tests.usecases.table import MINUTE, MS, NEVER_HIDDEN, SECOND, Client
from wordle_tournament.adapters.memory_outside import Grace
from wordle_tournament.ports import messages
from wordle_tournament.rules.duel import Duel, Outcome
from wordle_tournament.rules.tournament import Tournament
from wordle_tournament.wire.incoming import ACTIONS

Loss = Callable[[LambdaTable, Duel, Client], None]


def lose_by_goodbye(_table: LambdaTable, _duel: Duel, client: Client) -> None:
    client.disconnect()


def lose_by_push(table: LambdaTable, duel: Duel, client: Client) -> None:
    """Only the event of the opponent's guess finds out."""
    client.vanish()
    table.miss(duel)


@pytest.mark.parametrize("lose", [lose_by_goodbye, lose_by_push])
def test_a_goodbye_and_a_push_that_finds_the_connection_gone_are_the_same_loss(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client, lose: Loss
) -> None:
    """R7.2: one loss, one timer of 60 s, and the other seven are told and lose nothing."""
    lose(table, duel, opponent)
    back_by = table.clock.now() + MINUTE
    assert opponent.stored().connection is None
    assert opponent.stored().losses == 1
    assert table.timers.waiting[Grace(opponent.player, 1)] == back_by
    for client in table.clients:
        if client is not opponent:
            (told,) = client.all_heard(messages.PlayerDisconnected)
            assert (told.player_id, told.back_by) == (opponent.player, back_by)
    check_everything(table)
    check_followers(table)


def test_a_goodbye_after_the_push_that_found_out_is_no_second_loss(
    table: LambdaTable, duel: Duel, opponent: Client
) -> None:
    """R7.3"""
    lose_by_push(table, duel, opponent)
    before = table.everything()
    opponent.say_goodbye(opponent.connection)
    assert table.everything() == before


def test_one_dead_connection_of_eight_keeps_nothing_from_the_other_seven(
    table: LambdaTable, eight: list[Client]
) -> None:
    """R7.2: rounds, turns and places go on as if it were there."""
    dead, *others = eight
    dead.vanish()
    for duel in table.open_round(others[0]):
        if duel.player_of(1) != dead.player:
            table.solve(duel)
    check_followers(table)
    play_out(table)
    assert table.entrant(dead).left
    for client in others:
        assert len(client.all_heard(messages.PlayerDisconnected)) == 1
        assert len(client.all_heard(messages.PlayerLeft)) == 1
    check_followers(table)


def test_the_turns_of_whoever_is_gone_are_skipped(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R7.2, R3.3"""
    on_turn.disconnect()
    table.pass_time(32 * SECOND)
    (told,) = opponent.all_heard(messages.TurnSkipped)
    assert (told.turn, told.player_id) == (1, on_turn.player)
    assert not table.entrant(on_turn).left


def test_back_after_59_seconds_nothing_is_lost(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R7.2: board, turn and time left are shown, and the timer that still runs does nothing."""
    table.miss(duel)
    on_turn.disconnect()
    table.pass_time(59 * SECOND - MS)
    (shown,) = on_turn.come_back().duels
    stored = table.duel(opponent)
    assert (shown.turn, shown.deadline) == (3, stored.deadline)
    assert [row.skipped for row in shown.rows] == [False, True]
    assert opponent.all_heard(messages.PlayerReconnected)[-1].player_id == on_turn.player
    assert Grace(on_turn.player, 1) in table.timers.waiting
    table.pass_time(2 * SECOND)
    assert Grace(on_turn.player, 1) not in table.timers.waiting
    assert not table.entrant(on_turn).left
    check_everything(table)
    check_followers(table)


def test_back_after_61_seconds_the_player_has_left(
    table: LambdaTable, on_turn: Client, opponent: Client
) -> None:
    """R7.2, R4.2: the opponent has won since the sixtieth second, and keeps all lives."""
    on_turn.disconnect()
    table.pass_time(60 * SECOND - MS)
    assert not table.entrant(on_turn).left
    table.pass_time(MS)
    assert table.entrant(on_turn).left
    (ended,) = opponent.all_heard(messages.DuelEnded)
    assert (ended.outcome, ended.winner) == (Outcome.LEFT, opponent.player)
    table.pass_time(SECOND - MS)
    welcome = on_turn.come_back()
    assert (welcome.tournament, welcome.duels) == (None, ())
    assert table.entrant(opponent).lives == 3
    check_everything(table)
    check_followers(table)


def test_hello_after_61_seconds_is_no_way_round_a_late_timer(
    table: LambdaTable, on_turn: Client, opponent: Client
) -> None:
    """R7.2"""
    on_turn.disconnect()
    table.clock.advance(61 * SECOND)
    assert on_turn.come_back().tournament is None
    assert opponent.all_heard(messages.PlayerLeft)[-1].player_id == on_turn.player
    check_everything(table)


def test_a_second_loss_has_60_seconds_of_its_own_and_the_first_timer_does_nothing(
    table: LambdaTable, on_turn: Client
) -> None:
    """R7.2"""
    on_turn.disconnect()
    table.pass_time(40 * SECOND)
    on_turn.come_back()
    on_turn.disconnect()
    table.clock.advance(59 * SECOND)
    before = table.everything()
    assert table.wake(Grace(on_turn.player, 1)) is None
    assert table.everything() == before
    table.pass_time(SECOND)
    assert table.entrant(on_turn).left
    check_everything(table)


def test_a_grace_timer_one_second_early_waits_until_the_60_seconds_are_over(
    table: LambdaTable, on_turn: Client
) -> None:
    """R7.2: to the next whole second, as timers know no other."""
    on_turn.disconnect()
    back_by = table.clock.now() + MINUTE
    table.clock.advance(59 * SECOND)
    again_at = table.wake(Grace(on_turn.player, 1))
    assert again_at is not None
    assert back_by <= again_at < back_by + SECOND
    assert not table.entrant(on_turn).left


@pytest.mark.parametrize("late", [0 * SECOND, 10 * MINUTE], ids=["in time", "ten minutes late"])
def test_a_grace_timer_that_comes_twice_lets_the_player_go_once(
    table: LambdaTable, on_turn: Client, opponent: Client, late: timedelta
) -> None:
    """R7.2, R4.2"""
    on_turn.disconnect()
    table.clock.advance(MINUTE + late)
    for _ in range(2):
        assert table.wake(Grace(on_turn.player, 1)) is None
    assert len(opponent.all_heard(messages.PlayerLeft)) == 1
    check_everything(table)
    check_followers(table)


def test_a_loss_during_the_intro_is_made_good_before_the_first_turn(
    table: LambdaTable, eight: list[Client]
) -> None:
    """R7.2, R1.3: the return shows what is left of the intro."""
    gone = eight[0]
    ends_at = table.tournament(gone).intro_ends_at
    gone.disconnect()
    table.pass_time(3 * SECOND)
    welcome = gone.come_back()
    assert welcome.tournament is not None
    assert welcome.tournament.intro_ends_at == ends_at
    table.open_round(gone)
    (told,) = gone.all_heard(messages.DuelStarted)
    assert told.duel.duel_id == table.duel(gone).id
    check_followers(table)


def test_a_loss_during_the_intro_that_is_not_made_good_skips_and_then_loses(
    table: LambdaTable, eight: list[Client]
) -> None:
    """R7.2, R4.2"""
    gone, opponent = map(table.find, table.duel(eight[0]).players)
    gone.disconnect()
    table.pass_time(59 * SECOND)
    assert opponent.all_heard(messages.TurnSkipped)[0].player_id == gone.player
    assert opponent.all_heard(messages.DuelEnded) == []
    table.pass_time(SECOND)
    assert opponent.all_heard(messages.DuelEnded)[-1].winner == opponent.player
    check_everything(table)
    check_followers(table)


def test_a_loss_with_a_bye_counts_as_having_left_after_60_seconds(
    table: LambdaTable, eight: list[Client]
) -> None:
    """R4.2: though no duel is running for the player."""
    eight[7].leave()
    for duel in table.open_round(eight[0]):
        if not duel.over:
            table.solve(duel)
    bye = table.tournament(eight[0]).pairing.bye
    assert bye is not None
    resting = table.find(bye)
    resting.disconnect()
    table.pass_time(MINUTE)
    assert table.entrant(resting).left
    for duel in table.duels(eight[0] if resting is not eight[0] else eight[1]):
        table.find(duel.player_of(duel.turn)).guess(duel.id, duel.turn, duel.word)
    assert table.entrant(resting).place == 7
    check_everything(table)
    check_followers(table)


def test_a_loss_after_ones_own_duel_counts_in_the_same_round(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R4.2: the duel that was won stays won; the winner is out all the same."""
    table.solve(duel)
    on_turn.disconnect()
    table.pass_time(MINUTE)
    assert table.entrant(on_turn).left
    for other in table.duels(opponent):
        if not other.over:
            table.solve(other)
    assert table.entrant(on_turn).place == 8
    assert table.entrant(opponent).lives == 2
    check_everything(table)
    check_followers(table)


def test_a_loss_in_the_last_duel_gives_the_tournament_to_the_other(
    table: LambdaTable, eight: list[Client]
) -> None:
    """R4.5, R7.2"""
    first, second, *others = eight
    for client in others:
        client.leave()
    for duel in table.open_round(first):
        if not duel.over:
            table.solve(duel)
    if table.only_tournament().round == 2:
        table.open_round(first)
    first.disconnect()
    table.pass_time(MINUTE)
    assert table.only_tournament().over
    assert table.entrant(second).place == 1
    assert second.all_heard(messages.TournamentEnded)
    check_everything(table)


def test_both_players_of_a_duel_gone_share_the_last_place(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R4.3: their duel ends though nobody is there to win it."""
    on_turn.disconnect()
    opponent.disconnect()
    table.pass_time(MINUTE)
    for other in table.store.duels(duel.tournament, 1):
        if not other.over:
            table.solve(other)
    assert [table.entrant(one).place for one in (on_turn, opponent)] == [7, 7]
    check_everything(table)
    check_followers(table)


@pytest.mark.parametrize("told", [True, False], ids=["told", "found out by pushes"])
def test_when_all_eight_are_gone_the_tournament_ends_with_each_placed_and_rated_once(
    table: LambdaTable, duel: Duel, told: bool
) -> None:
    """R4.4, R5.5"""
    for client in table.clients:
        if told:
            client.disconnect()
        else:
            client.vanish()
    table.pass_time(3 * MINUTE)
    tournament = table.only_tournament()
    assert tournament.over
    assert all(entrant.place is not None for entrant in tournament.entrants)
    assert [client.stored().games for client in table.clients] == [1] * 8
    assert table.timers.waiting == {}
    check_everything(table)


def test_when_all_eight_are_gone_and_no_timer_works_the_sweep_ends_the_tournament(
    table: LambdaTable, duel: Duel
) -> None:
    """R4.4, R5.5"""
    table.timers.failing = True
    for timer in table.timers.waiting:
        table.timers.lose(timer)
    for client in table.clients:
        client.disconnect()
    play_out(table)
    assert [client.stored().games for client in table.clients] == [1] * 8


def test_a_seat_in_a_lobby_is_given_back_at_once_and_the_player_told_on_return(
    table: LambdaTable,
) -> None:
    """R6.5"""
    ann, bob = table.several("ab")
    ann.join()
    bob.join()
    bob.disconnect()
    assert [one.player_id for one in ann.all_heard(messages.LobbyChanged)[-1].lobby.players] == [
        ann.player
    ]
    assert table.timers.started == []
    assert bob.come_back().lobby is None
    (told,) = bob.all_heard(messages.LobbyLeft)
    assert told.reason == "disconnected"
    check_everything(table)
    check_followers(table)


@pytest.mark.parametrize("by_push", [False, True], ids=["goodbye", "push"])
def test_a_loss_in_a_lobby_one_second_before_it_fills(table: LambdaTable, by_push: bool) -> None:
    """R6.5, R7.2: known, the seat is free and an eighth is missing; unknown, it still counts."""
    seven = table.several("abcdefg")
    for client in seven:
        client.join()
    gone = seven[0]
    if by_push:
        gone.vanish()
    else:
        gone.disconnect()
    table.clock.advance(SECOND)
    eighth = table.client("h")
    eighth.join()
    if by_push:
        assert table.entrant(gone).back_by == table.clock.now() + MINUTE
        assert eighth.all_heard(messages.PlayerDisconnected)[-1].player_id == gone.player
        table.pass_time(MINUTE)
        assert table.entrant(gone).left
    else:
        assert table.store.all_of(Tournament) == []
        assert gone.come_back().lobby is None
        gone.join()
        assert len(table.only_tournament().entrants) == 8
    check_everything(table)
    check_followers(table)


def test_whoever_is_out_loses_nothing_by_losing_the_connection(
    table: LambdaTable, duel: Duel, opponent: Client
) -> None:
    """R7.5: no timer, nothing told, and the place stays."""
    table.set_lives(opponent, {opponent.player: 1})
    for each in table.duels(opponent):
        table.solve(each)
    before = table.only_tournament()
    opponent.disconnect()
    assert table.only_tournament() == before
    assert Grace(opponent.player, 1) not in table.timers.started
    table.pass_time(5 * MINUTE)
    welcome = opponent.come_back()
    assert welcome.tournament is not None
    assert welcome.profile.games == 1
    check_everything(table)
    check_followers(table)


def fields_of(action: str, duel: Duel, client: Client) -> dict[str, object]:
    """What an action must hold to be read."""
    word = NEVER_HIDDEN[len(duel.word)]
    fields: dict[str, dict[str, object]] = {
        "hello": {"protocol": 1},
        "rename": {"nickname": "Ann"},
        "join": {"language": "en"},
        "guess": {"duelId": duel.id, "turn": 1, "word": word},
        "createGroup": {"language": "en"},
        "joinGroup": {"code": "nowhere"},
        "removeFromGroup": {"playerId": client.player},
        "setGroupLanguage": {"language": "de"},
    }
    return fields.get(action, {})


@pytest.mark.parametrize("action", [model.action for model in ACTIONS])
def test_a_message_handled_after_its_own_goodbye_leaves_nobody_connected(
    table: LambdaTable, duel: Duel, on_turn: Client, action: str
) -> None:
    """R7.2: done or refused, its answer arrives nowhere, and the grace goes on or starts anew."""
    on_turn.disconnect()
    outcome_of(on_turn, action, **fields_of(action, duel, on_turn))
    stored = on_turn.stored()
    assert stored.connection is None
    if action != "leave":
        assert table.entrant(on_turn).back_by is not None
        assert Grace(on_turn.player, stored.losses) in table.timers.waiting
        table.pass_time(MINUTE)
    assert table.entrant(on_turn).left
    check_everything(table)
    check_followers(table)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("join", "already_playing"),
        ("watch", "still_playing"),
        ("joinGroup", "no_such_group"),
        ("setGroupLanguage", "not_in_group"),
        ("startGroup", "not_in_group"),
    ],
)
def test_a_refusal_after_the_own_goodbye_is_a_loss_again(
    table: LambdaTable, duel: Duel, on_turn: Client, opponent: Client, action: str, code: str
) -> None:
    """R7.2: the message took the connection; that its refusal went nowhere takes it away."""
    on_turn.disconnect()
    fields = fields_of(action, duel, on_turn)
    assert outcome_of(on_turn, action, **fields) == code
    assert on_turn.stored().losses == 2
    assert len(opponent.all_heard(messages.PlayerReconnected)) == 1
    assert len(opponent.all_heard(messages.PlayerDisconnected)) == 2
