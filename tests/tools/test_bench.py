"""What the bench counts and reckons; how long things take is told by it alone."""

import pytest

from wordle_tools.bench.budgets import Budget
from wordle_tools.bench.cost import cost_of_a_thousand, read_prices
from wordle_tools.bench.functions import stand_in_environment
from wordle_tools.bench.noted_aws import Item, size
from wordle_tools.bench.processes import opened_bench
from wordle_tools.bench.whole_tournament import Usage
from wordle_tools.packaging.template import load_template
from wordle_tools.project import TEMPLATE

PRICES = {
    "per_million": {
        "lambda_requests": 0.2,
        "websocket_messages": 1,
        "websocket_connection_minutes": 0.25,
        "dynamodb_write_units": 0.6,
        "dynamodb_read_units": 0.1,
        "step_functions_transitions": 25,
    },
    "per_gigabyte": {"lambda_seconds": 0.00001, "log_ingestion": 0.5},
    "assumed": {
        "lambda_memory_gigabytes": 0.5,
        "lambda_seconds_an_invocation": 0.02,
        "log_bytes_an_invocation": 1000,
    },
}


def test_a_budget_holds_up_to_its_limit() -> None:
    assert Budget("pushes", 2, 2).holds
    assert not Budget("pushes", 3, 2).holds
    assert str(Budget("pushes", 3, 2)).startswith("OVER")


def test_a_thousand_tournaments_cost_what_their_units_do() -> None:
    """Worked out by hand."""
    usage = Usage(
        rounds=8,
        clocks=8,
        wakes=64,
        invocations=300,
        messages=500,
        connection_minutes=120,
        read_units=400,
        write_units=500,
    )
    assert cost_of_a_thousand(usage, PRICES) == pytest.approx(
        {
            "Step Functions": (3 * 64 + 8) * 0.025,
            "API Gateway": 0.5 + 0.03,
            "DynamoDB": 0.3 + 0.04,
            "Lambda": 0.06 + 0.03,
            "logs": 0.15,
        }
    )


def test_the_price_list_has_every_price_and_says_where_it_is_from() -> None:
    prices = read_prices()
    assert {part: prices[part].keys() for part in PRICES} == {
        part: listed.keys() for part, listed in PRICES.items()
    }
    assert {"region", "source", "as_of"} <= prices.keys()


def test_the_size_of_an_item_is_what_dynamodb_counts() -> None:
    """Names and values in UTF-8, numbers half a byte a digit, lists and maps three and one each."""
    item: Item = {
        "word": {"S": "їжак"},
        "version": {"N": "123"},
        "viewers": {"M": {"a": {"S": "bc"}}},
        "members": {"L": [{"S": "d"}, {"S": "e"}]},
        "over": {"BOOL": True},
    }
    names = 4 + 7 + 7 + 7 + 4
    assert size(item) == names + 8 + 3 + (3 + 1 + 1 + 2) + (3 + 2 + 2) + 1


def test_measured_functions_are_given_every_variable_of_the_template() -> None:
    template = load_template(TEMPLATE)
    environment = stand_in_environment("https://gateway.example/live")
    assert template["Globals"]["Function"]["Environment"]["Variables"].keys() <= environment.keys()
    assert environment["TURN_SECONDS"] == "30"
    assert environment["PUSH_ENDPOINT"] == "https://gateway.example/live"


def test_a_whole_tournament_is_played_through_the_functions() -> None:
    """R1.4: all of them but their surroundings are real, and the SDK's requests are what counts."""
    with opened_bench(stand_in_environment("https://gateway.example/live")) as bench:
        usage = Usage(**bench.measure("wordle_tools.bench.whole_tournament", "1"))
    assert usage.rounds == usage.clocks >= 3
    assert usage.wakes > usage.rounds
    assert usage.invocations > 100
    assert usage.messages > usage.invocations
    assert usage.read_units > 0 < usage.write_units
