"""The SAM template as data: what it takes from the repository, and how that is replaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from samtranslator.yaml_helper import yaml_parse

Template = dict[str, Any]


class Kind(StrEnum):
    """What a part of the repository becomes."""

    FUNCTION = "AWS::Serverless::Function"
    LAYER = "AWS::Serverless::LayerVersion"
    STATE_MACHINE = "AWS::Serverless::StateMachine"


_LOCATION_PROPERTY = {
    Kind.FUNCTION: "CodeUri",
    Kind.LAYER: "ContentUri",
    Kind.STATE_MACHINE: "DefinitionUri",
}


@dataclass(frozen=True, slots=True)
class Source:
    """One resource whose content the template takes from a folder or file of the repository."""

    logical_id: str
    kind: Kind
    path: Path


def load_template(path: Path) -> Template:
    """Read a template; short forms such as `!Ref` become their long forms."""
    template: Template = yaml_parse(path.read_text(encoding="utf-8"))
    return template


def sources(template: Template, folder: Path) -> list[Source]:
    """Everything the template takes from the repository, as named relative to its folder."""
    return [
        Source(logical_id, kind, folder / resource["Properties"][_LOCATION_PROPERTY[kind]])
        for logical_id, resource in template["Resources"].items()
        if (kind := _kind(resource)) is not None
    ]


def granted_services(template: Template) -> frozenset[str]:
    """The services, as IAM names them, of all actions that functions are granted."""
    resources = template["Resources"]
    policies = [
        resources.get(policy.get("Ref"), policy)
        for resource in resources.values()
        if _kind(resource) is Kind.FUNCTION
        for policy in resource["Properties"].get("Policies", ())
    ]
    return frozenset(action.partition(":")[0] for action in _actions(policies))


def relocated(template: Template, locations: Mapping[str, object]) -> Template:
    """The template with each logical id's content taken from the given location instead."""
    result = deepcopy(template)
    for logical_id, location in locations.items():
        resource = result["Resources"][logical_id]
        resource["Properties"][_LOCATION_PROPERTY[Kind(resource["Type"])]] = location
    return result


def _actions(part: object) -> Iterator[str]:
    if isinstance(part, list):
        for element in part:
            yield from _actions(element)
    elif isinstance(part, Mapping):
        for name, value in part.items():
            if name == "Action":
                yield from [value] if isinstance(value, str) else value
            else:
                yield from _actions(value)


def _kind(resource: Mapping[str, Any]) -> Kind | None:
    return Kind(resource["Type"]) if resource["Type"] in set(Kind) else None
