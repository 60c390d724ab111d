"""One name, four places: folder, action, route key and function hold together."""

import ast
from pathlib import Path

import pytest

from wordle_tools.packaging.template import Kind, Template, sources
from wordle_tools.project import ROOT, TEMPLATE
from wordle_tournament.wire.incoming import ACTIONS

FUNCTIONS = ROOT / "functions"
WITHOUT_ROUTE = {"authorize", "tick", "expireGrace", "sweep"}
LONGEST_HANDLER = 25


def function_id(folder: str) -> str:
    return f"{folder[0].upper()}{folder[1:]}Function"


def folders() -> list[Path]:
    return sorted(path.parent for path in FUNCTIONS.glob("*/handler.py"))


def test_every_folder_is_a_function_and_every_function_has_its_folder(template: Template) -> None:
    in_template = {
        source.logical_id: source.path.resolve()
        for source in sources(template, TEMPLATE.parent)
        if source.kind is Kind.FUNCTION
    }

    assert in_template == {function_id(folder.name): folder for folder in folders()}


def test_every_route_calls_the_function_of_its_name(template: Template) -> None:
    routes = template["Resources"]["Api"]["Properties"]["Routes"]

    assert {key: route["FunctionArn"] for key, route in routes.items()} == {
        key: {"Ref": f"{function_id(key.removeprefix('$'))}.Alias"} for key in routes
    }


def test_every_folder_but_those_that_no_client_calls_has_a_route(template: Template) -> None:
    routes = template["Resources"]["Api"]["Properties"]["Routes"]

    called = {key.removeprefix("$") for key in routes}
    assert called == {folder.name for folder in folders()} - WITHOUT_ROUTE


def test_every_action_of_the_protocol_has_a_route(template: Template) -> None:
    routes = template["Resources"]["Api"]["Properties"]["Routes"]

    assert {key for key in routes if not key.startswith("$")} == {
        action.action for action in ACTIONS
    }


def test_a_route_is_named_by_the_action_of_the_message(template: Template) -> None:
    api = template["Resources"]["Api"]["Properties"]

    assert api["RouteSelectionExpression"] == "$request.body.action"


@pytest.mark.parametrize(
    ("state_machine", "function"),
    [("RoundClock", "TickFunction"), ("ReconnectGrace", "ExpireGraceFunction")],
)
def test_a_timer_may_call_its_own_function_and_no_other(
    template: Template, state_machine: str, function: str
) -> None:
    properties = template["Resources"][state_machine]["Properties"]

    assert properties["DefinitionSubstitutions"] == {f"{function}Arn": {"Ref": f"{function}.Alias"}}
    assert properties["Policies"] == [
        {
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": "lambda:InvokeFunction",
                    "Resource": {"Ref": f"{function}.Alias"},
                }
            ]
        }
    ]


def test_the_sweep_runs_every_minute(template: Template) -> None:
    events = template["Resources"]["SweepFunction"]["Properties"]["Events"]

    assert [event["Properties"]["Schedule"] for event in events.values()] == ["rate(1 minute)"]


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_a_handler_is_short_and_knows_no_technology(folder: Path) -> None:
    text = (folder / "handler.py").read_text(encoding="utf-8")
    imported = {
        name
        for node in ast.walk(ast.parse(text))
        for name in imported_by(node)
        if not name.startswith(("wordle_tournament.", "__future__"))
    }

    assert len(text.splitlines()) <= LONGEST_HANDLER
    assert imported <= {"typing", "collections.abc"}


def imported_by(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return []
