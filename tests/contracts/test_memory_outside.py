"""The memory adapters of the outside world keep what the ports promise."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from wordle_tournament.adapters.memory_outside import (
    Grace,
    MemoryClock,
    MemoryLexicon,
    MemoryPush,
    MemoryTimers,
    MemoryTokens,
    RoundClock,
    Timer,
)
from wordle_tournament.adapters.tokens import BadToken, Identity
from wordle_tournament.ports.messages import Frame, Pong
from wordle_tournament.ports.outside import Clock, Lexicon, Push, Timers, Tokens
from wordle_tournament.rules.ids import ConnectionId, PlayerId, TournamentId

NOW = datetime(2026, 3, 1, 10, 0, 0, 123_000, tzinfo=UTC)
ONE, TWO = ConnectionId("one"), ConnectionId("two")
CUP = TournamentId("cup")
ANN = PlayerId("ann")


def frames(*seconds: int) -> tuple[Frame, ...]:
    return tuple(Frame(Pong(NOW + timedelta(seconds=second))) for second in seconds)


def test_every_memory_adapter_is_one_of_its_port() -> None:
    clock: Clock = MemoryClock()
    lexicon: Lexicon = MemoryLexicon({})
    tokens: Tokens = MemoryTokens()
    push: Push = MemoryPush()
    timers: Timers = MemoryTimers()
    assert all((clock, lexicon, tokens, push, timers))


def test_a_memory_clock_moves_only_when_told_and_in_whole_milliseconds() -> None:
    clock = MemoryClock(NOW + timedelta(microseconds=999))
    assert clock.now() == clock.now() == NOW
    clock.advance(timedelta(milliseconds=1, microseconds=1))
    assert clock.now() == NOW + timedelta(milliseconds=1)
    clock.set(NOW - timedelta(days=1))
    assert clock.now() == NOW - timedelta(days=1)


def test_a_memory_clock_counts_pauses_and_takes_no_time_for_them() -> None:
    clock = MemoryClock(NOW)
    clock.pause(0)
    clock.pause(1)
    assert clock.pauses == [0, 1]
    assert clock.now() == NOW


def test_a_hidden_word_may_be_guessed_and_a_mere_guess_is_never_hidden() -> None:
    """R9.5."""
    lexicon = MemoryLexicon({"en": ("crane", "slate", "four")}, {"en": ("zzzzz",)})
    assert lexicon.answers("en", 5) == ("crane", "slate")
    assert lexicon.allows("en", 5, "crane")
    assert lexicon.allows("en", 5, "zzzzz")
    assert not lexicon.allows("en", 5, "four")
    assert not lexicon.allows("de", 5, "crane")
    assert lexicon.answers("de", 5) == ()


def test_a_memory_token_names_its_player_and_time() -> None:
    tokens = MemoryTokens()
    token = tokens.mint(PlayerId("a.b"), NOW)
    assert token == tokens.mint(PlayerId("a.b"), NOW)
    assert tokens.read(token) == Identity(PlayerId("a.b"), NOW.replace(microsecond=0))


@pytest.mark.parametrize("token", ["", "memory", "memory.", "memory.ann", "memory..5", "other.a.5"])
def test_any_other_text_is_no_memory_token(token: str) -> None:
    with pytest.raises(BadToken):
        MemoryTokens().read(token)


def test_frames_of_one_connection_are_kept_in_order() -> None:
    push = MemoryPush()
    assert push.send({ONE: frames(1, 2), TWO: frames(3)}) == frozenset()
    push.send({ONE: frames(4)})
    assert push.received(ONE) == frames(1, 2, 4)
    assert push.take(TWO) == frames(3)
    assert push.take(TWO) == ()


def test_a_connection_that_is_gone_is_told_and_takes_nothing_from_the_others() -> None:
    push = MemoryPush()
    push.vanish(ONE)
    assert push.send({ONE: frames(1), TWO: frames(2)}) == {ONE}
    assert push.received(ONE) == ()
    assert push.received(TWO) == frames(2)


def test_nobody_finds_out_that_a_connection_is_gone_without_sending_to_it() -> None:
    push = MemoryPush()
    push.vanish(ONE)
    assert push.send({ONE: (), TWO: frames(2)}) == frozenset()


def test_a_closed_connection_is_gone_and_closing_it_again_is_fine() -> None:
    push = MemoryPush()
    push.close(ONE)
    push.close(ONE)
    assert push.closed == [ONE]
    assert push.send({ONE: frames(1)}) == {ONE}


def test_a_deaf_connection_loses_frames_and_is_not_gone() -> None:
    push = MemoryPush()
    push.deafen(ONE)
    assert push.send({ONE: frames(1)}) == frozenset()
    push.mend(ONE)
    push.send({ONE: frames(2)})
    assert push.received(ONE) == frames(2)


def test_held_frames_arrive_when_released_in_order_or_in_any() -> None:
    push = MemoryPush()
    push.hold(ONE)
    push.send({ONE: frames(1, 2, 3)})
    assert push.received(ONE) == ()
    push.release(ONE)
    push.send({ONE: frames(4)})
    assert push.take(ONE) == frames(1, 2, 3, 4)

    push.hold(ONE)
    push.send({ONE: frames(*range(20))})
    push.release(ONE, random.Random(1))
    shuffled = push.take(ONE)
    assert shuffled != frames(*range(20))
    assert frozenset(shuffled) == frozenset(frames(*range(20)))


def test_starting_a_timer_a_second_time_is_the_same_as_once() -> None:
    timers = MemoryTimers()
    timers.start_round_clock(CUP, 1, NOW)
    timers.start_round_clock(CUP, 1, NOW)
    timers.start_grace(ANN, 1, NOW)
    timers.start_grace(ANN, 1, NOW + timedelta(seconds=5))
    assert timers.started == [RoundClock(CUP, 1, NOW), Grace(ANN, 1)]
    assert timers.waiting == {RoundClock(CUP, 1, NOW): NOW, Grace(ANN, 1): NOW}


def test_a_clock_waits_beside_the_one_it_replaces() -> None:
    timers = MemoryTimers()
    timers.start_round_clock(CUP, 1, NOW)
    timers.lose(RoundClock(CUP, 1, NOW))
    timers.start_round_clock(CUP, 1, NOW + timedelta(seconds=5))
    assert list(timers.waiting) == [RoundClock(CUP, 1, NOW + timedelta(seconds=5))]


def test_due_timers_fire_in_the_order_of_their_times_and_wait_again_when_told() -> None:
    timers = MemoryTimers()
    timers.start_grace(ANN, 1, NOW + timedelta(seconds=2))
    timers.start_round_clock(CUP, 1, NOW + timedelta(seconds=1))
    timers.start_round_clock(CUP, 2, NOW + timedelta(seconds=3))
    fired: list[Timer] = []

    def wake(timer: Timer) -> datetime | None:
        fired.append(timer)
        return NOW + timedelta(seconds=9) if isinstance(timer, Grace) else None

    assert timers.fire_due(NOW + timedelta(seconds=2), wake) == 2
    assert fired == [RoundClock(CUP, 1, NOW + timedelta(seconds=1)), Grace(ANN, 1)]
    assert timers.next_wake() == NOW + timedelta(seconds=3)
    assert timers.waiting[Grace(ANN, 1)] == NOW + timedelta(seconds=9)


def test_a_timer_can_fire_although_it_has_ended() -> None:
    timers = MemoryTimers()
    timers.start_grace(ANN, 1, NOW)
    fired: list[Timer] = []
    timers.fire(Grace(ANN, 1), fired.append)
    timers.fire(Grace(ANN, 1), fired.append)
    assert fired == [Grace(ANN, 1), Grace(ANN, 1)]
    assert timers.next_wake() is None


def test_failing_timers_start_nothing_and_raise_nothing() -> None:
    timers = MemoryTimers()
    timers.failing = True
    timers.start_grace(ANN, 1, NOW)
    assert timers.started == []
    timers.failing = False
    timers.start_grace(ANN, 1, NOW)
    assert timers.started == [Grace(ANN, 1)]
