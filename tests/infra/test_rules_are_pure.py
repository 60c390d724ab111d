"""What import contracts cannot say of the rules: nothing but the standard library, and no clock."""

import ast
import sys
from pathlib import Path

import pytest

from wordle_tools.project import ROOT

RULES = ROOT / "layers/shared/python/wordle_tournament/rules"
CLOCKS = {"now", "utcnow", "today"}
OUTSIDE = {"open", "print", "input"}


def modules() -> list[Path]:
    found = sorted(RULES.rglob("*.py"))
    assert found
    return found


def imported(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.stem)
def test_a_module_of_the_rules_imports_the_standard_library_and_other_rules(module: Path) -> None:
    outside = {
        name
        for name in imported(ast.parse(module.read_text(encoding="utf-8")))
        if name.split(".")[0] not in sys.stdlib_module_names
    }

    assert all(name.startswith("wordle_tournament.rules") for name in outside)


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.stem)
def test_a_module_of_the_rules_looks_at_no_clock_and_does_no_input_or_output(module: Path) -> None:
    calls = [
        node.func
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]

    assert not [call for call in calls if isinstance(call, ast.Attribute) and call.attr in CLOCKS]
    assert not [call for call in calls if isinstance(call, ast.Name) and call.id in OUTSIDE]
