"""What tournaments cost on AWS, by their usage and a dated list of prices."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordle_tools.bench.whole_tournament import Usage

_PRICES = Path(__file__).with_name("prices.toml")


def read_prices() -> Mapping[str, Any]:
    """Read the list of prices, with where they are from and as of when."""
    return tomllib.loads(_PRICES.read_text(encoding="utf-8"))


def cost_of_a_thousand(usage: Usage, prices: Mapping[str, Any]) -> Mapping[str, float]:
    """Give the dollars that a thousand such tournaments cost, by service."""
    million, gigabyte = prices["per_million"], prices["per_gigabyte"]
    assumed = prices["assumed"]
    invocations = usage.invocations
    seconds = invocations * assumed["lambda_seconds_an_invocation"]
    one = {
        "Step Functions": usage.transitions * million["step_functions_transitions"] / 1e6,
        "API Gateway": (
            usage.messages * million["websocket_messages"]
            + usage.connection_minutes * million["websocket_connection_minutes"]
        )
        / 1e6,
        "DynamoDB": (
            usage.write_units * million["dynamodb_write_units"]
            + usage.read_units * million["dynamodb_read_units"]
        )
        / 1e6,
        "Lambda": invocations * million["lambda_requests"] / 1e6
        + seconds * assumed["lambda_memory_gigabytes"] * gigabyte["lambda_seconds"],
        "logs": invocations * assumed["log_bytes_an_invocation"] / 1e9 * gigabyte["log_ingestion"],
    }
    return {service: 1000 * dollars for service, dollars in one.items()}
