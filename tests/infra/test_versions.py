"""What changes a function publishes it anew, and calls move to it, in steps if a stage wants so."""

import json
import re
from collections.abc import Iterator

import boto3
import pytest
from cfnlint.api import lint
from cfnlint.config import ManualArgs
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator

from tests.infra.conftest import of_type
from wordle_tools.packaging.template import Kind, Template, relocated, sources
from wordle_tools.project import TEMPLATE

ALIAS = "live"
FUNCTIONS = 24
UNUSED = ("W2001", "W7001")
LONGEST_DESCRIPTION = 256
LONGEST_NUMBER = len("10240")


def transformed(template: Template, *, release: str = "1", **parameters: str) -> Template:
    """What CloudFormation makes of the template when all code lies where a release puts it."""
    found = sources(template, TEMPLATE.parent)
    packaged = relocated(
        template,
        {
            source.logical_id: f"s3://artefacts/{source.logical_id}"
            + (f"-{release}" if source.kind is Kind.LAYER else "")
            for source in found
        },
    )
    defaults = {
        name: str(parameter["Default"]) for name, parameter in template["Parameters"].items()
    }
    translator = Translator({}, Parser(), boto_session=boto3.Session(region_name="eu-central-1"))
    result: Template = translator.translate(packaged, {**defaults, **parameters})
    return result


def versions(template: Template) -> set[str]:
    """Logical ids; CloudFormation publishes under one that it has not seen before."""
    return set(of_type(template, "AWS::Lambda::Version"))


def named_parameters(value: object) -> Iterator[str]:
    """Whatever a part of the template refers to by name."""
    match value:
        case {"Ref": name}:
            yield name
        case {"Fn::Sub": str(text)}:
            yield from re.findall(r"\$\{([\w:]+)\}", text)
        case dict():
            for part in value.values():
                yield from named_parameters(part)
        case list():
            for part in value:
                yield from named_parameters(part)


def settings(template: Template) -> set[str]:
    return set(named_parameters(template["Resources"]["Settings"]["Properties"]["Value"]))


def test_a_changed_layer_publishes_every_function_anew(template: Template) -> None:
    before, after = (versions(transformed(template, release=name)) for name in "12")

    assert len(before) == len(after) == FUNCTIONS
    assert not before & after


def test_what_is_the_same_is_not_published_again(template: Template) -> None:
    assert versions(transformed(template)) == versions(transformed(template))


def test_a_changed_parameter_publishes_every_function_that_is_told_it(template: Template) -> None:
    """SAM looks at the template alone; CloudFormation replaces a version described otherwise."""
    shared = template["Globals"]["Function"]
    told = {
        name
        for part in (shared["Environment"], shared["MemorySize"])
        for name in named_parameters(part)
        if name in template["Parameters"]
    }

    assert settings(template) == told
    for function in of_type(template, "AWS::Serverless::Function").values():
        properties = function["Properties"]
        assert properties["VersionDescription"] == {"Fn::GetAtt": ["Settings", "Value"]}
        own = {**properties.get("Environment", {}), "timeout": properties.get("Timeout")}
        assert not set(named_parameters(own)) & set(template["Parameters"])
    for version in of_type(transformed(template), "AWS::Lambda::Version").values():
        assert version["Properties"]["Description"] == {"Fn::GetAtt": ["Settings", "Value"]}


def test_the_longest_settings_fit_into_a_description(template: Template) -> None:
    def longest(name: str) -> int:
        parameter = template["Parameters"][name]
        if "MaxLength" in parameter:
            return int(parameter["MaxLength"])
        if "AllowedPattern" in parameter:
            return int(re.findall(r"(\d+)\}$", parameter["AllowedPattern"])[0])
        return max(map(len, parameter.get("AllowedValues", ["x" * LONGEST_NUMBER])))

    assert sum(longest(name) + 1 for name in settings(template)) <= LONGEST_DESCRIPTION


def test_whoever_calls_a_function_calls_its_alias(template: Template) -> None:
    deployed = transformed(template)
    callers = (
        "AWS::ApiGatewayV2::Integration",
        "AWS::ApiGatewayV2::Authorizer",
        "AWS::Events::Rule",
        "AWS::Lambda::Permission",
        "AWS::StepFunctions::StateMachine",
    )
    called = [
        name
        for type_ in callers
        for caller in of_type(deployed, type_).values()
        for name in named_parameters(caller["Properties"])
        if "Function" in name
    ]

    assert set(called) == {
        f"{name}Alias{ALIAS}" for name in of_type(deployed, "AWS::Lambda::Function")
    }


def test_calls_move_at_once_where_a_stage_does_not_say_otherwise(template: Template) -> None:
    deployed = transformed(template)

    assert len(of_type(deployed, "AWS::Lambda::Alias")) == FUNCTIONS
    assert not of_type(deployed, "AWS::CodeDeploy::DeploymentGroup")


def test_calls_move_in_steps_and_back_when_an_alarm_goes_off(template: Template) -> None:
    ways = template["Parameters"]["DeploymentShift"]["AllowedValues"]
    assert list(template["Mappings"]["Shifts"]) == ways

    for way in set(ways) - {"AllAtOnce"}:
        deployed = transformed(template, DeploymentShift=way)
        groups = of_type(deployed, "AWS::CodeDeploy::DeploymentGroup")
        aliases = of_type(deployed, "AWS::Lambda::Alias")
        assert len(groups) == len(aliases) == FUNCTIONS
        for alias in aliases.values():
            assert alias["UpdatePolicy"]["CodeDeployLambdaAliasUpdate"]["DeploymentGroupName"]
        for group in groups.values():
            properties = group["Properties"]
            assert properties["AutoRollbackConfiguration"]["Enabled"]
            assert properties["DeploymentConfigName"]["Fn::Sub"][1] == {"ConfigName": way}
            watched = set(named_parameters(properties["AlarmConfiguration"]))
            assert watched - {"AWS::NoValue"} == {
                "InternalErrorsAlarm",
                "GatewayErrorsAlarm",
                "RoundClockFailedAlarm",
                "FunctionErrorsAlarm",
            }


def test_what_moves_in_steps_is_valid_and_waits_for_nothing_that_waits_for_it(
    template: Template,
) -> None:
    """Alarms that deployments watch must not depend on what is deployed."""
    deployed = transformed(template, DeploymentShift="Canary10Percent5Minutes")

    found = lint(json.dumps(deployed), config=ManualArgs(regions=["eu-central-1"]))

    # The transform has put its value in the place of the parameter.
    assert {str(match) for match in found if match.rule.id not in UNUSED} == set()


@pytest.mark.parametrize("machine", ["RoundClock", "ReconnectGrace"])
def test_a_changed_timer_is_a_new_version_that_new_executions_are_of(
    template: Template, machine: str
) -> None:
    version = template["Resources"][f"{machine}Version"]
    alias = template["Resources"][f"{machine}Alias"]["Properties"]

    assert version["DeletionPolicy"] == version["UpdateReplacePolicy"] == "Retain"
    assert version["Properties"]["StateMachineRevisionId"] == {
        "Fn::GetAtt": [machine, "StateMachineRevisionId"]
    }
    assert alias["Name"] == ALIAS
    assert alias["DeploymentPreference"]["StateMachineVersionArn"] == {"Ref": f"{machine}Version"}


def test_functions_start_what_the_alias_of_a_timer_stands_for(template: Template) -> None:
    variables = template["Globals"]["Function"]["Environment"]["Variables"]

    for name in ("ROUND_CLOCK_ARN", "RECONNECT_GRACE_ARN"):
        assert variables[name]["Fn::Sub"].endswith(f":{ALIAS}")
