"""The module for Terraform asks of the template what it has; `make scan` gives it the real one."""

from typing import Any

import pytest

from wordle_tools.packaging.terraform import deviations, needed_capabilities

TEMPLATE = {
    "Transform": "AWS::Serverless-2016-10-31",
    "Parameters": {"TurnSeconds": {"Type": "Number"}},
    "Resources": {"Policy": {"Type": "AWS::IAM::ManagedPolicy", "Properties": {}}},
    "Outputs": {"Url": {"Value": "wss://it.example"}},
}
NAMED = {
    "Resources": {
        "Role": {"Type": "AWS::IAM::Role", "Properties": {"RoleName": "it"}},
        "Plain": {"Type": "AWS::DynamoDB::Table"},
    }
}


def module(**changed: Any) -> dict[str, Any]:
    """What hcl2tojson makes of a module: strings keep their quotes, expressions have ${}."""
    stack = {
        "parameters": "${var.parameters}",
        "capabilities": ['"CAPABILITY_IAM"', '"CAPABILITY_AUTO_EXPAND"'],
        **{name: value for name, value in changed.items() if name != "output"},
    }
    output = changed.get("output", "Url")
    return {
        "resource": [{'"aws_cloudformation_stack"': {'"stage"': stack}}],
        "output": [
            {'"url"': {"value": f'${{aws_cloudformation_stack.stage.outputs["{output}"]}}'}}
        ],
    }


def test_a_module_that_asks_for_what_there_is_deviates_in_nothing() -> None:
    assert deviations(module(), TEMPLATE) == []


@pytest.mark.parametrize(
    ("changed", "deviation"),
    [
        ({"capabilities": ['"CAPABILITY_IAM"']}, "capability CAPABILITY_AUTO_EXPAND"),
        ({"parameters": {'"Turns"': '"12"', '"TurnSeconds"': '"20"'}}, "parameter Turns"),
        ({"output": "Link"}, "output Link"),
    ],
)
def test_a_module_that_does_not_fit_the_template_is_told_where(
    changed: dict[str, Any], deviation: str
) -> None:
    assert deviations(module(**changed), TEMPLATE) == [deviation]


def test_roles_with_names_of_their_own_need_to_be_agreed_to() -> None:
    assert needed_capabilities(NAMED) == {"CAPABILITY_NAMED_IAM"}
