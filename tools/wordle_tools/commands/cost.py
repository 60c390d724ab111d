"""`wordle-tournament cost`: what so many tournaments a day cost, and which quota ends that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from wordle_tools.bench.whole_tournament import Usage
    from wordle_tools.commands import Subparsers

DAYS_A_MONTH = 30
PLAYED = 5
PLAYERS = 8
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
    from wordle_tools.bench.cost import cost_of_a_thousand, read_prices
    from wordle_tools.capacity.quotas import nearest_first, read_quotas

    prices, quotas = read_prices(), read_quotas()
    usages = sorted(_play(), key=lambda one: sum(cost_of_a_thousand(one, prices).values()))
    usage = usages[PLAYED // 2]
    a_day: float = arguments.tournaments_per_day
    a_month = a_day * DAYS_A_MONTH
    of_one = per_tournament(usage, prices["assumed"]["lambda_seconds_an_invocation"])

    print(f"A month of {a_day:,.0f} tournaments a day")
    for name, uses in of_one.items():
        print(f"{uses * a_month:18,.0f}  {name.replace('_', ' ')}")
    costs = {
        service: dollars * a_month / 1000
        for service, dollars in cost_of_a_thousand(usage, prices).items()
    }
    for service, dollars in sorted(costs.items(), key=lambda item: -item[1]):
        print(f"{dollars:16,.2f} $  {service}")
    print(f"{sum(costs.values()):16,.2f} $  in all")

    print(f"\nQuotas in the busiest second, {arguments.peak:g} times the mean")
    for reach in nearest_first(quotas.quotas, of_one, a_day, arguments.peak):
        advice = ""
        if reach.used > reach.quota.allowed:
            advice = f": ask for {reach.used:,.0f}" if reach.quota.adjustable else ": cannot be had"
        print(
            f"{reach.used:12,.1f} of {reach.quota.allowed:,.0f}  {reach.quota.name}, "
            f"reached at {reach.reached_at:,.0f} a day{advice}"
        )
    print(f"\nprices: {prices['region']}, {prices['as_of']}, {prices['source']}")
    print(f"quotas: {quotas.as_of}, {quotas.source}")
    return 0


def per_tournament(usage: Usage, seconds_an_invocation: float) -> Mapping[str, float]:
    """What one tournament uses, by the names that quotas have for it."""
    invocations = usage.invocations
    return {
        "invocations": invocations,
        "lambda_seconds": invocations * seconds_an_invocation,
        "messages": usage.messages,
        "connections": PLAYERS,
        "joins": PLAYERS,
        "clocks": usage.clocks,
        "transitions": usage.transitions,
        "read_units": usage.read_units,
        "write_units": usage.write_units,
    }


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

    with opened_bench(stand_in_environment(_GATEWAY)) as bench:
        return [
            Usage(**bench.measure("wordle_tools.bench.whole_tournament", str(seed)))
            for seed in range(PLAYED)
        ]
