"""A tournament: rounds, leaving and losing the connection, and what is due when (R1, R4, R7)."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tests.rules.examples import ANNE, BEN, CLEO, DORA, MS, NOW, SECOND, SETTLE, TURN
from tests.rules.referee import ANSWERS, PLAYERS, Referee
from wordle_tournament.rules import duel as duels_of
from wordle_tournament.rules.duel import Duel, DuelEnded, DuelStarted, Ending, Outcome
from wordle_tournament.rules.ids import ConnectionId, PlayerId, TournamentId
from wordle_tournament.rules.pairing import Pairing
from wordle_tournament.rules.tournament import (
    Deal,
    Entrant,
    LetGo,
    MoveDuels,
    OpenRound,
    Pace,
    Phase,
    PlayerDisconnected,
    PlayerLeft,
    PlayerReconnected,
    RoundEnded,
    RoundIntroduced,
    Settle,
    Tournament,
    TournamentEnded,
    TournamentEvent,
    TournamentStarted,
    Wait,
    advance,
    apply,
    apply_all,
    begin,
    deal_round,
    disconnect,
    duel_id,
    leave,
    newly_placed,
    reconnect,
    settle,
    with_ratings,
)

PACE = Pace()
CUP = TournamentId("cup")
INTRO_ENDS = NOW + 6 * SECOND


def _round(
    lives: dict[PlayerId, int],
    duels: Sequence[tuple[PlayerId, PlayerId]],
    bye: PlayerId | None = None,
) -> tuple[Tournament, tuple[Duel, ...]]:
    """Make a round in its intro."""
    tournament = Tournament(
        id=CUP,
        language="en",
        entrants=tuple(
            Entrant(player, player.title(), rating=1000, lives=count)
            for player, count in lives.items()
        ),
        started_at=NOW,
        pairing=Pairing(tuple(duels), bye),
        intro_ends_at=INTRO_ENDS,
        wake_at=INTRO_ENDS,
    )
    return tournament, tuple(
        Duel(duel_id(CUP, 1, number), CUP, 1, "en", ANSWERS[5][number], players)
        for number, players in enumerate(duels)
    )


def _final(lives: int = 1) -> tuple[Tournament, Duel]:
    tournament, (duel,) = _round({ANNE: lives, BEN: lives}, [(ANNE, BEN)])
    return tournament, duel


def _won(duel: Duel, winner: PlayerId) -> Duel:
    return duels_of.apply(duel, DuelEnded(Ending(Outcome.SOLVED, winner)))


def _begin(seed: int) -> Deal:
    entrants = tuple(Entrant(player, f"Nick {player}", 1000) for player in PLAYERS)
    return begin(
        Tournament(CUP, "en", entrants, started_at=NOW),
        NOW,
        pace=PACE,
        chance=random.Random(seed),
        answers=ANSWERS.__getitem__,
    )


def _places(tournament: Tournament, events: Sequence[TournamentEvent]) -> dict[PlayerId, int]:
    after = apply_all(tournament, events)
    return {one.player: one.place for one in after.entrants if one.place is not None}


def test_a_tournament_begins_with_the_intro_of_four_duels() -> None:
    """R1.1–R1.3"""
    deal = _begin(seed=1)

    tournament = deal.tournament
    assert deal.events == (
        TournamentStarted(),
        RoundIntroduced(1, tournament.pairing, NOW + timedelta(seconds=6)),
    )
    assert (tournament.phase, tournament.round, tournament.version) == (Phase.INTRO, 1, 2)
    assert [entrant.lives for entrant in tournament.entrants] == [3] * 8
    assert len(deal.duels) == 4
    assert tournament.words == tuple(duel.word for duel in deal.duels)


def test_each_duel_draws_its_own_length_each_equally_likely() -> None:
    """R9.2"""
    lengths = Counter(len(duel.word) for seed in range(500) for duel in _begin(seed).duels)

    assert lengths.keys() == {4, 5, 6}
    assert all(abs(count - 2_000 / 3) < 100 for count in lengths.values())


def test_a_long_word_used_before_is_drawn_again_as_a_long_word() -> None:
    """R9.2, R9.3: a word that is taken changes the word and not the length."""
    tournament, _ = _round(dict.fromkeys((ANNE, BEN), 3), [(ANNE, BEN)])
    taken = ANSWERS[4][1:] + ANSWERS[5][1:] + ANSWERS[6][1:]
    lengths = Counter[int]()
    for seed in range(300):
        deal = deal_round(
            replace(tournament, words=taken),
            NOW,
            pace=PACE,
            chance=random.Random(seed),
            answers=ANSWERS.__getitem__,
        )
        (duel,) = deal.duels
        assert duel.word == ANSWERS[len(duel.word)][0]
        lengths[len(duel.word)] += 1

    assert all(abs(lengths[length] - 100) < 40 for length in (4, 5, 6))


def test_no_duel_starts_before_the_intro_is_over() -> None:
    """R1.3: a wake-up that comes early waits on."""
    tournament, duel = _final()

    assert advance(tournament, [duel], INTRO_ENDS - MS, PACE) == Wait(INTRO_ENDS)


@pytest.mark.parametrize("late", [0 * MS, MS, 600 * SECOND])
def test_all_duels_start_when_the_intro_is_over(late: timedelta) -> None:
    """R1.2, R1.3, R3.2: with all the time of the first turn, however late the wake-up."""
    lives = dict.fromkeys((ANNE, BEN, CLEO, DORA), 3)
    tournament, duels = _round(lives, [(ANNE, BEN), (CLEO, DORA)])
    now = INTRO_ENDS + late

    step = advance(tournament, duels, now, PACE)

    assert step == MoveDuels(tuple((duel, (DuelStarted(now + TURN),)) for duel in duels))


def test_the_round_opens_once_every_duel_has_started() -> None:
    """R1.3: that one of them started is not enough."""
    lives = dict.fromkeys((ANNE, BEN, CLEO, DORA), 3)
    tournament, (first, second) = _round(lives, [(ANNE, BEN), (CLEO, DORA)])
    first = duels_of.apply(first, DuelStarted(INTRO_ENDS + TURN))
    step = advance(tournament, [first, second], INTRO_ENDS, PACE)
    assert step == MoveDuels(((second, (DuelStarted(INTRO_ENDS + TURN),)),))

    second = duels_of.apply(second, DuelStarted(INTRO_ENDS + TURN))
    step = advance(tournament, [first, second], INTRO_ENDS, PACE)
    assert step == OpenRound(wake_at=INTRO_ENDS + TURN + SETTLE)


def test_a_round_ends_when_its_last_duel_ends() -> None:
    """R1.2"""
    lives = dict.fromkeys((ANNE, BEN, CLEO, DORA), 3)
    tournament, (first, second) = _round(lives, [(ANNE, BEN), (CLEO, DORA)])
    second = duels_of.apply(second, DuelStarted(INTRO_ENDS + TURN))
    tournament = replace(tournament, phase=Phase.DUELS)

    step = advance(tournament, [_won(first, ANNE), second], INTRO_ENDS, PACE)
    assert step == Wait(INTRO_ENDS + TURN + SETTLE)

    step = advance(tournament, [_won(first, ANNE), _won(second, DORA)], INTRO_ENDS, PACE)
    assert isinstance(step, Settle)
    after = apply_all(tournament, step.events)
    assert [one.lives for one in after.entrants] == [3, 2, 2, 3]
    assert not after.over


def test_the_last_player_left_wins() -> None:
    """R1.4, R4.1: with place, change and, from then on, nothing to wake up for."""
    tournament, duel = _final()

    events = settle(tournament, [_won(duel, BEN)])
    after = apply_all(tournament, with_ratings(events, {ANNE: 1010, BEN: 1200}))

    assert [type(event) for event in events] == [RoundEnded, TournamentEnded]
    assert after.over
    assert after.wake_at is None
    assert [(one.place, one.change, one.rating_after, one.lives) for one in after.entrants] == [
        (2, -25, 985, 0),
        (1, 25, 1225, 1),
    ]
    assert advance(after, [duel], NOW + timedelta(days=1), PACE) == Wait(None)


def test_two_who_draw_with_their_last_lives_share_the_first_place() -> None:
    """R1.5: the round is not replayed."""
    tournament, duel = _final()

    events = settle(tournament, [duels_of.apply(duel, DuelEnded(Ending(Outcome.DRAW)))])

    assert _places(tournament, events) == {ANNE: 1, BEN: 1}
    assert events[-1] == TournamentEnded()


def test_a_bye_costs_no_life() -> None:
    """R2.2"""
    tournament, (duel,) = _round({ANNE: 1, BEN: 1, CLEO: 1}, [(ANNE, BEN)], bye=CLEO)

    events = settle(tournament, [_won(duel, ANNE)])

    assert _places(tournament, events) == {BEN: 3}


def test_ratings_of_those_not_asked_for_stay_open() -> None:
    """R5.5: nobody's new rating is made up."""
    tournament, duel = _final()

    (ended, _) = with_ratings(settle(tournament, [_won(duel, ANNE)]), {ANNE: 1500})

    assert isinstance(ended, RoundEnded)
    assert [one.rating_after for one in ended.entrants] == [1525, None]


def test_a_rating_once_told_is_not_told_anew() -> None:
    """R5.5: later rounds leave the places of earlier ones alone."""
    tournament, (duel,) = _round({ANNE: 1, BEN: 1, CLEO: 1}, [(ANNE, BEN)], bye=CLEO)
    first = with_ratings(settle(tournament, [_won(duel, ANNE)]), {BEN: 1000})
    tournament = apply_all(tournament, first)
    following = replace(tournament, pairing=Pairing(((ANNE, CLEO),)))
    (_, (final,)) = _round({ANNE: 1, CLEO: 1}, [(ANNE, CLEO)])

    second = settle(following, [_won(final, CLEO)])
    after = apply_all(following, with_ratings(second, {ANNE: 1, BEN: 5_000, CLEO: 1}))

    assert after.entrant(BEN).rating_after == 975
    assert {one.player for one in newly_placed(following, after)} == {ANNE, CLEO}


@pytest.mark.parametrize("phase", ["intro", "running", "over", "bye"])
def test_leaving_costs_the_same_in_every_phase(phase: str) -> None:
    """R4.2: behind those put out by play, whether the duel runs, is over, or there is a bye."""
    lives = {ANNE: 2, BEN: 2, CLEO: 2, DORA: 1, PlayerId("eve"): 1}
    eve = PlayerId("eve")
    pairs = [(ANNE, BEN), (CLEO, DORA)] if phase == "bye" else [(ANNE, eve), (CLEO, DORA)]
    tournament, (first, second) = _round(lives, pairs, bye=eve if phase == "bye" else BEN)
    second = _won(second, CLEO)
    if phase == "running":
        first = duels_of.apply(first, DuelStarted(INTRO_ENDS + TURN))
    if phase == "over":
        first = _won(first, eve)

    tournament = apply_all(tournament, leave(tournament, eve))
    if phase in {"intro", "running"}:
        step = advance(tournament, [first, second], NOW, PACE)
        assert step == MoveDuels(((first, (DuelEnded(Ending(Outcome.LEFT, ANNE)),)),))
        first = duels_of.apply_all(first, step.moves[0][1])
    if phase == "bye":
        first = _won(first, ANNE)
    step = advance(tournament, [first, second], NOW, PACE)

    assert isinstance(step, Settle)
    assert _places(tournament, step.events) == {DORA: 4, eve: 5}
    after = apply_all(tournament, step.events)
    assert after.entrant(ANNE).lives == (1 if phase == "over" else 2)


def test_the_survivor_has_won_at_once_when_the_last_opponent_leaves() -> None:
    """R4.5"""
    tournament, duel = _final(lives=3)
    duel = duels_of.apply(duel, DuelStarted(INTRO_ENDS + TURN))
    tournament = apply_all(tournament, leave(tournament, ANNE))

    step = advance(tournament, [duel], INTRO_ENDS, PACE)
    assert isinstance(step, MoveDuels)
    duel = duels_of.apply_all(duel, step.moves[0][1])
    step = advance(tournament, [duel], INTRO_ENDS, PACE)

    assert isinstance(step, Settle)
    assert _places(tournament, step.events) == {ANNE: 2, BEN: 1}


def test_a_winner_with_a_bye_has_to_wait_for_the_end_of_the_round() -> None:
    """R4.5: a leaver's round ends when its last duel ends."""
    tournament, (duel,) = _round({ANNE: 3, BEN: 3, CLEO: 3}, [(ANNE, BEN)], bye=CLEO)
    duel = duels_of.apply(duel, DuelStarted(INTRO_ENDS + TURN))
    tournament = apply_all(tournament, leave(tournament, CLEO))

    step = advance(replace(tournament, phase=Phase.DUELS), [duel], INTRO_ENDS, PACE)

    assert step == Wait(INTRO_ENDS + TURN + SETTLE)


def test_a_final_that_is_won_stays_won_whoever_is_gone_since() -> None:
    """R1.2, R4.5: the round ended with the duel, however late that is noticed."""
    tournament, duel = _final()
    lost = disconnect(tournament, ANNE, back_by=NOW + 60 * SECOND)
    tournament = apply_all(tournament, lost)

    step = advance(tournament, [_won(duel, ANNE)], NOW + timedelta(hours=1), PACE)

    assert isinstance(step, Settle)
    assert _places(tournament, step.events) == {ANNE: 1, BEN: 2}


def test_whoever_is_out_leaves_without_a_trace() -> None:
    """R4.6, R7.5"""
    tournament, duel = _final()
    tournament = apply_all(tournament, settle(tournament, [_won(duel, ANNE)]))

    assert leave(tournament, BEN) == []
    assert disconnect(tournament, BEN, back_by=NOW) == []
    assert reconnect(tournament, BEN, NOW) == []


def test_whoever_has_left_is_not_waited_for() -> None:
    """R4.2, R7.2: nor can they come back."""
    tournament, _ = _final()
    tournament = apply_all(tournament, leave(tournament, BEN))

    assert leave(tournament, BEN) == []
    assert disconnect(tournament, BEN, back_by=NOW) == []
    assert reconnect(tournament, BEN, NOW) == []


@pytest.mark.parametrize(
    ("after", "event"),
    [(59, PlayerReconnected(ANNE)), (60, PlayerReconnected(ANNE)), (61, PlayerLeft(ANNE))],
)
def test_60_seconds_are_enough_to_come_back_and_61_are_not(
    after: int, event: TournamentEvent
) -> None:
    """R7.2: even if nobody has noticed yet that the time is up."""
    tournament, _ = _final()
    tournament = apply_all(tournament, disconnect(tournament, ANNE, back_by=NOW + PACE.grace))

    assert reconnect(tournament, ANNE, NOW + after * SECOND) == [event]


@pytest.mark.parametrize(
    ("at", "step"),
    [
        (NOW + 5 * SECOND - MS, Wait(NOW + 5 * SECOND)),
        (NOW + 5 * SECOND, LetGo((PlayerLeft(ANNE),))),
        (NOW + 600 * SECOND, LetGo((PlayerLeft(ANNE),))),
    ],
)
def test_whoever_does_not_come_back_in_time_has_left(at: datetime, step: Wait | LetGo) -> None:
    """R7.2: not a millisecond too early."""
    tournament, duel = _final()
    tournament = apply_all(tournament, disconnect(tournament, ANNE, back_by=NOW + 5 * SECOND))

    assert advance(tournament, [duel], at, PACE) == step


def test_the_time_to_come_back_begins_anew_with_each_loss() -> None:
    """R7.2"""
    tournament, duel = _final()
    tournament = apply_all(tournament, disconnect(tournament, ANNE, back_by=NOW + SECOND))

    events = disconnect(tournament, ANNE, back_by=NOW + 5 * SECOND)
    tournament = apply_all(tournament, events)

    assert events == [PlayerDisconnected(ANNE, NOW + 5 * SECOND)]
    assert advance(tournament, [duel], NOW + SECOND, PACE) == Wait(NOW + 5 * SECOND)


def test_one_loss_told_twice_is_one_event() -> None:
    """R7.2"""
    tournament, _ = _final()
    tournament = apply_all(tournament, disconnect(tournament, ANNE, back_by=NOW))

    assert disconnect(tournament, ANNE, back_by=NOW) == []


def test_whoever_was_put_out_while_away_may_still_come_back_to_watch() -> None:
    """R7.5: at any time, and only once."""
    tournament, duel = _final()
    tournament = apply_all(tournament, disconnect(tournament, ANNE, back_by=NOW + SECOND))
    tournament = apply_all(tournament, settle(tournament, [_won(duel, BEN)]))

    events = reconnect(tournament, ANNE, NOW + timedelta(hours=1))

    assert events == [PlayerReconnected(ANNE)]
    assert reconnect(apply_all(tournament, events), ANNE, NOW) == []


def test_whoever_was_put_out_while_away_does_not_leave_as_well() -> None:
    """R4.1, R7.5: their place is fixed, and nobody waits for them."""
    tournament, (duel,) = _round({ANNE: 1, BEN: 1, CLEO: 1}, [(ANNE, BEN)], bye=CLEO)
    tournament = apply_all(tournament, disconnect(tournament, ANNE, back_by=NOW + SECOND))
    tournament = apply_all(tournament, settle(tournament, [_won(duel, BEN)]))
    _, (final,) = _round({BEN: 1, CLEO: 1}, [(BEN, CLEO)])

    assert advance(tournament, [final], NOW + 2 * SECOND, PACE) == Wait(INTRO_ENDS)


def test_coming_back_keeps_lives_and_place_in_the_round() -> None:
    """R7.4"""
    tournament, _ = _final(lives=2)
    away = apply_all(tournament, disconnect(tournament, ANNE, back_by=NOW))

    back = apply_all(away, reconnect(away, ANNE, NOW))

    assert back == replace(tournament, version=tournament.version + 2)


def test_when_all_eight_are_gone_all_share_the_first_place() -> None:
    """R1.5, R4.3, R7.2: the tournament ends; each is placed and rated once."""
    referee = Referee(lives=[3] * 8, ratings=[1000] * 8, seed=8)
    for player in PLAYERS:
        referee.disconnect(player)

    referee.play_out()

    assert set(referee.places.values()) == {1}
    assert set(referee.changes.values()) == {0}
    assert referee.now <= NOW + timedelta(seconds=60)


def test_time_alone_ends_a_tournament_in_three_rounds_of_draws() -> None:
    """R3.3, R3.5, R1.5: if nobody ever guesses all eight share the first place."""
    referee = Referee(lives=[3] * 8, ratings=[1000] * 8, seed=8)

    referee.play_out()

    assert set(referee.places.values()) == {1}
    assert referee.tournament.round == 3
    assert referee.now == NOW + 3 * timedelta(seconds=6 + 12 * 31)


def test_every_event_is_one_version_and_the_end_lets_watchers_go() -> None:
    """A client finds gaps by it."""
    tournament, _ = _final()
    watched = replace(tournament, watchers={BEN: ConnectionId("line")})
    events: list[TournamentEvent] = [
        TournamentStarted(),
        RoundIntroduced(2, Pairing(((BEN, ANNE),)), NOW + TURN),
        PlayerDisconnected(ANNE, NOW),
        PlayerReconnected(ANNE),
        PlayerLeft(ANNE),
        RoundEnded(2, tournament.entrants),
        TournamentEnded(),
    ]
    for number, event in enumerate(events, start=1):
        watched = apply(watched, event)
        assert watched.version == number

    assert (watched.phase, watched.watchers) == (Phase.ENDED, {})


def test_duels_are_named_after_their_round_and_found_by_their_players() -> None:
    """R6.4"""
    tournament, duels = _round({ANNE: 1, BEN: 1, CLEO: 1}, [(ANNE, BEN)], bye=CLEO)

    assert tournament.duel_ids() == ("cup.1.0",) == tuple(duel.id for duel in duels)
    assert [tournament.duel_of(one) for one in (ANNE, BEN, CLEO)] == ["cup.1.0", "cup.1.0", None]
    with pytest.raises(KeyError):
        tournament.entrant(DORA)


def test_words_are_kept_out_of_the_representation() -> None:
    """R3.10"""
    deal = _begin(seed=3)

    assert not [word for word in deal.tournament.words if word in repr(deal)]
