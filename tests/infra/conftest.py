"""The template and the state machines, read once."""

import json
from typing import Any

import pytest

from wordle_tools.packaging.template import Template, load_template
from wordle_tools.project import ROOT, TEMPLATE

Definition = dict[str, Any]


def of_type(template: Template, type_: str) -> dict[str, Any]:
    """The resources of one type, by logical id."""
    return {
        name: resource
        for name, resource in template["Resources"].items()
        if resource["Type"] == type_
    }


@pytest.fixture(scope="session")
def template() -> Template:
    return load_template(TEMPLATE)


@pytest.fixture(scope="session", params=["round_clock", "reconnect_grace"])
def definition(request: pytest.FixtureRequest) -> Definition:
    file = ROOT / "infra" / "state_machines" / f"{request.param}.asl.json"
    parsed: Definition = json.loads(file.read_text(encoding="utf-8"))
    return parsed
