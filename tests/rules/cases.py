"""The handed cases: tables worked out by hand, one row a case."""

from pathlib import Path

_FOLDER = Path(__file__).parent.parent / "cases"


def read_cases(name: str) -> list[tuple[str, ...]]:
    """Read the rows of the table `name`, without its comments."""
    lines = (_FOLDER / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    rows = [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]
    assert rows, f"no cases in {name}.tsv"
    return rows
