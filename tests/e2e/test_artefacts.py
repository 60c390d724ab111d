"""What is packaged for AWS needs nothing but what is in it; its wheels come from the network."""

import platform
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from wordle_tools.packaging.build import LambdaRuntime, build_for_lambda
from wordle_tools.packaging.template import Kind, load_template, sources
from wordle_tools.project import TEMPLATE

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


@pytest.mark.timeout(300)
@pytest.mark.skipif(platform.system() != "Linux", reason="wheels for Lambda run on Linux alone")
def test_every_packaged_function_can_be_imported_from_its_artefacts_alone(tmp_path: Path) -> None:
    runtime = LambdaRuntime(
        python=f"{sys.version_info.major}.{sys.version_info.minor}",
        architecture=ARCHITECTURE[platform.machine()],
        interpreter=sys.executable,
    )
    found = sources(load_template(TEMPLATE), TEMPLATE.parent)
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
    unpacked = sum(file.stat().st_size for file in layers.rglob("*") if file.is_file())
    assert unpacked < LARGEST_UNPACKED

    third_party = [one for one in found if one.logical_id == "ThirdPartyLayer"]
    (again,) = build_for_lambda(third_party, tmp_path / "again", runtime).values()
    assert again.read_bytes() == artefacts["ThirdPartyLayer"].read_bytes()
