"""What is packaged for AWS needs nothing but what is in it; its wheels come from the network."""

import ast
import json
import platform
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from wordle_tools.packaging.build import LambdaRuntime, build_for_lambda
from wordle_tools.packaging.template import Kind, granted_services, load_template, sources
from wordle_tools.project import ROOT, TEMPLATE

ARCHITECTURE = {"x86_64": "x86_64", "aarch64": "arm64"}
LARGEST_UNPACKED = 250 * 1024 * 1024
"""What AWS allows a function with all its layers, in bytes."""

IMPORT_ALL = """
import importlib.util, pathlib, sys
layers, functions = map(pathlib.Path, sys.argv[1:])
sys.path[:0] = [str(layers / "python")]
for path in sorted(functions.glob("*/handler.py")):
    spec = importlib.util.spec_from_file_location(path.parent.name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert callable(module.handler), path
    print(path.parent.name)
"""

MAKE_CLIENTS = """
import json, pathlib, sys
layers = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(layers / "python")]
import botocore.session
session = botocore.session.get_session()
for service in json.loads(sys.argv[2]):
    session.create_client(service, region_name="eu-central-1", endpoint_url="https://it.example")
print(json.dumps(session.get_available_services()))
"""

SOURCES = (ROOT / "functions", ROOT / "layers/shared/python")


def clients_made() -> set[str]:
    """What the code makes clients of, by the SDK's names; PynamoDB makes that of DynamoDB."""
    calls = [
        call
        for folder in SOURCES
        for path in folder.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in {"create_client", "client"}
    ]
    return {ast.literal_eval(call.args[0]) for call in calls} | {"dynamodb"}


@pytest.mark.timeout(300)
@pytest.mark.skipif(platform.system() != "Linux", reason="wheels for Lambda run on Linux alone")
def test_every_packaged_function_runs_on_its_artefacts_alone(tmp_path: Path) -> None:
    """Handlers can be imported, and every client can be made that their code makes."""
    template = load_template(TEMPLATE)
    runtime = LambdaRuntime(
        python=f"{sys.version_info.major}.{sys.version_info.minor}",
        architecture=ARCHITECTURE[platform.machine()],
        services=granted_services(template),
        interpreter=sys.executable,
    )
    found = sources(template, TEMPLATE.parent)
    artefacts = build_for_lambda(found, tmp_path / "build", runtime)
    layers, functions = tmp_path / "layers", tmp_path / "functions"
    for source in found:
        if source.kind is not Kind.STATE_MACHINE:
            own = layers if source.kind is Kind.LAYER else functions / source.path.name
            zipfile.ZipFile(artefacts[source.logical_id]).extractall(own)

    imported = subprocess.run(
        [sys.executable, "-I", "-S", "-c", IMPORT_ALL, str(layers), str(functions)],
        capture_output=True,
        text=True,
    )

    assert imported.returncode == 0, imported.stderr
    assert imported.stdout.split() == sorted(folder.name for folder in functions.iterdir())

    clients = clients_made()
    assert len(clients) > 1
    made = subprocess.run(
        [sys.executable, "-I", "-S", "-c", MAKE_CLIENTS, str(layers), json.dumps(sorted(clients))],
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    assert set(json.loads(made.stdout)) == clients, "no more of the SDK's data than is called for"

    unpacked = sum(file.stat().st_size for file in layers.rglob("*") if file.is_file())
    assert unpacked < LARGEST_UNPACKED

    third_party = [one for one in found if one.logical_id == "ThirdPartyLayer"]
    (again,) = build_for_lambda(third_party, tmp_path / "again", runtime).values()
    assert again.read_bytes() == artefacts["ThirdPartyLayer"].read_bytes()
