"""Items outlive the code that wrote them: each release reads what earlier ones have written.

A file in `formats` holds the examples as the items that a release makes of them. Files are never
changed; a release that writes otherwise adds one.
"""

import json
from copy import deepcopy
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.conftest import TABLES, Dynamo
from tests.contracts.examples import (
    BARE,
    FULL,
    FULL_DUEL,
    FULL_PLAYER,
    TOURNAMENT,
    a_group,
    creation,
)
from wordle_tournament.ports.store import Store

Format = dict[str, dict[str, dict[str, Any]]]
"""Items by the kind of example and by table."""

EXAMPLES = {"bare": BARE, "full": FULL}
FORMATS = sorted(
    (Path(__file__).parent / "formats").glob("*.json"), key=lambda file: int(file.stem)
)


def read_format(file: Path) -> Format:
    found: Format = json.loads(file.read_text(encoding="utf-8"))
    return found


def put(dynamo: Dynamo, items: dict[str, dict[str, Any]]) -> None:
    for table, item in items.items():
        dynamo.client.put_item(TableName=table, Item=item)


def load(store: Store) -> list[Any]:
    """What the store makes of the one item in each table."""
    (result,) = store.results(FULL_PLAYER.id, before=None, limit=1)
    (duel,) = store.played(TOURNAMENT, FULL_PLAYER.id)
    return [
        store.player(FULL_PLAYER.id),
        store.room("uk"),
        store.tournament(TOURNAMENT),
        duel,
        store.group(a_group().code),
        result,
    ]


def with_more_everywhere(value: Any) -> Any:
    """Attributes as a later release might add them, to items and to the records within."""
    match value:
        case {"M": {**inner}} if "player" in inner or "players" in inner:
            return {"M": {**{k: with_more_everywhere(v) for k, v in inner.items()}, **LATER}}
        case {"L": [*elements]}:
            return {"L": [with_more_everywhere(element) for element in elements]}
        case _:
            return deepcopy(value)


LATER = {"later": {"S": "of a later release"}}


@pytest.mark.parametrize("example", EXAMPLES)
def test_what_is_written_is_the_newest_format_on_file(
    dynamo: Dynamo, tmp_path: Path, example: str
) -> None:
    dynamo.store.commit(*map(creation, EXAMPLES[example]))

    written = {
        table: dynamo.client.scan(TableName=table)["Items"][0] for table in asdict(TABLES).values()
    }

    (tmp_path / "written.json").write_text(json.dumps(written), encoding="utf-8")
    assert written == read_format(FORMATS[-1])[example], f"add a file: {tmp_path}/written.json"


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("file", FORMATS, ids=lambda file: f"format {file.stem}")
def test_every_format_that_was_ever_written_is_read(
    dynamo: Dynamo, file: Path, example: str
) -> None:
    put(dynamo, read_format(file)[example])

    assert load(dynamo.store) == [replace(one, revision=1) for one in EXAMPLES[example]]


def test_what_a_later_release_adds_is_no_obstacle(dynamo: Dynamo) -> None:
    items = read_format(FORMATS[-1])["full"]
    later = {
        table: {name: with_more_everywhere(value) for name, value in item.items()} | LATER
        for table, item in items.items()
    }
    assert json.dumps(later).count("later release") > len(later)
    put(dynamo, later)

    assert load(dynamo.store) == [replace(one, revision=1) for one in FULL]
    dynamo.store.play(
        replace(FULL_DUEL, revision=1), replace(FULL_DUEL, revision=1, rows=FULL_DUEL.rows[:1])
    )
    assert dynamo.client.scan(TableName="Duels")["Items"][0].items() >= LATER.items()
