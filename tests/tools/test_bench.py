"""What the bench counts and reckons; how long things take is told by it alone."""

from wordle_tools.bench.budgets import Budget
from wordle_tools.bench.functions import stand_in_environment
from wordle_tools.bench.noted_aws import Item, size
from wordle_tools.bench.processes import opened_bench
from wordle_tools.bench.whole_tournament import Usage
from wordle_tools.packaging.template import load_template
from wordle_tools.project import TEMPLATE


def test_a_budget_holds_up_to_its_limit() -> None:
    assert Budget("pushes", 2, 2).holds
    assert not Budget("pushes", 3, 2).holds
    assert str(Budget("pushes", 3, 2)).startswith("OVER")


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
    assert usage.called["authorize"] == usage.called["disconnect"] == 8
    assert usage.message_bytes > 100 * usage.messages
    assert usage.kept_byte_days > 90 * 1024, "duels are kept for 90 days"
