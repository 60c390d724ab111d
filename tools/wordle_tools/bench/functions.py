"""The functions of the repository, loaded as Lambda does, and the environment they are given."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from wordle_tools.project import ROOT, TEMPLATE

Handler = Callable[[dict[str, Any], object], Any]


@cache
def load_handler(function: str) -> Handler:
    """Import the handler in a folder of `functions`."""
    path = ROOT / "functions" / function / "handler.py"
    spec = spec_from_file_location(f"functions.{function}.handler", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be imported")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    handler: Handler = module.handler
    return handler


def leave_out_development() -> None:
    """Hide from imports what is installed here and in no layer."""
    sys.modules["cryptography"] = None  # type: ignore[assignment]


def stand_in_environment(push_endpoint: str) -> Mapping[str, str]:
    """Give every variable of the template a value: the default of its parameter, or its name."""
    from wordle_tools.packaging.template import load_template

    template = load_template(TEMPLATE)
    variables = template["Globals"]["Function"]["Environment"]["Variables"]
    parameters = template["Parameters"]

    def value(name: str, given: str | dict[str, str]) -> str:
        if isinstance(given, str):
            return given
        parameter = parameters.get(given.get("Ref"), {})
        return str(parameter.get("Default", name))

    return {
        **{name: value(name, given) for name, given in variables.items()},
        "SIGNING_KEYS_SECRET": "signing-keys",
        "PUSH_ENDPOINT": push_endpoint,
        "AWS_DEFAULT_REGION": "eu-central-1",
        "AWS_ACCESS_KEY_ID": "nobody",
        "AWS_SECRET_ACCESS_KEY": "nothing",
    }
