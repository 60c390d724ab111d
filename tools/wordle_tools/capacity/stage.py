"""What a stage costs by itself, whatever is played: counted in its template and in the code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from wordle_tools.bench.cost import DAYS_A_MONTH, Prices, cost_of_invocations, cost_of_logs
from wordle_tools.packaging.template import Template
from wordle_tools.project import ROOT
from wordle_tournament.rules.refusals import Code
from wordle_tournament.usecases.game import Happening

SWEEPS_A_MONTH = DAYS_A_MONTH * 24 * 60
"""The schedule of the sweep: once a minute."""

_ENTRY = ROOT / "layers/shared/python/wordle_tournament/entry"


@dataclass(frozen=True, slots=True)
class Part:
    """Some of one thing that a stage has, and what they cost a month in dollars."""

    number: int
    name: str
    dollars: float


def parts_of(template: Template, prices: Prices) -> list[Part]:
    """Count what a stage has, the dearest first.

    Metrics cost only in hours that see them: theirs is the most that they can cost.
    """
    kinds = [resource["Type"] for resource in template["Resources"].values()]
    counts = {
        "alarm_metrics": ("metrics that alarms watch", alarm_metrics(template)),
        "dashboards": ("dashboards", kinds.count("AWS::CloudWatch::Dashboard")),
        "secrets": ("secrets", kinds.count("AWS::SecretsManager::Secret")),
    }
    metrics = {
        "metrics of functions, if each hour sees them all": len(metric_names()),
        "metrics of routes, if each hour sees them all": detailed_routes(template)
        * int(prices.assumed["metrics_a_route"]),
    }
    return sorted(
        [
            *(
                Part(number, name, number * prices.dollars[price])
                for price, (name, number) in counts.items()
            ),
            *(
                Part(number, name, number * prices.dollars["custom_metrics"])
                for name, number in metrics.items()
            ),
            Part(SWEEPS_A_MONTH, "sweeps", _cost_of_sweeps(prices)),
        ],
        key=lambda part: -part.dollars,
    )


def alarm_metrics(template: Template) -> int:
    """Count the metrics that all alarms watch; one on a sum watches each that it adds up."""
    return sum(
        sum("MetricStat" in metric for metric in alarm["Properties"].get("Metrics", ())) or 1
        for alarm in template["Resources"].values()
        if alarm["Type"] == "AWS::CloudWatch::Alarm"
    )


def detailed_routes(template: Template) -> int:
    """Count the routes that have metrics of their own."""
    api: Mapping[str, Mapping[str, Mapping[str, object]]] = template["Resources"]["Api"][
        "Properties"
    ]
    settings, default = api.get("RouteSettings", {}), api.get("DefaultRouteSettings", {})
    return sum(
        bool(settings.get(route, default).get("DetailedMetricsEnabled")) for route in api["Routes"]
    )


def metric_names() -> set[str]:
    """Give the names of all metrics that functions can count."""
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(_ENTRY.glob("*.py")))
    outcomes = [*Code, *re.findall(r'^DONE = "(\w+)"', source, re.MULTILINE), "replaced"]
    return {
        *Happening,
        *re.findall(r'\b(?:count|time)\(\s*"(\w+)"', source),
        *(f"Outcome.{outcome}" for outcome in outcomes),
        *(f"WakeUps.{name}" for name in re.findall(r'_handler\("(\w+)"', source)),
    }


def _cost_of_sweeps(prices: Prices) -> float:
    reads = prices.assumed["sweep_read_units"] * prices.dollars["dynamodb_read_units"]
    # At once a minute every one is traced.
    each = reads + prices.dollars["traces"]
    return (
        SWEEPS_A_MONTH * each
        + cost_of_invocations(SWEEPS_A_MONTH, prices)
        + cost_of_logs(SWEEPS_A_MONTH, prices)
    )
