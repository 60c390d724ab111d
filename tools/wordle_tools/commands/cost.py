"""`wordle-tournament cost`: what so many tournaments a day cost, and which quota ends that."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from wordle_tools.bench.whole_tournament import Usage
    from wordle_tools.commands import Subparsers

PLAYED = 5
PLAYERS = 8
SHOWN_QUOTAS = 8
_GATEWAY = "https://gateway.example/live"


def register(subparsers: Subparsers) -> None:
    """Add the command and its options."""
    parser = subparsers.add_parser(
        "cost",
        help="tell what so many tournaments a day cost on AWS, and which quota they reach first",
        description="Plays tournaments through the functions, in memory, counts what they ask of "
        "AWS, and takes the one of median cost.",
    )
    parser.add_argument("--tournaments-per-day", type=number, required=True, metavar="N")
    parser.add_argument(
        "--peak", type=number, default=4, help="the busiest time, as multiple of the mean (4)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure, multiply, print."""
    from wordle_tools.bench.cost import (
        DAYS_A_MONTH,
        cost_besides,
        cost_of_a_thousand,
        read_prices,
    )
    from wordle_tools.capacity.quotas import nearest_first, read_quotas
    from wordle_tools.capacity.stage import parts_of
    from wordle_tools.packaging.template import load_template
    from wordle_tools.project import TEMPLATE

    prices, quotas = read_prices(), read_quotas()
    usages = sorted(_play(), key=lambda one: sum(cost_of_a_thousand(one, prices).values()))
    usage = usages[PLAYED // 2]
    a_day: float = arguments.tournaments_per_day
    a_month = a_day * DAYS_A_MONTH

    print(f"A month of {a_day:,.0f} tournaments a day")
    for name, uses in requests_of(usage).items():
        print(f"{uses * a_month:18,.0f}  {name}")
    budgeted = {
        service: dollars * a_month / 1000
        for service, dollars in cost_of_a_thousand(usage, prices).items()
    }
    besides = cost_besides(usage, a_day, prices)
    _print_costs({**budgeted, **besides})
    budget = 1000 * sum(budgeted.values()) / a_month
    print(f"{budget:16,.2f} $  of it for 1,000 tournaments, as `make bench` counts")

    parts = parts_of(load_template(TEMPLATE), prices)
    print("\nA month of a stage by itself, at most")
    _print_costs({f"{part.name} ({part.number:,})": part.dollars for part in parts})

    print(
        f"\nThe busiest second, {arguments.peak:g} times the mean; what is reached first in front"
    )
    print(f"{'used':>12}  {'allowed':>9}  {'reached at':>18}")
    used = per_tournament(usage, prices.assumed["lambda_seconds_an_invocation"])
    reaches = nearest_first(quotas.quotas, used, a_day, arguments.peak)
    shown = [reach for reach in reaches if reach.advice or reach in reaches[:SHOWN_QUOTAS]]
    for reach in shown:
        advice = reach.advice and f": {reach.advice}"
        print(
            f"{reach.used:12,.1f}  {reach.quota.allowed:9,.0f}  {reach.reached_at:12,.0f} a day  "
            f"{reach.quota.name}{advice}"
        )
    print(f"and {len(reaches) - len(shown)} that are reached later")
    print(f"\n{prices}\n{quotas}")
    return 0


def requests_of(usage: Usage) -> Mapping[str, float]:
    """What one tournament asks of AWS, as bills name it."""
    return {
        "messages": usage.messages,
        "connection minutes": usage.connection_minutes,
        "invocations": usage.invocations,
        "read units": usage.read_units,
        "write units": usage.write_units,
        "state transitions": usage.transitions,
    }


def per_tournament(usage: Usage, seconds_an_invocation: float) -> Mapping[str, float]:
    """What one tournament uses, by the names that quotas have for it."""
    return {
        "invocations": usage.invocations,
        "lambda_seconds": usage.invocations * seconds_an_invocation,
        # Opening and closing a connection are requests, too.
        "gateway_requests": usage.messages + 2 * PLAYERS,
        "connections": PLAYERS,
        "clocks": usage.clocks,
        "transitions": usage.transitions,
        "tournament_seconds": 60 * usage.connection_minutes / PLAYERS,
        "table_read_units": max(usage.reads.values()),
        "table_write_units": max(usage.writes.values()),
        "room_write_units": usage.writes["ROOMS_TABLE"],
        "wake_write_units": usage.writes["TOURNAMENTS_TABLE/wake"],
    }


def _print_costs(costs: Mapping[str, float]) -> None:
    for name, dollars in sorted(costs.items(), key=lambda item: -item[1]):
        print(f"{dollars:16,.2f} $  {name}")
    print(f"{sum(costs.values()):16,.2f} $  in all")


def number(text: str) -> float:
    """A number above nothing; ArgumentTypeError otherwise."""
    import argparse

    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return value


def _play() -> list[Usage]:
    from wordle_tools.bench.functions import stand_in_environment
    from wordle_tools.bench.processes import opened_bench
    from wordle_tools.bench.whole_tournament import Usage

    usages = []
    with opened_bench(stand_in_environment(_GATEWAY)) as bench:
        for seed in range(PLAYED):
            print(f"Playing tournament {seed + 1} of {PLAYED} in memory…", file=sys.stderr)
            usages.append(Usage(**bench.measure("wordle_tools.bench.whole_tournament", str(seed))))
    return usages
