"""Reproducible zips, named by what is in them, so that nothing is built twice."""

from __future__ import annotations

import compileall
import hashlib
import os
import py_compile
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

_EARLIEST_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", "Makefile", "README.md", ".*")


def folder_files(folder: Path) -> list[Path]:
    """What packaging takes from a folder, in a fixed order; FileNotFoundError if nothing."""
    files = sorted(_walk(folder))
    if not files:
        raise FileNotFoundError(f"{folder} holds nothing to package")
    return files


def content_hash(files: Iterable[Path], folder: Path, *salt: str) -> str:
    """A name for the content of files: their paths below the folder, their bytes and the salt."""
    digest = hashlib.sha256("\0".join(salt).encode())
    for file in files:
        content = file.read_bytes()
        digest.update(f"\0{file.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def build_once(archive: Path, fill: Callable[[Path], None]) -> Path:
    """Make the archive from what `fill` puts into an empty folder, unless it is there already."""
    if archive.exists():
        return archive
    archive.parent.mkdir(parents=True, exist_ok=True)
    with _scratch_folder(archive.parent) as scratch:
        content = scratch / "content"
        content.mkdir()
        fill(content)
        unfinished = scratch / archive.name
        _write_zip(content, unfinished)
        # Others may be building the same: whoever comes last replaces like with like.
        unfinished.replace(archive)
    return archive


def drop_other_archives(folder: Path, kept: Iterable[Path]) -> None:
    """Remove from a folder the archives that earlier sources have made."""
    for archive in set(folder.glob("*.zip")) - set(kept):
        # Others may be tidying up, too.
        archive.unlink(missing_ok=True)


def copy_sources(source: Path, target: Path) -> None:
    """Copy a folder of sources without caches and without what only the build reads."""
    shutil.copytree(source, target, ignore=_LEFT_OUT, dirs_exist_ok=True)


def compile_in_place(folder: Path, interpreter: str | None = None) -> None:
    """Write unchecked-hash `.pyc` files beside all sources, with another interpreter if named.

    Checked ones would be compared with their sources' times, which a zip does not keep.
    """
    if interpreter is None:
        compileall.compile_dir(
            folder,
            quiet=1,
            stripdir=folder,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
        return
    subprocess.run(
        [
            *(interpreter, "-m", "compileall", "-q", "-s", str(folder)),
            *("--invalidation-mode", "unchecked-hash", str(folder)),
        ],
        check=True,
    )


def _walk(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        left_out = _LEFT_OUT(parent, [*folders, *names])
        folders[:] = [name for name in folders if name not in left_out]
        yield from (Path(parent, name) for name in names if name not in left_out)


def _write_zip(folder: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(file.relative_to(folder).as_posix(), _EARLIEST_ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            out.writestr(entry, file.read_bytes())


@contextmanager
def _scratch_folder(parent: Path) -> Iterator[Path]:
    """A folder on the same file system as the result, so that moving it there is atomic."""
    with tempfile.TemporaryDirectory(prefix=".unfinished-", dir=parent) as scratch:
        yield Path(scratch)
