"""What operators switch and see: a stage that drains, connections held off, what is counted."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.functions.conftest import Functions, Written, arriving
from wordle_tools.bench.functions import stand_in_environment
from wordle_tournament.entry.limits import PATIENCE, ConnectionLimits
from wordle_tournament.entry.settings import read_settings
from wordle_tournament.ports import messages
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
