"""Grants name what they allow, and every function has a role of its own for them."""

from typing import Any

import pytest

from tests.infra.conftest import of_type
from tests.infra.test_versions import ALIAS, transformed
from wordle_tools.packaging.template import Template

Statement = dict[str, Any]

LOGS = "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
TRACES = "arn:aws:iam::aws:policy/AWSXrayWriteOnlyAccess"
"""What SAM adds where there is a log, and where there are traces."""

BOUNDARY = "FunctionBoundary"
MOST_OF_A_ROLE = 10
"""Managed policies that AWS lets a role have."""

CONNECTIONS_OF_THE_STAGE = ("/POST/@connections/*", "/DELETE/@connections/*")
TABLES = {"Players", "Rooms", "Tournaments", "Duels", "Groups", "Results"}


def properties_of(template: Template, type_: str) -> dict[str, Any]:
    return {name: one["Properties"] for name, one in of_type(template, type_).items()}


def policies(template: Template) -> dict[str, list[Statement]]:
    """The pieces, without the boundary of them all."""
    return {
        name: properties["PolicyDocument"]["Statement"]
        for name, properties in properties_of(template, "AWS::IAM::ManagedPolicy").items()
        if name != BOUNDARY
    }


def granted(template: Template, function: str) -> set[str]:
    """The names of the pieces that a function holds."""
    properties = template["Resources"][function]["Properties"]
    return {policy["Ref"] for policy in properties.get("Policies", [])}


def functions_with(template: Template, policy: str) -> set[str]:
    functions = properties_of(template, "AWS::Serverless::Function")
    return {name for name in functions if policy in granted(template, name)}


@pytest.fixture(scope="module")
def roles(template: Template) -> dict[str, dict[str, Any]]:
    """The role of each function and state machine, as SAM hands it to CloudFormation."""
    deployed = transformed(template)
    working = {
        **{
            name: one["Role"]
            for name, one in properties_of(deployed, "AWS::Lambda::Function").items()
        },
        **{
            name: one["RoleArn"]
            for name, one in properties_of(deployed, "AWS::StepFunctions::StateMachine").items()
        },
    }
    named = {name: role["Fn::GetAtt"][0] for name, role in working.items()}
    assert len(set(named.values())) == len(named)
    return {name: deployed["Resources"][role]["Properties"] for name, role in named.items()}


def test_a_function_has_a_role_of_its_own_with_its_pieces_and_what_sam_adds(
    template: Template, roles: dict[str, dict[str, Any]]
) -> None:
    functions = properties_of(template, "AWS::Serverless::Function")

    for name, properties in functions.items():
        assert roles[name]["ManagedPolicyArns"] == [LOGS, TRACES, *properties["Policies"]]
        assert len(roles[name]["ManagedPolicyArns"]) <= MOST_OF_A_ROLE
        assert "Policies" not in roles[name]
        assert roles[name]["PermissionsBoundary"] == {"Ref": BOUNDARY}


def test_the_boundary_lets_through_what_pieces_grant_and_only_a_log_and_traces_besides(
    template: Template,
) -> None:
    boundary = properties_of(template, "AWS::IAM::ManagedPolicy")[BOUNDARY]["PolicyDocument"][
        "Statement"
    ]
    let_through = {action for statement in boundary for action in statement["Action"]}
    granted_somewhere = {
        action
        for statements in policies(template).values()
        for statement in statements
        for action in statement["Action"]
    }

    assert let_through - granted_somewhere == {
        "logs:CreateLogStream",
        "logs:PutLogEvents",
        "xray:PutTelemetryRecords",
        "xray:PutTraceSegments",
    }
    assert granted_somewhere <= let_through
    for statement in boundary:
        of_no_resource = all(action.startswith("xray:") for action in statement["Action"])
        assert (statement["Resource"] == ["*"]) is of_no_resource


def test_a_state_machine_has_a_role_of_its_own_that_calls_the_function_it_names(
    template: Template, roles: dict[str, dict[str, Any]]
) -> None:
    machines = properties_of(template, "AWS::Serverless::StateMachine")

    assert machines
    for name, properties in machines.items():
        (called,) = properties["DefinitionSubstitutions"].values()
        alias = called["Ref"].replace(".Alias", f"Alias{ALIAS}")
        (policy,) = roles[name]["Policies"]
        (statement,) = policy["PolicyDocument"]["Statement"]
        assert statement == {
            "Effect": "Allow",
            "Action": "lambda:InvokeFunction",
            "Resource": {"Ref": alias},
        }
        assert roles[name]["ManagedPolicyArns"] == [TRACES]


def test_no_grant_names_all_actions_or_all_resources(template: Template) -> None:
    for statements in policies(template).values():
        for statement in statements:
            assert not [action for action in statement["Action"] if "*" in action]
            for resource in statement["Resource"]:
                arn = str(resource)
                assert "*" not in arn or arn.rstrip("'}").endswith(CONNECTIONS_OF_THE_STAGE)


def test_every_piece_of_the_grants_is_held_by_some_function(template: Template) -> None:
    held = {
        policy
        for function in properties_of(template, "AWS::Serverless::Function")
        for policy in granted(template, function)
    }

    assert held == set(policies(template))


def test_only_who_signs_or_checks_tokens_reads_the_keys(template: Template) -> None:
    functions = properties_of(template, "AWS::Serverless::Function")
    told_where = {
        name
        for name, properties in functions.items()
        if "SIGNING_KEYS_SECRET" in properties.get("Environment", {}).get("Variables", {})
    }

    assert functions_with(template, "SigningKeysPolicy") == told_where
    assert told_where == {"AuthorizeFunction", "HelloFunction"}


@pytest.mark.parametrize("function", ["ConnectFunction", "DefaultFunction", "PingFunction"])
def test_who_only_answers_may_only_push(template: Template, function: str) -> None:
    assert granted(template, function) == {"PushPolicy"}


def test_only_the_sweep_looks_for_overdue_tournaments(template: Template) -> None:
    assert functions_with(template, "FindOverduePolicy") == {"SweepFunction"}


def test_only_the_leaderboard_sees_the_ratings_of_all_players(template: Template) -> None:
    assert functions_with(template, "ReadBoardPolicy") == {"LeaderboardFunction"}
    assert granted(template, "LeaderboardFunction") == {"ReadBoardPolicy", "PushPolicy"}


def test_functions_are_told_every_table_by_name(template: Template) -> None:
    variables = template["Globals"]["Function"]["Environment"]["Variables"]

    assert {f"{table.upper()}_TABLE": {"Ref": f"{table}Table"} for table in TABLES} == {
        name: value for name, value in variables.items() if name.endswith("_TABLE")
    }


def test_timers_are_granted_and_told_by_the_same_names(template: Template) -> None:
    variables = template["Globals"]["Function"]["Environment"]["Variables"]
    (statement,) = policies(template)["TimersPolicy"]

    told = [variables[name]["Fn::Sub"] for name in ("ROUND_CLOCK_ARN", "RECONNECT_GRACE_ARN")]
    names = [
        template["Resources"][machine]["Properties"]["Name"]["Fn::Sub"]
        for machine in ("RoundClock", "ReconnectGrace")
    ]

    for arn, grant, name in zip(told, statement["Resource"], names, strict=True):
        text, variables = grant["Fn::Sub"]
        assert variables == {"Alias": {"Fn::If": ["OnAws", "", ":live"]}}
        assert arn == text.replace("${Alias}", ":live")
        assert text.endswith(f":stateMachine:{name}${{Alias}}")
