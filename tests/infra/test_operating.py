"""What wakes an operator has a page to turn to, and what they look at is what functions count."""

import json
import re
from typing import Any

import pytest

from tests.functions.test_operating import PROVOKING
from wordle_tools.packaging.template import Template
from wordle_tools.project import ROOT

RUNBOOK = ROOT / "docs" / "runbook.md"
OWN = "WordleTournament"


def alarms(template: Template) -> dict[str, dict[str, Any]]:
    return {
        name: resource["Properties"]
        for name, resource in template["Resources"].items()
        if resource["Type"] == "AWS::CloudWatch::Alarm"
    }


def dashboard(template: Template) -> list[dict[str, Any]]:
    body = template["Resources"]["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
    widgets: list[dict[str, Any]] = json.loads(re.sub(r"\$\{[\w:]+\}", "it", body))["widgets"]
    return widgets


def test_every_alarm_has_its_entry_in_the_runbook_and_every_entry_its_alarm(
    template: Template,
) -> None:
    entries = re.findall(r"^## (\w+Alarm)$", RUNBOOK.read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted(entries) == sorted(alarms(template))


def test_alarms_on_our_own_metrics_watch_what_functions_count(template: Template) -> None:
    watched = {
        alarm["MetricName"] for alarm in alarms(template).values() if alarm.get("Namespace") == OWN
    }

    assert watched
    assert watched <= PROVOKING.keys()


def test_the_dashboard_shows_what_functions_count(template: Template) -> None:
    shown = {
        metric[1]
        for widget in dashboard(template)
        for metric in widget["properties"]["metrics"]
        if metric[0] == OWN
    }

    assert shown == {name for name in PROVOKING if not name.startswith(("Outcome.", "WakeUps."))}


def test_metrics_tell_stages_apart_by_the_dimension_that_alarms_look_at(
    template: Template,
) -> None:
    variables = template["Globals"]["Function"]["Environment"]["Variables"]
    stage = {"Ref": "AWS::StackName"}

    assert variables["POWERTOOLS_METRICS_NAMESPACE"] == OWN
    assert variables["POWERTOOLS_SERVICE_NAME"] == stage
    for alarm in alarms(template).values():
        if alarm.get("Namespace") == OWN:
            assert alarm["Dimensions"] == [{"Name": "service", "Value": stage}]
    for widget in dashboard(template):
        for metric in widget["properties"]["metrics"]:
            if metric[0] == OWN:
                assert metric[2:4] == ["service", "it"]


def test_alarms_tell_the_topic_that_a_stage_names(template: Template) -> None:
    told = {"Fn::If": ["TellsAlarms", [{"Ref": "AlarmTopicArn"}], {"Ref": "AWS::NoValue"}]}

    for alarm in alarms(template).values():
        assert alarm["AlarmActions"] == alarm["OKActions"] == told


@pytest.mark.parametrize(
    ("route", "parameters"),
    [
        ("guess", ("GuessesPerSecond", "GuessBurst")),
        ("$connect", ("ConnectionsPerSecond", "ConnectionBurst")),
    ],
)
def test_routes_of_their_own_weight_are_throttled_by_parameters(
    template: Template, route: str, parameters: tuple[str, str]
) -> None:
    settings = template["Resources"]["Api"]["Properties"]["RouteSettings"][route]

    assert (
        settings["ThrottlingRateLimit"]["Ref"],
        settings["ThrottlingBurstLimit"]["Ref"],
    ) == parameters


def test_only_the_silence_of_the_sweep_is_an_alarm_where_nothing_is_counted(
    template: Template,
) -> None:
    silent = {
        name for name, alarm in alarms(template).items() if alarm["TreatMissingData"] == "breaching"
    }
    others = {
        alarm["TreatMissingData"] for name, alarm in alarms(template).items() if name not in silent
    }

    assert silent == {"SweepSilentAlarm"}
    assert others == {"notBreaching"}
