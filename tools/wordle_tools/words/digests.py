"""Words that must not appear, kept as digests so that no file spells them out."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

_LENGTH = 16


def digest(code: str, word: str) -> str:
    """Give the digest of a canonical word of a language."""
    return hashlib.sha256(f"{code}:{word}".encode()).hexdigest()[:_LENGTH]


def read(path: Path) -> dict[str, frozenset[str]]:
    """Read lines of a language code and a digest as digests by language."""
    found: dict[str, set[str]] = {}
    for line in path.read_text(encoding="ascii").split("\n"):
        if line and not line.startswith("#"):
            code, value = line.split(" ")
            found.setdefault(code, set()).add(value)
    return {code: frozenset(values) for code, values in found.items()}


def write(path: Path, heading: str, words: Iterable[tuple[str, str]]) -> None:
    """Write the digests of words given with their language, sorted."""
    lines = sorted(f"{code} {digest(code, word)}" for code, word in words)
    path.write_text("\n".join([f"# {heading}", *lines]) + "\n", encoding="ascii")
