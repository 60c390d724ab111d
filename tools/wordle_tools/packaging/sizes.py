"""How large artefacts are, held against what AWS allows."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from wordle_tools.packaging.template import Kind

LARGEST_UNPACKED = 250 * 1024 * 1024
"""What AWS allows a function with all its layers, unpacked, in bytes."""

LARGEST_DEFINITION = 1024 * 1024
"""What AWS allows the definition of a state machine, in bytes."""


def unpacked_size(archive: Path) -> int:
    """The bytes of everything in a zip when it is unpacked."""
    with zipfile.ZipFile(archive) as content:
        return sum(entry.file_size for entry in content.infolist())


def largest_deployed(artefacts: Mapping[str, Path], kinds: Mapping[str, Kind]) -> int:
    """The unpacked bytes of the largest function together with all layers."""
    sizes = {
        kind: [unpacked_size(path) for name, path in artefacts.items() if kinds[name] is kind]
        for kind in (Kind.FUNCTION, Kind.LAYER)
    }
    return sum(sizes[Kind.LAYER]) + max(sizes[Kind.FUNCTION], default=0)


def too_large(artefacts: Mapping[str, Path], kinds: Mapping[str, Kind]) -> bool:
    """Tell whether AWS would refuse the artefacts for their size."""
    definitions = [
        path.stat().st_size for name, path in artefacts.items() if kinds[name] is Kind.STATE_MACHINE
    ]
    return (
        largest_deployed(artefacts, kinds) > LARGEST_UNPACKED
        or max(definitions, default=0) > LARGEST_DEFINITION
    )


def report(artefacts: Mapping[str, Path], kinds: Mapping[str, Kind]) -> str:
    """A line for each artefact, packed and unpacked, and the share of what AWS allows."""
    lines = [f"{'packed':>12} {'unpacked':>12}"]
    for name, path in sorted(artefacts.items()):
        archive = kinds[name] is not Kind.STATE_MACHINE
        unpacked = unpacked_size(path) if archive else path.stat().st_size
        lines.append(f"{_kilobytes(path.stat().st_size)} {_kilobytes(unpacked)}  {name}")
    largest = largest_deployed(artefacts, kinds)
    lines.append(
        f"The largest function with its layers is {largest / LARGEST_UNPACKED:.0%} "
        "of what AWS allows unpacked."
    )
    return "\n".join(lines)


def _kilobytes(size: int) -> str:
    return f"{size / 1024:9.1f} KB"
