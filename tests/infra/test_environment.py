"""What functions read of their environment is what the template gives them, no less, no more."""

import re

from wordle_tools.packaging.template import Template
from wordle_tools.project import ROOT

SETTINGS = ROOT / "layers/shared/python/wordle_tournament/entry/settings.py"


def test_functions_read_what_they_are_given(template: Template) -> None:
    given = set(template["Globals"]["Function"]["Environment"]["Variables"])
    for resource in template["Resources"].values():
        environment = resource.get("Properties", {}).get("Environment", {})
        given |= set(environment.get("Variables", {}))
    read = set(re.findall(r'"([A-Z][A-Z_]+)"', SETTINGS.read_text(encoding="utf-8")))

    # Some is for libraries, and some is given by Lambda itself.
    assert {name for name in read if not name.startswith("AWS_")} == {
        name for name in given if not name.startswith(("AWS_", "POWERTOOLS_"))
    }


def test_no_secret_stands_in_an_environment(template: Template) -> None:
    assert "GetSecretValue" not in str(template["Globals"])
    assert "resolve:" not in str(template)
