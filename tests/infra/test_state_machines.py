"""The timers, run as tables: they wait, wake and ask again, and do nothing else."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from cfnlint.api import lint
from cfnlint.config import ManualArgs

Definition = dict[str, Any]
Answer = dict[str, Any] | None

INPUT = {
    "tournamentId": "t1",
    "round": 3,
    "playerId": "p1",
    "loss": 2,
    "wakeAt": "2026-01-01T00:00:00Z",
}
AGAIN = {**INPUT, "over": False, "wakeAt": "2026-01-01T00:00:30Z"}
OVER = {**INPUT, "over": True}


def test_the_definition_is_valid(definition: Definition) -> None:
    # cfn-lint looks into a definition only where it stands in the template itself.
    resource = {
        "Type": "AWS::StepFunctions::StateMachine",
        "Properties": {
            "RoleArn": "arn:aws:iam::123456789012:role/timer",
            "Definition": definition,
            "DefinitionSubstitutions": dict.fromkeys(substitutions(definition), "arn"),
        },
    }
    template = {"AWSTemplateFormatVersion": "2010-09-09", "Resources": {"Timer": resource}}

    found = lint(json.dumps(template), config=ManualArgs(regions=["eu-central-1"]))

    assert [str(match) for match in found] == []


def test_every_state_is_reached_and_every_target_exists(definition: Definition) -> None:
    states = definition["States"]
    targets = {definition["StartAt"]} | {
        target for state in states.values() for target in targets_of(state)
    }

    assert targets == set(states)


@pytest.mark.parametrize(
    ("answers", "visited"),
    [
        ([OVER], ["Wait", "Task", "Choice", "Succeed"]),
        ([AGAIN, OVER], ["Wait", "Task", "Choice", "Wait", "Task", "Choice", "Succeed"]),
        ([None], ["Wait", "Task", "Fail"]),
        ([AGAIN, None], ["Wait", "Task", "Choice", "Wait", "Task", "Fail"]),
    ],
    ids=["over at once", "asked twice", "unreachable", "unreachable later"],
)
def test_a_timer_asks_until_it_is_told_that_all_is_over(
    definition: Definition, answers: list[Answer], visited: list[str]
) -> None:
    assert [state["Type"] for state, _ in run(definition, answers)] == visited


def test_a_timer_waits_for_the_instant_it_was_told_last(definition: Definition) -> None:
    waited = [
        value_at(state["TimestampPath"], data)
        for state, data in run(definition, [AGAIN, OVER])
        if state["Type"] == "Wait"
    ]

    assert waited == [INPUT["wakeAt"], AGAIN["wakeAt"]]


def test_a_timer_tells_its_function_who_it_wakes_since_when_and_nothing_else(
    definition: Definition,
) -> None:
    (task,) = (state for state in definition["States"].values() if state["Type"] == "Task")

    told = {name.removesuffix(".$"): path for name, path in task["Parameters"].items()}

    assert told in (
        {"tournamentId": "$.tournamentId", "round": "$.round", "wakeAt": "$.wakeAt"},
        {"playerId": "$.playerId", "loss": "$.loss"},
    )


def test_a_task_that_fails_is_tried_again_before_the_sweep_takes_over(
    definition: Definition,
) -> None:
    (task,) = (state for state in definition["States"].values() if state["Type"] == "Task")
    (retry,), (catch,) = task["Retry"], task["Catch"]

    assert retry["ErrorEquals"] == catch["ErrorEquals"] == ["States.ALL"]
    assert retry["BackoffRate"] > 1
    assert definition["States"][catch["Next"]]["Cause"].endswith("the sweep takes over.")


def run(definition: Definition, answers: list[Answer]) -> Iterator[tuple[Definition, Any]]:
    """Each state entered with its input, a task giving the next answer or failing on None."""
    remaining = iter(answers)
    data: Any = INPUT
    name: str | None = definition["StartAt"]
    while name is not None:
        state = definition["States"][name]
        yield state, data
        match state["Type"]:
            case "Task":
                answer = next(remaining)
                (catch,) = state["Catch"]
                name = state["Next"] if answer is not None else catch["Next"]
                data = answer
            case "Choice":
                name = next(
                    (
                        choice["Next"]
                        for choice in state["Choices"]
                        if value_at(choice["Variable"], data) is choice["BooleanEquals"]
                    ),
                    state["Default"],
                )
            case _:
                name = state.get("Next")


def value_at(path: str, data: Any) -> Any:
    return data[path.removeprefix("$.")]


def targets_of(state: Definition) -> list[str]:
    choices = [*state.get("Choices", []), *state.get("Catch", []), state]
    return [choice[key] for choice in choices for key in ("Next", "Default") if key in choice]


def substitutions(definition: Definition) -> list[str]:
    return [
        state["Resource"].removeprefix("${").removesuffix("}")
        for state in definition["States"].values()
        if state["Type"] == "Task"
    ]
