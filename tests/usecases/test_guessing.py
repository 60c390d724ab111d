"""Guesses: what they cost, when they count, and what comes at the same time."""

from datetime import timedelta
from functools import partial

import pytest

from tests.usecases.instruments import Crash
from tests.usecases.invariants import check_everything, check_followers, check_pushes
from tests.usecases.table import (
    MS,
    NEVER_HIDDEN,
    SECOND,
    Client,
    Table,
    changes_nothing,
    code_of,
    crash_after,
    once,
)
from wordle_tournament.ports import messages
from wordle_tournament.rules.duel import Duel, Outcome
from wordle_tournament.rules.ids import DuelId
from wordle_tournament.rules.refusals import Refusal


@pytest.fixture
def table() -> Table:
    table = Table()
    table.eight()
    table.open_round(table.clients[0])
    check_pushes(table)
    return table


@pytest.fixture
def duel(table: Table) -> Duel:
    return table.duel(table.clients[0])


@pytest.fixture
def on_turn(table: Table, duel: Duel) -> Client:
    return table.find(duel.player_of(1))


def wrong(duel: Duel) -> str:
    return NEVER_HIDDEN[len(duel.word)]


def test_a_guess_is_one_read_one_write_and_one_push_to_each_viewer(
    table: Table, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R3: nothing else is asked of store, push and timers, however many look on."""
    other = next(one for one in table.duels(on_turn) if one.id != duel.id)
    winner = table.solve(other)
    winner.watch()
    table.steps.taken.clear()
    table.push.sent.clear()
    on_turn.guess(duel.id, 1, wrong(duel))
    assert table.steps.taken == ["duel", "play", "send"]
    (sent,) = table.push.sent
    assert sent.keys() == {on_turn.connection, opponent.connection, winner.connection}
    assert [len(frames) for frames in sent.values()] == [1, 1, 1]


@pytest.mark.parametrize(
    ("word", "code"),
    [("zz", "wrong_length"), ("z?", "wrong_letters"), ("qqqqqq", "not_in_word_list")],
)
def test_a_refused_guess_writes_nothing_and_tells_nobody(
    table: Table, duel: Duel, on_turn: Client, word: str, code: str
) -> None:
    """R3.6"""
    typed = word if code != "not_in_word_list" else word[: len(duel.word)]
    table.steps.taken.clear()
    assert changes_nothing(table, lambda: on_turn.guess(duel.id, 1, typed)) == code
    assert table.steps.taken == ["duel"]
    on_turn.guess(duel.id, 1, wrong(duel))


def test_a_guess_of_the_wrong_length_is_told_both_lengths(duel: Duel, on_turn: Client) -> None:
    """R3.6"""
    with pytest.raises(Refusal) as refused:
        on_turn.guess(duel.id, 1, "zz")
    assert refused.value.details == {"expected": len(duel.word), "got": 2}


def test_what_a_guess_tells_is_stored_before_it_is_told(
    table: Table, duel: Duel, on_turn: Client
) -> None:
    """R3: whoever hears of a guess finds it in the store."""
    rows: list[int] = []

    def before(_: int) -> None:
        stored = table.store.duel(duel.id)
        assert stored is not None
        rows.append(len(stored.rows))

    table.steps.before = before
    on_turn.guess(duel.id, 1, wrong(duel))
    assert rows == [0, 0, 1]


@pytest.mark.parametrize("early_ms", [100, 1, 0])
def test_a_guess_received_up_to_the_deadline_counts(
    table: Table, duel: Duel, on_turn: Client, early_ms: int
) -> None:
    """R3.8: at 29.9 s, a millisecond before 30 s, and at 30.000 s."""
    assert duel.deadline is not None
    table.clock.set(duel.deadline)
    on_turn.guess(duel.id, 1, wrong(duel), duel.deadline - early_ms * MS)
    assert len(table.duel(on_turn).rows) == 1


@pytest.mark.parametrize("late_ms", [1, 2_500])
def test_a_guess_received_after_the_deadline_is_told_by_how_much(
    table: Table, duel: Duel, on_turn: Client, late_ms: int
) -> None:
    """R3.8: at 30.001 s it is too late, also while nobody has skipped the turn."""
    assert duel.deadline is not None
    received_at = duel.deadline + late_ms * MS
    before = table.everything()
    with pytest.raises(Refusal) as refused:
        on_turn.guess(duel.id, 1, wrong(duel), received_at)
    assert refused.value.code == "deadline_passed"
    assert refused.value.details == {"lateByMs": late_ms}
    assert table.everything() == before


def test_a_cold_start_costs_neither_player_time(
    table: Table, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R3.8: received in time and handled 5 s later counts; the next turn has its 30 s from then."""
    assert duel.deadline is not None
    table.clock.set(duel.deadline + 5 * SECOND)
    on_turn.guess(duel.id, 1, wrong(duel), duel.deadline)
    (told,) = opponent.all_heard(messages.GuessMade)
    assert told.received_at == duel.deadline
    assert told.next is not None
    assert told.next.deadline == table.clock.now() + 30 * SECOND


def test_a_skip_waits_for_messages_in_flight_and_then_stands(
    table: Table, duel: Duel, on_turn: Client
) -> None:
    """R3.8: a second of settling time; what is handled later still has lost its turn."""
    assert duel.deadline is not None
    table.clock.set(duel.deadline + SECOND - MS)
    table.tick(duel.tournament)
    assert table.duel(on_turn).rows == ()
    table.clock.advance(MS)
    table.tick(duel.tournament)
    assert table.duel(on_turn).rows == (None,)
    late = partial(on_turn.guess, duel.id, 1, wrong(duel), duel.deadline)
    assert changes_nothing(table, late) == "stale_turn"


def test_a_guess_that_is_written_first_beats_the_skip_of_its_turn(
    table: Table, duel: Duel, on_turn: Client
) -> None:
    """R3.8: the skip loses the condition, looks again and finds nothing to skip."""
    assert duel.deadline is not None
    table.clock.set(duel.deadline + SECOND)
    guess = partial(on_turn.guess, duel.id, 1, wrong(duel), duel.deadline)
    table.store.before_commit = once(table, guess)
    table.tick(duel.tournament)
    (row,) = table.duel(on_turn).rows
    assert row is not None
    check_followers(table)


def test_a_skip_that_is_written_first_beats_a_guess_of_its_turn(
    table: Table, duel: Duel, on_turn: Client
) -> None:
    """R3.8: the guess loses the condition, looks again and is refused."""
    assert duel.deadline is not None
    table.clock.set(duel.deadline + SECOND)
    table.store.before_commit = once(table, partial(table.tick, duel.tournament))
    late = partial(on_turn.guess, duel.id, 1, wrong(duel), duel.deadline)
    assert code_of(late) == "stale_turn"
    assert table.duel(on_turn).rows == (None,)
    check_followers(table)


def test_the_same_guess_delivered_twice_is_one_guess_with_two_answers(
    table: Table, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R3.9: the repeat is answered to the sender alone and changes nothing."""
    on_turn.guess(duel.id, 1, wrong(duel))
    before = table.everything()
    opponent.take()
    on_turn.guess(duel.id, 1, wrong(duel).upper())
    assert table.everything() == before
    first, again = on_turn.all_heard(messages.GuessMade)
    assert first == again
    assert opponent.take() == []


def test_the_same_guess_delivered_twice_at_the_same_instant_is_one_guess(
    table: Table, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R3.9: whichever delivery loses the condition finds its own row."""
    again = partial(on_turn.guess, duel.id, 1, wrong(duel))
    table.store.before_commit = once(table, again)
    on_turn.guess(duel.id, 1, wrong(duel))
    assert len(table.duel(on_turn).rows) == 1
    assert len(opponent.all_heard(messages.GuessMade)) == 1
    assert len(on_turn.all_heard(messages.GuessMade)) == 2


def test_a_repeat_after_the_opponents_turn_is_still_answered(
    table: Table, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R3.9: an answer lost on the way can be asked for later."""
    on_turn.guess(duel.id, 1, wrong(duel))
    opponent.guess(duel.id, 2, wrong(duel))
    on_turn.guess(duel.id, 1, wrong(duel))
    assert on_turn.answer(messages.GuessMade).turn == 1
    assert len(table.duel(on_turn).rows) == 2


def test_another_guess_for_a_turn_used_is_stale(table: Table, duel: Duel, on_turn: Client) -> None:
    """R3.9: only the same word is a repeat."""
    on_turn.guess(duel.id, 1, wrong(duel))
    another = partial(on_turn.guess, duel.id, 1, duel.word)
    assert changes_nothing(table, another) == "stale_turn"


def test_whoever_solves_the_word_hears_guess_and_end_and_so_does_everybody_who_looks_on(
    table: Table, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R3.4, R3.10"""
    on_turn.guess(duel.id, 1, duel.word)
    for client in (on_turn, opponent):
        made, ended = client.heard()[-2:]
        assert isinstance(made, messages.GuessMade)
        assert isinstance(ended, messages.DuelEnded)
        assert (made.next, ended.outcome, ended.winner) == (None, Outcome.SOLVED, on_turn.player)
        assert (ended.word, ended.version) == (duel.word, made.version + 1)


def test_a_solving_guess_sent_again_after_a_crash_tells_the_end_and_ends_the_round(
    table: Table, duel: Duel, on_turn: Client
) -> None:
    """R3.9: the first delivery died just after its write; nobody else has heard of it."""
    for other in table.duels(on_turn):
        if other.id != duel.id:
            table.solve(other)
    table.steps.taken.clear()
    table.steps.before = crash_after(table, "play")
    with pytest.raises(Crash):
        on_turn.guess(duel.id, 1, duel.word)
    table.steps.before = None
    assert table.tournament(on_turn).round == 1
    on_turn.guess(duel.id, 1, duel.word)
    assert len(on_turn.all_heard(messages.DuelEnded)) == 1
    assert table.tournament(on_turn).round == 2


def test_two_duels_of_a_round_that_end_together_settle_the_roundonce(table: Table) -> None:
    """R1.2, R5.5: each sees the other one running, or over, and one of them settles."""
    first, second, *others = table.duels(table.clients[0])
    for other in others:
        table.solve(other)
    table.store.before_commit = once(table, partial(table.solve, second))
    table.solve(first)
    assert table.tournament(table.clients[0]).round == 2
    for client in table.clients:
        assert len(client.all_heard(messages.RoundEnded)) == 1
    check_everything(table)
    check_followers(table)


def test_the_sixth_miss_of_both_is_a_draw_that_costs_both_a_life(
    table: Table, duel: Duel, on_turn: Client, opponent: Client
) -> None:
    """R1.1, R3.5"""
    for other in table.duels(on_turn):
        if other.id != duel.id:
            table.solve(other)
    for turn in range(1, 13):
        (on_turn, opponent)[(turn - 1) % 2].guess(duel.id, turn, wrong(duel))
    assert on_turn.all_heard(messages.DuelEnded)[-1].outcome is Outcome.DRAW
    tournament = table.tournament(on_turn)
    assert [tournament.entrant(one).lives for one in duel.players] == [2, 2]


@pytest.mark.parametrize(
    "code", ["no_such_duel", "not_your_duel", "not_your_turn", "stale_turn", "duel_over"]
)
def test_guesses_that_belong_to_no_turn_of_ones_own_change_nothing(
    table: Table, duel: Duel, on_turn: Client, opponent: Client, code: str
) -> None:
    """R3.1, R3.6"""
    other = next(one for one in table.duels(on_turn) if one.id != duel.id)
    command = {
        "no_such_duel": lambda: on_turn.guess(DuelId("no.such.duel"), 1, wrong(duel)),
        "not_your_duel": lambda: on_turn.guess(other.id, 1, wrong(other)),
        "not_your_turn": lambda: opponent.guess(duel.id, 2, wrong(duel)),
        "stale_turn": lambda: opponent.guess(duel.id, 0, wrong(duel)),
        "duel_over": lambda: opponent.guess(duel.id, 2, wrong(duel)),
    }[code]
    if code == "duel_over":
        on_turn.guess(duel.id, 1, duel.word)
    assert changes_nothing(table, command) == code


def test_nobody_can_guess_during_the_intro() -> None:
    """R1.3"""
    table = Table()
    first, *_ = table.eight()
    duel = table.duel(first)
    beginner = table.find(duel.player_of(1))
    assert changes_nothing(table, lambda: table.miss(duel)) == "not_started"
    table.pass_time(timedelta(seconds=6))
    beginner.guess(duel.id, 1, wrong(duel))


def test_a_guess_that_keeps_losing_asks_to_try_again_and_changes_nothing(
    table: Table, duel: Duel, on_turn: Client
) -> None:
    """R3: a busy conflict is an answer, not a crash."""

    def always(_: object) -> None:
        stored = table.store.duel(duel.id)
        assert stored is not None
        table.store.play(stored, stored)

    table.store.before_commit = always
    assert code_of(lambda: on_turn.guess(duel.id, 1, wrong(duel))) == "try_again"
    assert table.duel(on_turn).rows == ()
    assert table.clock.pauses == list(range(10))
