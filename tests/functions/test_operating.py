"""What operators switch and see: a stage that drains, connections held off, what is counted."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.functions.conftest import CONTEXT, Functions, Written, arriving
from tests.usecases.instruments import Crash
from tests.usecases.table import MINUTE, SECOND, Client, once
from wordle_tools.bench.functions import load_handler, stand_in_environment
from wordle_tournament.adapters.stepfunctions import to_timestamp
from wordle_tournament.entry.limits import PATIENCE, ConnectionLimits, Verdict
from wordle_tournament.entry.settings import read_settings
from wordle_tournament.entry.wakeups import WakeUpFailedError
from wordle_tournament.ports import messages
from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.ids import TournamentId
from wordle_tournament.rules.refusals import Code
from wordle_tournament.rules.tournament import Tournament


def counted(lines: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """All metrics, added up."""
    totals: dict[str, float] = {}
    for line in lines:
        for metric in line.get("_aws", {}).get("CloudWatchMetrics", ()):
            for one in metric["Metrics"]:
                totals[one["Name"]] = totals.get(one["Name"], 0) + sum(line[one["Name"]])
    return totals


def refusal(message: object) -> tuple[str, Mapping[str, object] | None]:
    assert isinstance(message, messages.Error)
    return message.code, message.details


@pytest.mark.parametrize(("action", "fields"), [("join", {"language": "en"}), ("startGroup", {})])
def test_a_drained_stage_begins_no_games_and_says_so(
    functions: Functions, action: str, fields: dict[str, str]
) -> None:
    ann, _ = functions.table.friends("ab")
    functions.table.drain()

    code, details = refusal(functions.say(ann, action, **fields).message)

    assert (code, details) == (
        Code.TRY_AGAIN,
        {"reason": "draining", "retryAfterMs": 60_000},
    )
    assert ann.stored().seat is None


@pytest.mark.parametrize("function", ["leave", "disconnect"])
def test_a_drained_stage_begins_no_games_when_somebody_goes(
    functions: Functions, function: str
) -> None:
    """R8.2: of five and four who wait, four and four would start together."""
    table = functions.table
    _, gone, *_ = five = table.friends("abcde")
    for leader in (five[0], table.friends("wxyz")[0]):
        leader.start_group()
    table.drain()

    if function == "leave":
        assert isinstance(functions.say(gone, "leave").message, messages.Left)
    else:
        functions.call(gone, "disconnect", arriving(functions.event("disconnect"), gone))

    assert gone.stored().seat is None
    assert table.store.all_of(Tournament) == []


@pytest.mark.parametrize(("variable", "draining"), [("true", True), ("false", False)])
def test_a_stage_is_drained_by_a_variable_of_its_functions(
    monkeypatch: pytest.MonkeyPatch, variable: str, draining: bool
) -> None:
    for name, value in stand_in_environment("https://push").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("DRAINING", variable)

    assert read_settings().draining is draining


def test_a_drained_stage_lets_running_tournaments_go_on(functions: Functions) -> None:
    table = functions.table
    clients = table.eight()
    duel = table.open_round(clients[0])[0]
    table.drain()

    on_turn = table.find(duel.player_of(duel.turn))
    answer = functions.say(on_turn, "guess", duelId=duel.id, turn=duel.turn, word=duel.word)

    assert isinstance(answer.message, messages.GuessMade)


def test_a_connection_that_sends_too_much_is_told_so_without_asking_the_store_and_shown_out(
    functions: Functions, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = functions.table.client("ann")
    limits = ConnectionLimits(per_second=2, burst=1)
    monkeypatch.setattr("wordle_tournament.entry.routes.wire_limits", lambda: limits)
    functions.say(ann, "ping")
    functions.table.steps.taken.clear()

    for _ in range(PATIENCE):
        told = functions.say(ann, "sync").message
        assert refusal(told) == (Code.TOO_MANY_REQUESTS, {"retryAfterMs": 500})
    assert set(functions.table.steps.taken) == {"send"}

    functions.say(ann, "sync")
    assert functions.table.steps.taken[-1] == "close"


def test_what_happens_is_counted_once(functions: Functions, written: Written) -> None:
    table = functions.table
    clients = [table.client(f"p{number}") for number in range(8)]
    for client in clients:
        functions.say(client, "join", language="en")
    duel = table.open_round(clients[0])[0]
    on_turn = table.find(duel.player_of(duel.turn))
    functions.say(on_turn, "guess", duelId=duel.id, turn=duel.turn, word=duel.word)

    totals = counted(written.lines())

    assert totals["TournamentsStarted"] == totals["Guesses"] == 1
    assert totals["Outcome.done"] == 9


def test_the_log_names_tournament_duel_and_request_of_a_guess(
    functions: Functions, written: Written
) -> None:
    table = functions.table
    clients = table.eight()
    duel = table.open_round(clients[0])[0]
    on_turn = table.find(duel.player_of(duel.turn))
    functions.say(on_turn, "guess", duelId=duel.id, turn=duel.turn, word=duel.word)

    (line,) = [line for line in written.lines() if line.get("message") == "guess"]

    assert (line["tournament"], line["duel"]) == (duel.tournament, duel.id)
    assert line["player"] == on_turn.player
    assert line["request"]
    assert duel.word not in str(line)


def eight_join(functions: Functions) -> None:
    for client in functions.table.several("abcdefgh"):
        functions.say(client, "join", language="en")


def all_play_to_the_end(functions: Functions) -> None:
    table = functions.table
    somebody, *others = table.eight()
    table.set_lives(somebody, {other.player: 1 for other in others})
    while not table.tournament(somebody).over:
        for duel in table.open_round(somebody):
            on_turn = table.find(duel.player_of(duel.turn))
            functions.say(on_turn, "guess", duelId=duel.id, turn=duel.turn, word=duel.word)


def all_are_lost(functions: Functions) -> None:
    somebody, *others = functions.table.eight()
    for client in (somebody, *others):
        client.disconnect()
    functions.table.clock.advance(MINUTE)
    tournament = functions.table.tournament(somebody)
    load_handler("tick")({"tournamentId": tournament.id, "round": 1}, CONTEXT)


def two_rename_at_once(functions: Functions) -> None:
    ann = functions.table.client("ann")
    functions.table.store.before_commit = once(functions.table, lambda: ann.rename("First"))
    functions.say(ann, "rename", nickname="Second")


def a_friend_is_gone(functions: Functions) -> None:
    ann, bob = functions.table.friends("ab")
    bob.vanish()
    functions.say(ann, "rename", nickname="Ann")


def a_store_is_broken(functions: Functions) -> None:
    ann = functions.table.client("ann")
    functions.table.store.before_commit = crash
    functions.say(ann, "rename", nickname="Ann")


def crash(_: object) -> None:
    raise Crash


def a_stage_is_drained(functions: Functions) -> None:
    ann = functions.table.client("ann")
    functions.table.drain()
    functions.say(ann, "join", language="en")


def a_connection_sends_too_much(functions: Functions) -> None:
    ann = functions.table.client("ann")
    while functions.limits.judge(ann.connection, functions.table.clock.now()) is Verdict.FINE:
        pass
    functions.say(ann, "ping")


def a_clock_is_late(functions: Functions) -> None:
    somebody, *_ = functions.table.eight()
    wake_round(functions, somebody, late_by=timedelta(milliseconds=1))


def a_clock_is_lost(functions: Functions) -> None:
    functions.table.eight()
    functions.table.clock.advance(10 * MINUTE)
    sweep(functions)


PROVOKING: Mapping[str, Callable[[Functions], object]] = {
    "TournamentsStarted": eight_join,
    "TournamentsFinished": all_play_to_the_end,
    "TournamentsAborted": all_are_lost,
    "Guesses": all_play_to_the_end,
    "Conflicts": two_rename_at_once,
    "GonePushes": a_friend_is_gone,
    "RoundLateness": a_clock_is_late,
    "SweepRescues": a_clock_is_lost,
    "StuckTournaments": a_clock_is_lost,
    "WakeUps.sweep": a_clock_is_lost,
    "Outcome.internal": a_store_is_broken,
    "Outcome.try_again": a_stage_is_drained,
    "Outcome.too_many_requests": a_connection_sends_too_much,
}
"""What lets a metric be counted that an alarm or the dashboard names."""


@pytest.mark.parametrize("metric", PROVOKING)
def test_a_metric_is_counted_when_what_it_tells_of_happens(
    functions: Functions, written: Written, metric: str
) -> None:
    PROVOKING[metric](functions)

    totals = counted(written.lines())

    assert totals[metric] > 0
    others = {name for name in totals if not name.startswith(("Outcome.", "WakeUps."))}
    assert others <= PROVOKING.keys()


def test_metrics_carry_the_namespace_and_the_one_dimension_of_the_stage() -> None:
    program = (
        "from wordle_tournament.entry.observability import count, metrics\n"
        "count('Guesses')\n"
        "metrics.flush_metrics()"
    )
    stage = {"POWERTOOLS_METRICS_NAMESPACE": "Game", "POWERTOOLS_SERVICE_NAME": "stage"}

    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **stage},
        capture_output=True,
        text=True,
        check=True,
    )

    line = json.loads(ran.stdout)
    (directive,) = line["_aws"]["CloudWatchMetrics"]
    assert (directive["Namespace"], directive["Dimensions"]) == ("Game", [["service"]])
    assert line["service"] == "stage"


def wake_round(functions: Functions, client: Client, late_by: timedelta) -> None:
    """Wake the client's round as its clock does, so much later than the time asked for."""
    table = functions.table
    tournament = table.tournament(client)
    assert tournament.wake_at is not None
    asked = to_timestamp(tournament.wake_at)
    table.clock.set(datetime.fromisoformat(asked) + late_by)
    state = {"tournamentId": tournament.id, "round": tournament.round, "wakeAt": asked}
    load_handler("tick")(state, CONTEXT)


def sweep(functions: Functions) -> None:
    load_handler("sweep")(functions.event("sweep"), CONTEXT)


@pytest.mark.parametrize(("late_by_ms", "told"), [(0, 0), (1, 1), (2345, 2345), (-400, 0)])
def test_lateness_is_the_time_from_the_wake_up_asked_for_to_the_wake_up(
    functions: Functions, written: Written, late_by_ms: int, told: int
) -> None:
    """In milliseconds; whoever is early is not late."""
    somebody, *_ = functions.table.eight()

    wake_round(functions, somebody, timedelta(milliseconds=late_by_ms))

    lines = written.lines()
    (line,) = [line for line in lines if "RoundLateness" in line]
    assert line["RoundLateness"] == [told]
    assert {"Name": "RoundLateness", "Unit": "Milliseconds"} in (
        line["_aws"]["CloudWatchMetrics"][0]["Metrics"]
    )


def test_a_clock_that_does_not_say_what_it_waited_for_has_no_lateness(
    functions: Functions, written: Written
) -> None:
    """It was started from an older definition."""
    somebody, *_ = functions.table.eight()
    tournament = functions.table.tournament(somebody)

    load_handler("tick")({"tournamentId": tournament.id, "round": 1}, CONTEXT)

    assert "RoundLateness" not in counted(written.lines())


def test_a_sweep_counts_whom_it_rescues_and_who_was_stuck_before(
    functions: Functions, written: Written
) -> None:
    """Overdue by more than 5 s is rescued, by more than 3 min was stuck."""
    table = functions.table
    for names, seconds in (("abcdefgh", 150), ("ijklmnop", 36), ("qrstuvwx", 8)):
        for client in table.several(names):
            client.join()
        table.clock.advance(seconds * SECOND)

    sweep(functions)
    totals = counted(written.lines())
    assert (totals["StuckTournaments"], totals["SweepRescues"]) == (1, 2)

    sweep(functions)
    totals = counted(written.lines())
    assert (totals["StuckTournaments"], totals["SweepRescues"]) == (0, 0)


def test_a_tournament_that_breaks_is_stuck_and_no_rescue(
    functions: Functions, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two that are overdue alike one is brought on."""
    table = functions.table
    broken = table.tournament(table.eight()[0]).id
    for client in table.several("abcdefgh"):
        client.join()
    table.clock.advance(10 * MINUTE)
    load = table.store.duels

    def load_or_break(tournament: TournamentId, number: int) -> Sequence[Duel]:
        if tournament == broken:
            raise Crash
        return load(tournament, number)

    monkeypatch.setattr(table.store, "duels", load_or_break)
    for stuck, rescued in ((2, 1), (1, 0)):
        with pytest.raises(WakeUpFailedError):
            sweep(functions)
        totals = counted(written.lines())
        assert (totals["StuckTournaments"], totals["SweepRescues"]) == (stuck, rescued)
