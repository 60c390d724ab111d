"""What tournaments cost and where quotas end them: sums that can be done by hand."""

import tomllib
from datetime import date
from pathlib import Path

import pytest

import wordle_tools.bench.cost
from wordle_tools.bench.cost import (
    SECONDS_A_MONTH,
    Prices,
    cost_besides,
    cost_of_a_thousand,
    read_prices,
    traces_of_a_month,
)
from wordle_tools.bench.whole_tournament import Usage
from wordle_tools.capacity.quotas import SECONDS_A_DAY, Quota, nearest_first, read_quotas
from wordle_tools.capacity.stage import (
    SWEEPS_A_MONTH,
    alarm_metrics,
    detailed_routes,
    metric_names,
    parts_of,
)
from wordle_tools.cli import main
from wordle_tools.commands.cost import per_tournament
from wordle_tools.packaging.template import load_template
from wordle_tools.project import TEMPLATE
from wordle_tournament.adapters.dynamodb.tournaments import WAKE_SHARDS

FEW = Quota("few", "apples", allowed=10, raised="on request", source="hearsay")
MANY = Quota("many", "pears", allowed=1000, raised="not", source="hearsay")

PRICES = Prices(
    region="nowhere",
    as_of=date(2026, 1, 1),
    dollars={
        "lambda_requests": 0.2e-6,
        "lambda_gigabyte_seconds": 0.00001,
        "websocket_messages": 1e-6,
        "websocket_connection_minutes": 0.25e-6,
        "dynamodb_write_units": 0.6e-6,
        "dynamodb_read_units": 0.1e-6,
        "step_functions_transitions": 25e-6,
        "log_gigabytes": 0.5,
        "log_gigabyte_months": 0.03,
        "traces": 5e-6,
        "sent_gigabytes": 0.1,
        "dynamodb_gigabyte_months": 0.3,
        "dynamodb_recovery_gigabyte_months": 0.2,
        "alarm_metrics": 0.1,
        "custom_metrics": 0.3,
        "dashboards": 3,
        "secrets": 0.4,
    },
    assumed={
        "lambda_memory_gigabytes": 0.5,
        "lambda_seconds_an_invocation": 0.02,
        "log_bytes_an_invocation": 1000,
        "access_log_bytes": 500,
        "log_months": 1,
        "traces_a_second": 1,
        "traces_of_the_rest": 0.05,
        "metrics_a_route": 5,
        "sweep_read_units": 4,
    },
)

USAGE = Usage(
    rounds=8,
    clocks=8,
    wakes=64,
    called={"guess": 230, "tick": 64, "join": 6},
    arrivals=200,
    messages=500,
    message_bytes=200_000,
    connection_minutes=120,
    reads={"DUELS_TABLE": 300, "PLAYERS_TABLE": 100},
    writes={"DUELS_TABLE": 300, "ROOMS_TABLE": 100, "TOURNAMENTS_TABLE/wake": 100},
    kept_byte_days=1_000_000,
)


def test_the_quota_that_is_reached_first_stands_in_front() -> None:
    reaches = nearest_first([MANY, FEW], {"apples": 2, "pears": 2}, a_day=1, peak=1)

    assert [reach.quota for reach in reaches] == [FEW, MANY]


def test_use_in_the_busiest_second_grows_with_tournaments_and_peak() -> None:
    (reach,) = nearest_first([FEW], {"apples": 2}, a_day=SECONDS_A_DAY, peak=4)

    assert reach.used == 8
    assert reach.reached_at == SECONDS_A_DAY * 10 / 8
    assert reach.advice == ""


def test_where_a_quota_ends_play_the_increase_is_told_or_that_there_is_none() -> None:
    reaches = nearest_first([FEW, MANY], {"apples": 600, "pears": 2000}, SECONDS_A_DAY, peak=2)

    assert [reach.advice for reach in reaches] == ["ask for 1,200", "cannot be had"]


def test_a_thousand_tournaments_cost_what_their_units_do() -> None:
    assert cost_of_a_thousand(USAGE, PRICES) == pytest.approx(
        {
            "Step Functions": (3 * 64 + 8) * 0.025,
            "API Gateway": 0.5 + 0.03,
            "DynamoDB": 0.3 + 0.04,
            "Lambda": 0.06 + 0.03,
            "logs": 0.15,
        }
    )


def test_what_grows_with_play_beside_the_budget_is_counted_by_the_month() -> None:
    """1,000 a day are 30,000 a month; the tables hold what a day leaves times how long."""
    besides = cost_besides(USAGE, 1000, PRICES)

    assert besides == pytest.approx(
        {
            "X-Ray": traces_of_a_month(USAGE, 1000, PRICES) * 5e-6,
            "sent to players": 6 * 0.1,
            "access logs": 3 * 0.5,
            "logs kept": (3 + 9) * 0.03,
            "tables and their recovery": 1 * (0.3 + 0.2),
        }
    )


def test_few_requests_are_all_traced_and_of_many_one_in_twenty() -> None:
    """A tick is part of the trace of its clock; functions are sampled one by one."""
    few = 30 * (230 + 8 + 6)
    assert traces_of_a_month(USAGE, 1, PRICES) == pytest.approx(few)

    a_day = SECONDS_A_DAY
    expected = (1 + 0.05 * 229) + (1 + 0.05 * 7) + (1 + 0.05 * 5)
    assert traces_of_a_month(USAGE, a_day, PRICES) == pytest.approx(SECONDS_A_MONTH * expected)


def test_a_stage_is_counted_in_its_template() -> None:
    template = {
        "Resources": {
            "Plain": {"Type": "AWS::CloudWatch::Alarm", "Properties": {"MetricName": "Errors"}},
            "Sum": {
                "Type": "AWS::CloudWatch::Alarm",
                "Properties": {
                    "Metrics": [{"Expression": "SUM(METRICS())"}, *[{"MetricStat": {}}] * 3]
                },
            },
            "Board": {"Type": "AWS::CloudWatch::Dashboard"},
            "Api": {
                "Type": "AWS::Serverless::WebSocketApi",
                "Properties": {
                    "Routes": {"one": {}, "two": {}, "three": {}},
                    "DefaultRouteSettings": {"DetailedMetricsEnabled": True},
                    "RouteSettings": {"two": {"ThrottlingRateLimit": 1}},
                },
            },
        }
    }
    parts = {part.name: part for part in parts_of(template, PRICES)}

    assert alarm_metrics(template) == 4
    assert detailed_routes(template) == 2
    assert parts["metrics that alarms watch"].dollars == pytest.approx(0.4)
    assert parts["dashboards"].dollars == 3
    assert parts["secrets"].number == 0
    assert parts["metrics of routes, if each hour sees them all"].number == 10
    assert parts["sweeps"].dollars == pytest.approx(
        SWEEPS_A_MONTH * (4 * 0.1e-6 + 5e-6 + 0.2e-6 + 0.01 * 0.00001 + 1000e-9 * 0.5)
    )


def test_the_sweep_of_the_template_runs_as_often_as_it_is_counted() -> None:
    sweep = load_template(TEMPLATE)["Resources"]["SweepFunction"]["Properties"]

    assert sweep["Events"]["EveryMinute"]["Properties"]["Schedule"] == "rate(1 minute)"
    assert SWEEPS_A_MONTH == 30 * 24 * 60


def test_metrics_of_every_kind_are_counted() -> None:
    names = metric_names()

    assert {"Guesses", "GonePushes", "RoundLateness", "SweepRescues", "StuckTournaments"} <= names
    assert {"TournamentsStarted", "Conflicts", "Outcome.internal", "Outcome.done"} <= names
    assert {"WakeUps.tick", "WakeUps.expireGrace", "WakeUps.sweep"} <= names


def test_every_quota_finds_what_a_tournament_uses() -> None:
    used = per_tournament(USAGE, seconds_an_invocation=0.02)

    assert {quota.uses for quota in read_quotas().quotas} == used.keys()
    assert used["table_write_units"] == 300
    assert used["wake_write_units"] == 100
    assert used["tournament_seconds"] == 15 * 60


def test_the_index_of_wake_ups_takes_as_much_as_all_its_parts() -> None:
    (quota,) = (one for one in read_quotas().quotas if one.uses == "wake_write_units")

    assert quota.allowed == 1000 * len(WAKE_SHARDS)


def test_prices_and_quotas_are_dated_and_each_says_where_it_is_from() -> None:
    prices, quotas = read_prices(), read_quotas()

    assert prices.as_of.year >= 2026 <= quotas.as_of.year
    assert prices.dollars.keys() == PRICES.dollars.keys()
    assert prices.assumed.keys() == PRICES.assumed.keys()
    assert all(quota.allowed > 0 and quota.source for quota in quotas.quotas)
    listed = tomllib.loads(
        Path(wordle_tools.bench.cost.__file__).with_name("prices.toml").read_text(encoding="utf-8")
    )
    assert all(price["source"] for price in listed["price"].values())
    assert all(assumption["why"] for assumption in listed["assumed"].values())


@pytest.mark.parametrize("wrong", ["0", "-1", "many", "inf", "nan"])
def test_a_number_of_tournaments_that_is_none_is_refused(
    wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["cost", "--tournaments-per-day", wrong])

    assert "is not a number above 0" in capsys.readouterr().err
