"""From the repository to artefacts, for this machine's interpreter or for the Lambda runtime."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from wordle_tools.packaging.archive import (
    build_once,
    compile_in_place,
    content_hash,
    copy_sources,
    folder_files,
)
from wordle_tools.packaging.template import Kind, Source, Template, granted_services

_REQUIREMENTS = "requirements.txt"
_WHEEL_PLATFORM = {"arm64": "aarch64-manylinux2014", "x86_64": "x86_64-manylinux2014"}

# What no function reads: examples for documentation, type stubs, tests, and all metadata but the
# name and version that `importlib.metadata` looks up.
_UNUSED = (
    ".lock",
    "bin",
    "botocore/data/*/*/examples-1.json*",
    "**/tests",
    "**/*.pyi",
    "**/*.dist-info/[!M]*",
)


@dataclass(frozen=True, slots=True)
class LambdaRuntime:
    """What functions find on AWS, as the template states it: interpreter, processor, and grants.

    `services` are those that anything is granted of. `interpreter` is a Python of that version on
    this machine: only that one can write its `.pyc`.
    """

    python: str
    architecture: str
    services: frozenset[str]
    interpreter: str | None

    @classmethod
    def of(cls, template: Template) -> LambdaRuntime:
        """The runtime that the template's functions share."""
        shared = template["Globals"]["Function"]
        runtime: str = shared["Runtime"]
        return cls(
            python=runtime.removeprefix("python"),
            architecture=shared["Architectures"][0],
            services=granted_services(template),
            interpreter=_working(runtime),
        )


def _working(command: str) -> str | None:
    """Where a command stands that really runs: version managers leave ones that only complain."""
    path = shutil.which(command)
    if path is None or subprocess.run([path, "-c", ""], capture_output=True).returncode != 0:
        return None
    return path


def build_for_this_machine(found: list[Source], folder: Path) -> dict[str, Path]:
    """Artefacts by logical id for the local cloud.

    Its functions run in the environment that it was started from, which holds the pinned packages
    of others: that layer stays empty and nothing is unpacked twenty times over.
    """
    salt = f"{sys.implementation.cache_tag}"

    def fill(source: Source, content: Path) -> None:
        if not _is_third_party(source):
            _copy(source, content)
            compile_in_place(content)

    return _build(found, folder, salt, fill)


def build_for_lambda(found: list[Source], folder: Path, runtime: LambdaRuntime) -> dict[str, Path]:
    """Artefacts by logical id for AWS; wheels are fetched for its processor, not for this one."""
    salt = f"{runtime.python} {runtime.architecture} {runtime.interpreter}"
    services = " ".join(sorted(runtime.services))

    def fill(source: Source, content: Path) -> None:
        if _is_third_party(source):
            _install(source.path / _REQUIREMENTS, content / "python", runtime)
        else:
            _copy(source, content)
        if runtime.interpreter is not None:
            compile_in_place(content, runtime.interpreter)

    return _build(found, folder, f"{salt} {services}", fill)


def unpack_for_lambda(
    found: list[Source], logical_id: str, folder: Path, runtime: LambdaRuntime, target: Path
) -> None:
    """Put what one artefact holds into a folder; KeyError if the template has no such part."""
    wanted = {source.logical_id: source for source in found}[logical_id]
    (archive,) = build_for_lambda([wanted], folder, runtime).values()
    with zipfile.ZipFile(archive) as content:
        content.extractall(target)


def _build(
    found: list[Source], folder: Path, salt: str, fill: Callable[[Source, Path], None]
) -> dict[str, Path]:
    def artefact(source: Source) -> Path:
        if source.kind is Kind.STATE_MACHINE:
            return source.path
        archive = folder / f"{source.logical_id}-{_hash(source, salt)}.zip"
        return build_once(archive, lambda content: fill(source, content))

    return {source.logical_id: artefact(source) for source in found}


def _hash(source: Source, salt: str) -> str:
    taken = _taken(source)
    return content_hash(folder_files(taken), taken, salt, _own_hash())


def _copy(source: Source, content: Path) -> None:
    taken = _taken(source)
    copy_sources(taken, content / taken.relative_to(source.path))


def _taken(source: Source) -> Path:
    """What is deployed of a folder: of a layer, Lambda's Python looks at nothing but `python`."""
    if source.kind is Kind.LAYER and not _is_third_party(source):
        return source.path / "python"
    return source.path


@cache
def _own_hash() -> str:
    """What was built by other code than this is built again."""
    own = Path(__file__).parent
    return content_hash(folder_files(own), own)


def _is_third_party(source: Source) -> bool:
    return (source.path / _REQUIREMENTS).exists()


def _install(requirements: Path, target: Path, runtime: LambdaRuntime) -> None:
    # Not pip: that would leave out what is only meant for a Python other than this one.
    subprocess.run(
        [
            *(sys.executable, "-m", "uv", "pip", "install", "--quiet", "--target", str(target)),
            *("--no-deps", "--only-binary", ":all:", "--link-mode", "copy"),
            *("--python-platform", _WHEEL_PLATFORM[runtime.architecture]),
            *("--python-version", runtime.python, "--requirement", str(requirements)),
        ],
        check=True,
    )
    for pattern in _UNUSED:
        for path in list(target.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    _drop_other_services(target / "botocore" / "data", runtime.services)


def _drop_other_services(data: Path, services: Container[str]) -> None:
    """Leave of the SDK's data what functions are granted something of: they can call nothing else.

    See docs/decisions/0043-slim-sdk-data.md.
    """
    for model in list(data.glob("*/*/service-2.json.gz")):
        metadata = json.loads(gzip.decompress(model.read_bytes()))["metadata"]
        if metadata["endpointPrefix"] not in services:
            shutil.rmtree(model.parent)
