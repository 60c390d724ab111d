"""A folder of saved tables: a gzip file of DynamoDB JSON lines for each, and their checksums.

The lines are those of DynamoDB's own exports to S3, the checksums those of `sha256sum`: an export
can be made into such a folder, and anybody can check one. Nobody else may read it, since hidden
words and what players did stand in it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

Item = dict[str, dict[str, Any]]
"""An item as DynamoDB speaks of it: names of attributes, each with {type: value}."""

CHECKSUMS = "SHA256SUMS"
_CHECKSUM = re.compile(r"([0-9a-f]{64}) [ *](.+)")


class UnusableFolderError(Exception):
    """Nothing can be saved into a folder, or nothing may be loaded from it; the text says why."""


def prepare(folder: Path) -> None:
    """Make the folder that is to be saved into, unless it is there and empty."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise UnusableFolderError(f"{folder} is not empty; what was saved before stays as it is.")


def write_table(folder: Path, table: str, items: Iterable[Item]) -> None:
    """Write the items of a table as they come; they count only once the folder is sealed."""
    with (
        _create(_file(folder, table)) as file,
        gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed,
    ):
        for item in items:
            line = json.dumps({"Item": item}, ensure_ascii=False, separators=(",", ":"))
            packed.write(f"{line}\n".encode())


def seal(folder: Path, tables: Iterable[str]) -> None:
    """Write the checksums, without which nothing is loaded: the folder is complete."""
    files = [_file(folder, table) for table in tables]
    unfinished = folder / f"{CHECKSUMS}.unfinished"
    with _create(unfinished) as sums:
        sums.write("".join(f"{_digest(file)}  {file.name}\n" for file in files).encode())
    unfinished.rename(folder / CHECKSUMS)


def check(folder: Path, attributes: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Count the items of tables, given what each must have, after reading all that is to be loaded.

    Raises UnusableFolderError unless every file is there, as it was written, and made of items
    of its table.
    """
    sums = _checksums(folder)
    for table in attributes:
        file = _file(folder, table)
        if file.name not in sums or not file.is_file():
            raise UnusableFolderError(f"{folder} has no {file.name}.")
        if _digest(file) != sums[file.name]:
            raise UnusableFolderError(f"{file} is not what was saved: its checksum is another.")
    return {table: _count(folder, table, needed) for table, needed in attributes.items()}


def read_table(folder: Path, table: str) -> Iterator[Item]:
    """Read the items of a table as they are asked for; raises UnusableFolderError."""
    file = _file(folder, table)
    for number, line in enumerate(_unpack(file), start=1):
        try:
            item: Item = json.loads(line)["Item"]
        except (ValueError, LookupError, TypeError) as error:
            # Not from what it holds: that may be a hidden word.
            raise UnusableFolderError(f"{file}: line {number} holds no item.") from error
        yield item


def _unpack(file: Path) -> Iterator[bytes]:
    try:
        with gzip.open(file) as lines:
            yield from lines
    except (EOFError, OSError, zlib.error) as error:
        raise UnusableFolderError(f"{file} cannot be unpacked: {error}") from error


def _count(folder: Path, table: str, needed: Sequence[str]) -> int:
    number = 0
    for number, item in enumerate(read_table(folder, table), start=1):
        if not isinstance(item, dict) or not set(needed) <= item.keys():
            raise UnusableFolderError(f"{_file(folder, table)}: line {number} is not of {table}.")
    return number


def _checksums(folder: Path) -> dict[str, str]:
    try:
        lines = (folder / CHECKSUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise UnusableFolderError(
            f"{folder} has no readable {CHECKSUMS}: nothing was saved there, or not to the end."
        ) from error
    matches = [_CHECKSUM.fullmatch(line) for line in lines]
    return {match[2]: match[1] for match in matches if match is not None}


def _file(folder: Path, table: str) -> Path:
    return folder / f"{table}.json.gz"


def _create(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
