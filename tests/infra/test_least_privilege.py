"""Every function holds what it asks for, and no piece that it asks nothing of.

The calls are those that use cases make while ten players do anything in any order, in memory, with
connections that vanish; the end-to-end tests run with the same grants enforced.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.infra.calls import USE_CASES, Call, ask_for_lists, take_notes
from tests.infra.test_names import function_id
from tests.usecases import test_any_order
from tests.usecases.table import Table
from wordle_tools.packaging.template import Template

Grants = Mapping[str, frozenset[Call]]
"""What each piece of a function's grants allows."""

GAMES = 120
CONNECTIONS = re.compile(r"/(POST|DELETE)/@connections/\*$")
MACHINES = {"round-clock": "RoundClock", "reconnect-grace": "ReconnectGrace"}
SELDOM = {
    # What any function finds to do that meets a lost connection, a lobby that fills up or a write
    # that the SDK has repeated; too seldom for a short run to show it of every function.
    "ReadGamePolicy",
    "ChangeGamePolicy",
    "TimersPolicy",
    # A return, which any message can be, ticks; a tick that ends a round settles it.
    "SettlePolicy",
    # Any message can be the first, or one too many, or one on an older connection.
    "NewPlayerPolicy",
    "PushPolicy",
    # A member whose timer was lost is let go by whoever wants something of the group.
    "EndGroupPolicy",
}
"""Pieces of which a function need not be seen to use anything; some other function is."""


class Played(test_any_order.AnyOrder):
    """The same players, who in the end ask for history and leaderboard, too."""

    def teardown(self) -> None:
        super().teardown()
        if hasattr(self, "table"):
            ask_for_lists(self.table)


@pytest.fixture(scope="module")
def calls() -> Iterator[Mapping[str, set[Call]]]:
    """The calls of each function, by the name of its folder."""
    with pytest.MonkeyPatch.context() as patch:
        notes = take_notes(patch)
        for check in ("check_everything", "check_followers", "check_pushes"):
            patch.setattr(test_any_order, check, ignore)
        run_state_machine_as_test(
            Played,
            settings=settings(
                max_examples=GAMES,
                stateful_step_count=40,
                deadline=None,
                derandomize=True,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            ),
        )
        yield notes.calls


def ignore(_table: Table) -> None:
    """What the players' own tests check."""


def pieces(template: Template, function: str) -> Grants:
    properties = template["Resources"][function_id(function)]["Properties"]
    return {
        policy["Ref"]: frozenset(allowed(template["Resources"][policy["Ref"]]["Properties"]))
        for policy in properties["Policies"]
    }


def allowed(policy: Mapping[str, Any]) -> Iterator[Call]:
    for statement in policy["PolicyDocument"]["Statement"]:
        for action in statement["Action"]:
            for resource in statement["Resource"]:
                yield action, named(resource)


def named(resource: Mapping[str, Any]) -> str:
    """What a resource of a statement is called in `tests.infra.calls`."""
    if "Fn::GetAtt" in resource:
        return str(resource["Fn::GetAtt"][0])
    text = resource["Fn::Sub"]
    if not isinstance(text, str):
        text = text[0].removesuffix("${Alias}")
    if connections := CONNECTIONS.search(text):
        return connections[1]
    if text.endswith(tuple(MACHINES)):
        return next(name for end, name in MACHINES.items() if text.endswith(end))
    return re.sub(r"\$\{(\w+)\.Arn\}", r"\1", text)


@pytest.mark.parametrize("function", USE_CASES.values())
def test_a_function_may_do_all_that_it_does(
    template: Template, calls: Mapping[str, set[Call]], function: str
) -> None:
    granted = frozenset().union(*pieces(template, function).values())

    assert calls[function]
    assert calls[function] <= granted


@pytest.mark.parametrize("function", USE_CASES.values())
def test_no_other_piece_makes_up_for_a_grant_that_is_taken_away(
    template: Template, calls: Mapping[str, set[Call]], function: str
) -> None:
    held = pieces(template, function)
    for call in calls[function]:
        assert len([name for name, grants in held.items() if call in grants]) == 1


@pytest.mark.parametrize("function", USE_CASES.values())
def test_a_function_holds_no_piece_that_it_does_not_use(
    template: Template, calls: Mapping[str, set[Call]], function: str
) -> None:
    unused = {
        name for name, grants in pieces(template, function).items() if not grants & calls[function]
    }

    assert unused <= SELDOM


def test_every_grant_is_used_by_some_function_that_holds_it(
    template: Template, calls: Mapping[str, set[Call]]
) -> None:
    unused = {
        (piece, call)
        for function in USE_CASES.values()
        for piece, grants in pieces(template, function).items()
        for call in grants
    } - {
        (piece, call)
        for function in USE_CASES.values()
        for piece, grants in pieces(template, function).items()
        for call in grants & calls[function]
    }

    assert unused == set()
