"""What tournaments cost on AWS, by their usage and a dated list of prices."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from wordle_tools.bench.whole_tournament import Usage

DAYS_A_MONTH = 30
SECONDS_A_MONTH = DAYS_A_MONTH * 86_400

_PRICES = Path(__file__).with_name("prices.toml")


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars for one unit of each kind, and what is assumed where nothing is counted."""

    region: str
    as_of: date
    dollars: Mapping[str, float]
    assumed: Mapping[str, float]

    def __str__(self) -> str:
        return f"prices: {self.region}, looked up {self.as_of}, sources in {_PRICES.name}"


def read_prices() -> Prices:
    """Read the list."""
    found = tomllib.loads(_PRICES.read_text(encoding="utf-8"))
    return Prices(
        region=found["region"],
        as_of=found["as_of"],
        dollars={name: price["dollars"] / price["per"] for name, price in found["price"].items()},
        assumed={name: assumption["value"] for name, assumption in found["assumed"].items()},
    )


def cost_of_a_thousand(usage: Usage, prices: Prices) -> Mapping[str, float]:
    """Give the dollars that a thousand such tournaments cost, by service, as the budget counts."""
    dollars = prices.dollars
    one = {
        "Step Functions": usage.transitions * dollars["step_functions_transitions"],
        "API Gateway": usage.messages * dollars["websocket_messages"]
        + usage.connection_minutes * dollars["websocket_connection_minutes"],
        "DynamoDB": usage.write_units * dollars["dynamodb_write_units"]
        + usage.read_units * dollars["dynamodb_read_units"],
        "Lambda": cost_of_invocations(usage.invocations, prices),
        "logs": cost_of_logs(usage.invocations, prices),
    }
    return {service: 1000 * each for service, each in one.items()}


def cost_besides(usage: Usage, tournaments_a_day: float, prices: Prices) -> Mapping[str, float]:
    """Give the dollars a month of what the budget leaves out and what grows with play all the same.

    Tables hold what they do in the long run: what comes in is what expires, but for the results.
    """
    dollars, assumed = prices.dollars, prices.assumed
    tournaments = tournaments_a_day * DAYS_A_MONTH
    access_logs = usage.arrivals * assumed["access_log_bytes"] / 1e9
    logs = usage.invocations * assumed["log_bytes_an_invocation"] / 1e9
    stored = usage.kept_byte_days * tournaments_a_day / 1e9
    return {
        "X-Ray": traces_of_a_month(usage, tournaments_a_day, prices) * dollars["traces"],
        "sent to players": usage.message_bytes / 1e9 * tournaments * dollars["sent_gigabytes"],
        "access logs": access_logs * tournaments * dollars["log_gigabytes"],
        "logs kept": (access_logs + logs)
        * tournaments
        * assumed["log_months"]
        * dollars["log_gigabyte_months"],
        "tables and their recovery": stored
        * (dollars["dynamodb_gigabyte_months"] + dollars["dynamodb_recovery_gigabyte_months"]),
    }


def traces_of_a_month(usage: Usage, tournaments_a_day: float, prices: Prices) -> float:
    """Count the traces that X-Ray records when play is even over the month.

    Functions that the gateway calls decide for themselves; a clock decides for all its ticks.
    """
    assumed = prices.assumed
    rates = [
        number * tournaments_a_day * DAYS_A_MONTH / SECONDS_A_MONTH
        for number in ({**usage.called, "tick": usage.clocks}).values()
    ]
    return SECONDS_A_MONTH * sum(
        min(rate, assumed["traces_a_second"])
        + max(0.0, rate - assumed["traces_a_second"]) * assumed["traces_of_the_rest"]
        for rate in rates
    )


def cost_of_invocations(invocations: float, prices: Prices) -> float:
    """Give the dollars that invocations of functions cost."""
    gigabyte_seconds = (
        prices.assumed["lambda_seconds_an_invocation"] * prices.assumed["lambda_memory_gigabytes"]
    )
    return invocations * (
        prices.dollars["lambda_requests"]
        + gigabyte_seconds * prices.dollars["lambda_gigabyte_seconds"]
    )


def cost_of_logs(invocations: float, prices: Prices) -> float:
    """Give the dollars that the logs of invocations cost when they come in."""
    gigabytes = invocations * prices.assumed["log_bytes_an_invocation"] / 1e9
    return gigabytes * prices.dollars["log_gigabytes"]
