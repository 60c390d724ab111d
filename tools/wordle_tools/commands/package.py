"""`wordle-tournament package`: artefacts for AWS that need no further build."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordle_tools.commands import Subparsers


def register(subparsers: Subparsers) -> None:
    """Add the command and its options."""
    parser = subparsers.add_parser(
        "package", help="build the artefacts for AWS and a template that names them"
    )
    parser.set_defaults(run=run)


def run(_arguments: argparse.Namespace) -> int:
    """Build everything into `.build/lambda` and tell the sizes."""
    import json
    import sys

    from wordle_tools.packaging.build import LambdaRuntime, build_for_lambda
    from wordle_tools.packaging.template import load_template, relocated, sources
    from wordle_tools.project import BUILD, TEMPLATE

    folder = BUILD / "lambda"
    template = load_template(TEMPLATE)
    runtime = LambdaRuntime.of(template)
    if runtime.interpreter is None:
        print(
            f"No python{runtime.python} found here to compile for: "
            "the artefacts carry no .pyc files, which makes cold starts slower.",
            file=sys.stderr,
        )
    artefacts = build_for_lambda(sources(template, TEMPLATE.parent), folder, runtime)
    for logical_id, path in sorted(artefacts.items()):
        print(f"{path.stat().st_size / 1024:10.1f} KB  {logical_id}")
    packaged = folder / "template.json"
    locations = {name: _relative(path, folder) for name, path in artefacts.items()}
    packaged.write_text(json.dumps(relocated(template, locations), indent=2), encoding="utf-8")
    print(f"Template: {packaged.relative_to(BUILD.parent)}")
    return 0


def _relative(path: Path, folder: Path) -> str:
    return os.path.relpath(path, folder)
