"""`wordle-tournament package`: artefacts for AWS that need no further build."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordle_tools.commands import Subparsers
    from wordle_tools.packaging.build import LambdaRuntime


def register(subparsers: Subparsers) -> None:
    """Add the command and its options."""
    parser = subparsers.add_parser(
        "package", help="build the artefacts for AWS and a template that names them"
    )
    parser.add_argument("--layer", metavar="ID", help="build this layer alone, into a folder")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="the folder for --layer")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Build everything into `.build/lambda` and tell the sizes, or one layer into a folder."""
    from wordle_tools.packaging.archive import drop_other_archives
    from wordle_tools.packaging.build import LambdaRuntime, build_for_lambda, unpack_for_lambda
    from wordle_tools.packaging.sizes import report, too_large
    from wordle_tools.packaging.template import load_template, relocated, sources
    from wordle_tools.project import BUILD, TEMPLATE

    if (arguments.layer is None) != (arguments.into is None):
        print("--layer and --into go together.", file=sys.stderr)
        return 2
    folder = BUILD / "lambda"
    template = load_template(TEMPLATE)
    found = sources(template, TEMPLATE.parent)
    runtime = LambdaRuntime.of(template)
    _warn_without_interpreter(runtime)
    if arguments.layer is not None:
        unpack_for_lambda(found, arguments.layer, folder, runtime, arguments.into)
        return 0
    artefacts = build_for_lambda(found, folder, runtime)
    drop_other_archives(folder, artefacts.values())
    kinds = {source.logical_id: source.kind for source in found}
    print(report(artefacts, kinds))
    packaged = folder / "template.json"
    locations = {name: _relative(path, folder) for name, path in artefacts.items()}
    packaged.write_text(_written(relocated(template, locations)), encoding="utf-8")
    print(f"Template: {packaged.relative_to(BUILD.parent)}")
    return 1 if too_large(artefacts, kinds) else 0


def _written(template: dict[str, object]) -> str:
    import json

    return json.dumps(template, indent=2)


def _warn_without_interpreter(runtime: LambdaRuntime) -> None:
    if runtime.interpreter is None:
        print(
            f"No python{runtime.python} found here to compile for: "
            "the artefacts carry no .pyc files, which makes cold starts slower.",
            file=sys.stderr,
        )


def _relative(path: Path, folder: Path) -> str:
    return os.path.relpath(path, folder)
