"""A duel: turns, guesses, refusals, skipping and its end (R3, R4.2)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.examples import ANNE, BEN, CLEO, MS, NOW, SECOND, SETTLE, TURN
from tests.rules.examples import running_duel as running
from tests.rules.examples import waiting_duel as waiting
from wordle_tournament.rules.duel import (
    Duel,
    DuelEnded,
    DuelEvent,
    DuelPhase,
    DuelStarted,
    Ending,
    Guess,
    GuessScored,
    Outcome,
    Row,
    TurnSkipped,
    apply,
    apply_all,
    decide_guess,
    end_for_leavers,
    expire,
    find_repeat,
    start,
    version_of_row,
)
from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.rules.refusals import Code, Refusal

ALLOWED = frozenset({"crane", "slate", "naive", "rates"})
DEADLINE = NOW + TURN


def _decide(
    duel: Duel,
    player: PlayerId,
    word: str,
    *,
    turn: int | None = None,
    received_at: datetime = NOW + SECOND,
    now: datetime | None = None,
) -> tuple[DuelEvent, ...]:
    guess = Guess(player, duel.turn if turn is None else turn, word, received_at)
    return decide_guess(
        duel, guess, now or received_at, turn_time=TURN, allows=ALLOWED.__contains__
    )


def _expire(duel: Duel, now: datetime) -> tuple[DuelEvent, ...]:
    return expire(duel, now, settle_time=SETTLE, turn_time=TURN)


def _refusal(
    duel: Duel,
    player: PlayerId,
    word: str,
    *,
    turn: int | None = None,
    received_at: datetime = NOW + SECOND,
) -> Refusal:
    with pytest.raises(Refusal) as refused:
        _decide(duel, player, word, turn=turn, received_at=received_at)
    return refused.value


def _ended(duel: Duel, outcome: Outcome = Outcome.DRAW) -> Duel:
    return apply(duel, DuelEnded(Ending(outcome)))


def test_the_first_turn_lasts_30_seconds_from_the_start() -> None:
    """R3.2"""
    duel = apply_all(waiting(), start(waiting(), NOW, TURN))

    assert (duel.phase, duel.deadline) == (DuelPhase.RUNNING, NOW + timedelta(seconds=30))
    assert (duel.turn, duel.player_of(1), duel.version) == (1, ANNE, 1)


@given(st.lists(st.sampled_from(["slate", None]), max_size=12))
def test_turns_alternate_whatever_is_skipped(rows: list[str | None]) -> None:
    """R3.1, R3.3"""
    duel = running(rows)

    assert [duel.player_of(turn) for turn in range(1, 13)] == [ANNE, BEN] * 6
    assert duel.turn == len(rows) + 1


def test_each_of_two_players_is_the_opponent_of_the_other() -> None:
    """R3.1"""
    assert (waiting().opponent_of(ANNE), waiting().opponent_of(BEN)) == (BEN, ANNE)


@given(st.lists(st.booleans(), min_size=12, max_size=12))
def test_a_board_holds_twelve_rows_six_of_each_and_is_then_drawn(guesses: list[bool]) -> None:
    """R3.2, R3.3, R3.5: however many of them were skipped."""
    duel = running()
    now = NOW
    for turn, guessed in enumerate(guesses, start=1):
        assert (duel.over, duel.turn, duel.deadline) == (False, turn, now + TURN)
        player = duel.player_of(turn)
        if guessed:
            now += 7 * SECOND
            events = _decide(duel, player, "slate", received_at=now)
        else:
            now += TURN + SETTLE
            events = _expire(duel, now)
        duel = apply_all(duel, events)
        assert duel.version == version_of_row(turn) + duel.over

    assert [duel.player_of(turn) for turn in range(1, duel.turn)] == [ANNE, BEN] * 6
    assert (duel.phase, duel.ending, duel.deadline) == (
        DuelPhase.ENDED,
        Ending(Outcome.DRAW),
        None,
    )


@pytest.mark.parametrize("turn", range(1, 13))
def test_whoever_solves_the_word_wins_whatever_the_turn(turn: int) -> None:
    """R3.4: in the very last turn, too, it is a win and no draw."""
    duel = running([None] * (turn - 1))
    player = (ANNE, BEN)[(turn - 1) % 2]

    events = _decide(duel, player, "crane")

    assert events == (
        GuessScored(turn, player, Row("crane", NOW + SECOND), deadline=None),
        DuelEnded(Ending(Outcome.SOLVED, winner=player)),
    )
    assert apply_all(duel, events).over


def test_a_wrong_guess_passes_the_turn_with_all_its_time() -> None:
    """R3.2: the opponent's 30 seconds run from now, not from the receipt."""
    received_at, now = NOW + 10 * SECOND, NOW + 15 * SECOND

    events = _decide(running(), ANNE, "slate", received_at=received_at, now=now)

    assert events == (GuessScored(1, ANNE, Row("slate", received_at), deadline=now + TURN),)


def test_a_guess_is_kept_in_its_canonical_spelling() -> None:
    """R9.4"""
    duel = apply_all(running(), _decide(running(), ANNE, " NAÏVE "))

    assert duel.rows == (Row("naive", NOW + SECOND),)


def test_a_word_may_be_guessed_again() -> None:
    """R3.9"""
    duel = running(["slate", "slate"])

    (event,) = _decide(duel, ANNE, "slate")

    assert isinstance(event, GuessScored)


@pytest.mark.parametrize(
    ("duel", "player", "word", "turn", "code", "details"),
    [
        pytest.param(_ended(running()), ANNE, "slate", 1, Code.DUEL_OVER, None, id="over"),
        pytest.param(
            _ended(waiting(), Outcome.LEFT), ANNE, "slate", 1, Code.DUEL_OVER, None,
            id="over before it began",
        ),
        pytest.param(waiting(), ANNE, "slate", 1, Code.NOT_STARTED, None, id="intro"),
        pytest.param(
            running(["slate", None]), ANNE, "crane", 1, Code.STALE_TURN, {"turn": 1, "now": 3},
            id="own turn already used",
        ),
        pytest.param(
            running([None, None]), ANNE, "crane", 1, Code.STALE_TURN, {"turn": 1, "now": 3},
            id="own turn skipped",
        ),
        pytest.param(
            running(["slate"]), ANNE, "crane", 2, Code.NOT_YOUR_TURN, {"turn": 2},
            id="the opponent's turn",
        ),
        pytest.param(
            running(["slate"]), ANNE, "crane", 3, Code.NOT_YOUR_TURN, {"turn": 2},
            id="own turn to come",
        ),
        pytest.param(
            running(), ANNE, "crane", 3, Code.NOT_YOUR_TURN, {"turn": 1}, id="a turn ahead"
        ),
        pytest.param(
            running(), CLEO, "crane", 1, Code.NOT_YOUR_TURN, {"turn": 1}, id="a stranger"
        ),
        pytest.param(running(), ANNE, "cr@ne", 1, Code.WRONG_LETTERS, None, id="a symbol"),
        pytest.param(running(), ANNE, "кrane", 1, Code.WRONG_LETTERS, None, id="a foreign letter"),
        pytest.param(
            running(), ANNE, " ", 1, Code.WRONG_LENGTH, {"expected": 5, "got": 0}, id="nothing"
        ),
        pytest.param(
            running(), ANNE, "cranes", 1, Code.WRONG_LENGTH, {"expected": 5, "got": 6}, id="long"
        ),
        pytest.param(
            running(), ANNE, "cran", 1, Code.WRONG_LENGTH, {"expected": 5, "got": 4}, id="short"
        ),
        pytest.param(running(), ANNE, "zzzzz", 1, Code.NOT_IN_WORD_LIST, None, id="no word"),
    ],
)  # fmt: skip
def test_a_guess_against_the_rules_is_refused_with_its_code(
    duel: Duel,
    player: PlayerId,
    word: str,
    turn: int,
    code: Code,
    details: dict[str, int] | None,
) -> None:
    """R1.3, R3.1, R3.6"""
    refusal = _refusal(duel, player, word, turn=turn)

    assert (refusal.code, refusal.details) == (code, details)
    assert duel.word not in refusal.message


DEFECTS = (
    Code.DUEL_OVER,
    Code.NOT_STARTED,
    Code.STALE_TURN,
    Code.NOT_YOUR_TURN,
    Code.DEADLINE_PASSED,
    Code.WRONG_LETTERS,
    Code.WRONG_LENGTH,
    Code.NOT_IN_WORD_LIST,
)


@given(st.sets(st.sampled_from(DEFECTS), min_size=1))
def test_of_several_refusals_the_first_in_their_order_is_told(defects: set[Code]) -> None:
    """R3.6: the state of the duel first, then whose turn, then the time, then the word."""
    duel = running(["slate", "slate"])
    player, turn = duel.player_of(3), 3
    if Code.STALE_TURN in defects:
        turn = 1
    if Code.NOT_YOUR_TURN in defects:
        player = BEN
    if Code.NOT_STARTED in defects:
        duel = replace(duel, phase=DuelPhase.WAITING, deadline=None)
    if Code.DUEL_OVER in defects:
        duel = _ended(duel)
    late_by = 5 * MS if Code.DEADLINE_PASSED in defects else -5 * MS
    word = "zzzz" if Code.WRONG_LENGTH in defects else "slate"
    if Code.NOT_IN_WORD_LIST in defects:
        word = word.replace("slate", "zzzzz")
    if Code.WRONG_LETTERS in defects:
        word = word[:-1] + "?"

    refusal = _refusal(duel, player, word, turn=turn, received_at=DEADLINE + late_by)

    assert refusal.code is min(defects, key=DEFECTS.index)


@pytest.mark.parametrize("word", ["crane", "slate", "zzzzz", "????", ""])
def test_a_used_turn_is_told_before_any_look_at_the_word(word: str) -> None:
    """R3.9: neither a right nor an impossible word makes a difference."""
    duel = running(["slate", "slate"])
    looked_up: list[str] = []

    def allows(tried: str) -> bool:
        looked_up.append(tried)
        return True

    with pytest.raises(Refusal) as refused:
        decide_guess(duel, Guess(ANNE, 1, word, NOW), NOW, turn_time=TURN, allows=allows)

    assert (refused.value.code, looked_up) == (Code.STALE_TURN, [])


def test_only_canonical_words_of_the_right_length_are_looked_up() -> None:
    """R3.6, R9.4"""
    looked_up: list[str] = []

    def allows(tried: str) -> bool:
        looked_up.append(tried)
        return True

    for word in ("SLATE", "long-winded", "slates", "slat"):
        try:
            decide_guess(running(), Guess(ANNE, 1, word, NOW), NOW, turn_time=TURN, allows=allows)
        except Refusal as refusal:
            assert refusal.code in {Code.WRONG_LENGTH, Code.WRONG_LETTERS}  # noqa: PT017

    assert looked_up == ["slate"]


@pytest.mark.parametrize("late_by_ms", [-30_000, -100, -1, 0])
def test_a_guess_received_by_the_deadline_counts_however_late_it_is_looked_at(
    late_by_ms: int,
) -> None:
    """R3.8: 29.9 s and 30.000 s count, after five seconds of a cold start, too."""
    received_at, now = DEADLINE + late_by_ms * MS, DEADLINE + 5 * SECOND

    (event,) = _decide(running(), ANNE, "slate", received_at=received_at, now=now)

    assert event == GuessScored(1, ANNE, Row("slate", received_at), deadline=now + TURN)


@pytest.mark.parametrize("late_by_ms", [1, 2, 999, 1_000, 60_000])
def test_a_guess_received_after_the_deadline_is_refused_with_its_delay(late_by_ms: int) -> None:
    """R3.8: from 30.001 s on, whether or not the turn has been skipped yet."""
    refusal = _refusal(running(), ANNE, "slate", received_at=DEADLINE + late_by_ms * MS)

    assert (refusal.code, refusal.details) == (Code.DEADLINE_PASSED, {"lateByMs": late_by_ms})


@pytest.mark.parametrize("before", [MS, SECOND, 31 * SECOND])
def test_no_turn_is_skipped_before_its_settling_time_has_passed(before: timedelta) -> None:
    """R3.8: a wake-up that comes early changes nothing."""
    assert _expire(running(), DEADLINE + SETTLE - before) == ()


@pytest.mark.parametrize("after", [0 * MS, MS, 600 * SECOND])
def test_a_turn_is_skipped_once_its_settling_time_has_passed(after: timedelta) -> None:
    """R3.3, R3.8: the next turn has all its time, however late the wake-up comes."""
    now = DEADLINE + SETTLE + after

    assert _expire(running(), now) == (TurnSkipped(1, ANNE, deadline=now + TURN),)


def test_a_wake_up_that_comes_twice_skips_one_turn() -> None:
    """R3.8"""
    now = DEADLINE + SETTLE
    duel = apply_all(running(), _expire(running(), now))

    assert _expire(duel, now) == ()
    assert (duel.rows, duel.turn) == ((None,), 2)


@pytest.mark.parametrize("duel", [waiting(), _ended(running())], ids=["waiting", "ended"])
def test_time_changes_nothing_before_the_start_and_after_the_end(duel: Duel) -> None:
    """R3.3"""
    assert _expire(duel, NOW + timedelta(days=1)) == ()


@pytest.mark.parametrize(
    ("rows", "solves"), [([None] * 11, True), (["slate"] * 11, True), (["slate"] * 11, False)]
)
def test_the_last_turn_can_win_or_draw(rows: Sequence[str | None], solves: bool) -> None:
    """R3.4, R3.5"""
    duel = running(rows)

    duel = apply_all(duel, _decide(duel, BEN, "crane" if solves else "slate"))

    assert duel.ending == (Ending(Outcome.SOLVED, winner=BEN) if solves else Ending(Outcome.DRAW))


def test_skipping_the_last_turn_draws() -> None:
    """R3.3, R3.5: two events, and no turn after them."""
    duel = running(["slate"] * 11)

    assert _expire(duel, DEADLINE + SETTLE) == (
        TurnSkipped(12, BEN, deadline=None),
        DuelEnded(Ending(Outcome.DRAW)),
    )


REPEATABLE = running(["slate", "crane", None])


@pytest.mark.parametrize(
    ("player", "turn", "word", "repeat"),
    [
        (ANNE, 1, "slate", True),
        (ANNE, 1, " SLATE", True),
        (ANNE, 1, "crane", False),
        (BEN, 1, "slate", False),
        (BEN, 2, "crane", True),
        (ANNE, 2, "crane", False),
        (CLEO, 1, "slate", False),
        (ANNE, 3, "slate", False),
        (ANNE, 3, "???", False),
        (ANNE, 1, "???", False),
        (BEN, 4, "slate", False),
        (ANNE, 5, "slate", False),
        (BEN, 0, "slate", False),
        (ANNE, -1, "slate", False),
    ],
)
def test_only_the_same_guess_of_the_same_player_for_the_same_turn_is_a_repeat(
    player: PlayerId, turn: int, word: str, repeat: bool
) -> None:
    """R3.9"""
    found = find_repeat(REPEATABLE, Guess(player, turn, word, NOW + TURN))

    assert found == (REPEATABLE.rows[turn - 1] if repeat else None)


def test_a_guess_that_ended_the_duel_is_still_known_as_a_repeat() -> None:
    """R3.9"""
    duel = apply_all(running(), _decide(running(), ANNE, "crane"))

    assert duel.over
    assert find_repeat(duel, Guess(ANNE, 1, "Crane", NOW)) == duel.rows[0]


@pytest.mark.parametrize("duel", [waiting(), running(), running(["slate"] * 11)])
@pytest.mark.parametrize(
    ("leavers", "winner"),
    [({ANNE}, BEN), ({BEN}, ANNE), ({BEN, CLEO}, ANNE), ({ANNE, BEN}, None)],
)
def test_the_opponent_of_a_leaver_wins_at_once_if_still_there(
    duel: Duel, leavers: set[PlayerId], winner: PlayerId | None
) -> None:
    """R4.2: during the intro, too."""
    events = end_for_leavers(duel, frozenset(leavers))

    assert events == (DuelEnded(Ending(Outcome.LEFT, winner)),)
    assert (apply_all(duel, events).phase, apply_all(duel, events).deadline) == (
        DuelPhase.ENDED,
        None,
    )


@pytest.mark.parametrize("leavers", [set[PlayerId](), {CLEO}])
def test_a_duel_goes_on_when_somebody_else_leaves(leavers: set[PlayerId]) -> None:
    """R4.2"""
    assert end_for_leavers(running(), frozenset(leavers)) == ()


def test_leaving_changes_no_duel_that_is_over() -> None:
    """R4.2"""
    solved = apply_all(running(), _decide(running(), ANNE, "crane"))

    assert end_for_leavers(solved, frozenset({ANNE, BEN})) == ()


def test_every_event_is_one_version() -> None:
    """A client finds gaps by it."""
    events: tuple[DuelEvent, ...] = (
        DuelStarted(DEADLINE),
        GuessScored(1, ANNE, Row("slate", NOW), DEADLINE),
        TurnSkipped(2, BEN, DEADLINE),
        GuessScored(3, ANNE, Row("crane", NOW), None),
        DuelEnded(Ending(Outcome.SOLVED, ANNE)),
    )
    duel = waiting()
    for number, event in enumerate(events, start=1):
        duel = apply(duel, event)
        assert duel.version == number

    assert version_of_row(2) == 3
    assert (duel.rows, duel.deadline) == ((Row("slate", NOW), None, Row("crane", NOW)), None)


def test_the_word_is_kept_out_of_the_representation() -> None:
    """R3.10"""
    assert "crane" not in repr(running(["slate"]))
