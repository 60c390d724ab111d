"""What was saved is what is loaded, and nothing is written of what is not what was saved."""

import gzip
import hashlib
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from wordle_tools.backup.tables import OWN_ATTRIBUTES, TABLES, StoredTable
from wordle_tools.cli import main
from wordle_tools.packaging.template import load_template
from wordle_tools.project import TEMPLATE

RESOURCES = load_template(TEMPLATE)["Resources"]

Item = dict[str, dict[str, Any]]
Stored = dict[str, list[Item]]

SECRET = "zzxqj"
"""Stands for the hidden word of a running duel."""


def physical(table: str) -> str:
    return f"stack-{table}-1x"


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The tables of the template, entered."""
    monkeypatch.setattr("wordle_tools.deployed.enter", lambda _: None)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    with mock_aws():
        client: Any = boto3.Session().client("dynamodb")
        for table, variable in TABLES.items():
            create(client, table, physical(table))
            monkeypatch.setenv(variable, physical(table))
        yield client


def create(client: Any, table: str, name: str) -> None:
    properties = RESOURCES[table]["Properties"]
    wanted = ("KeySchema", "AttributeDefinitions", "BillingMode", "GlobalSecondaryIndexes")
    client.create_table(
        TableName=name, **{one: properties[one] for one in wanted if one in properties}
    )


def key_of(table: str) -> list[str]:
    schema = RESOURCES[table]["Properties"]["KeySchema"]
    return [key["AttributeName"] for key in schema]


def items(table: str, count: int = 3) -> list[Item]:
    return [
        {
            **{key: {"S": f"{number:04}"} for key in key_of(table)},
            OWN_ATTRIBUTES[table]: {"S": "of this table"},
            "name": {"S": "Zoë Ж"},
            "word": {"S": SECRET},
            "revision": {"N": "7"},
            "members": {"L": [{"M": {"erased": {"BOOL": False}, "at": {"NULL": True}}}]},
        }
        for number in range(count)
    ]


def fill(client: Any, count: int = 3) -> Stored:
    for table in TABLES:
        for item in items(table, count):
            client.put_item(TableName=physical(table), Item=item)
    return read(client)


def read(client: Any) -> Stored:
    """All that stands in the tables."""

    def all_of(table: str) -> list[Item]:
        found: list[Item] = client.scan(TableName=physical(table))["Items"]
        return sorted(found, key=lambda item: [item[key]["S"] for key in key_of(table)])

    return {table: all_of(table) for table in TABLES}


def empty(client: Any) -> None:
    for table in TABLES:
        for item in client.scan(TableName=physical(table))["Items"]:
            client.delete_item(
                TableName=physical(table), Key={key: item[key] for key in key_of(table)}
            )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "copies" / "monday"


def save(folder: Path, *options: str) -> int:
    return main(["tables", "save", "--into", str(folder), *options])


def load(folder: Path, *options: str) -> int:
    return main(["tables", "load", "--from", str(folder), *options])


def test_what_was_saved_is_loaded_into_empty_tables(dynamodb: Any, folder: Path) -> None:
    stored = fill(dynamodb)
    assert save(folder) == 0
    empty(dynamodb)

    assert load(folder) == 0

    assert read(dynamodb) == stored


def test_a_table_of_more_than_a_page_and_more_than_is_held_in_memory_is_whole(
    dynamodb: Any, folder: Path
) -> None:
    """A page of DynamoDB is a megabyte."""
    for number in range(600):
        item = {"id": {"S": f"{number:04}"}, "rating": {"N": "1"}, "padding": {"S": "x" * 4000}}
        dynamodb.put_item(TableName=physical("PlayersTable"), Item=item)
    assert save(folder, "--only", "PlayersTable") == 0
    empty(dynamodb)

    assert load(folder, "--only", "PlayersTable") == 0

    pages = dynamodb.get_paginator("scan").paginate(TableName=physical("PlayersTable"))
    found = {item["id"]["S"] for page in pages for item in page["Items"]}
    assert len(found) == 600


def test_only_who_saved_may_read_what_was_saved(dynamodb: Any, folder: Path) -> None:
    fill(dynamodb)

    save(folder)

    assert folder.stat().st_mode & 0o777 == 0o700
    files = {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}
    assert files == dict.fromkeys([*(f"{table}.json.gz" for table in TABLES), "SHA256SUMS"], 0o600)


def test_the_files_are_what_an_export_of_dynamodb_is_made_of(dynamodb: Any, folder: Path) -> None:
    """So its files, one after another, can be loaded, and these be imported."""
    fill(dynamodb)
    save(folder)
    checked = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder)
    assert checked.returncode == 0
    file = folder / "PlayersTable.json.gz"
    first, *others = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    assert first.startswith(b'{"Item":{"')

    file.write_bytes(gzip.compress(first) + gzip.compress(b"".join(others)))
    seal(file)
    empty(dynamodb)

    assert load(folder, "--only", "PlayersTable") == 0
    assert read(dynamodb)["PlayersTable"] == items("PlayersTable")


def seal(file: Path) -> None:
    """Write the one checksum anew, as whoever has made the file would."""
    sums = file.parent / "SHA256SUMS"
    others = [line for line in sums.read_text().splitlines() if not line.endswith(file.name)]
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    sums.write_text("\n".join([*others, f"{digest}  {file.name}"]) + "\n")


def test_another_table_is_read_in_the_place_of_a_damaged_one(dynamodb: Any, folder: Path) -> None:
    stored = fill(dynamodb)
    create(dynamodb, "PlayersTable", "players-of-ten")
    restored = {"id": {"S": "of ten o'clock"}, "rating": {"N": "1018"}}
    dynamodb.put_item(TableName="players-of-ten", Item=restored)

    assert save(folder, "--from", "PlayersTable=players-of-ten") == 0
    assert load(folder, "--replace") == 0

    assert read(dynamodb) == {**stored, "PlayersTable": [restored]}


def test_what_stands_is_not_overwritten_unless_it_is_to_be_replaced(
    dynamodb: Any, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = fill(dynamodb)
    save(folder)
    renamed = {**items("PlayersTable")[0], "name": {"S": "Ann"}}
    newcomer = {"id": {"S": "new"}, "name": {"S": "Bob"}}
    for item in (renamed, newcomer):
        dynamodb.put_item(TableName=physical("PlayersTable"), Item=item)
    gone = {"id": {"S": "0002"}}
    dynamodb.delete_item(TableName=physical("PlayersTable"), Key=gone)
    capsys.readouterr()

    assert load(folder) == 0
    assert "PlayersTable: 1 put, 1 there already, 1 kept as it was" in capsys.readouterr().err
    now = read(dynamodb)["PlayersTable"]
    assert renamed in now
    assert newcomer in now
    assert len(now) == 4

    assert load(folder, "--replace") == 0
    assert read(dynamodb) == stored


def test_loading_twice_is_loading_once(
    dynamodb: Any, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = fill(dynamodb)
    save(folder)
    for options in ([], [], ["--replace"], ["--replace"]):
        assert load(folder, *options) == 0
        assert read(dynamodb) == stored
    assert "kept as it was" in capsys.readouterr().err


@pytest.mark.parametrize("options", [[], ["--replace"]])
def test_a_load_that_is_killed_in_the_middle_goes_on_when_repeated(
    dynamodb: Any, folder: Path, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = fill(dynamodb, count=20)
    save(folder)
    dynamodb.put_item(TableName=physical("GroupsTable"), Item={"code": {"S": "new"}})
    if not options:
        empty(dynamodb)
    put = StoredTable._put

    def put_until_killed(table: StoredTable, item: Item) -> Any:
        if item.get("code") == {"S": "0011"}:
            raise KeyboardInterrupt
        return put(table, item)

    with monkeypatch.context() as killing:
        killing.setattr(StoredTable, "_put", put_until_killed)
        with pytest.raises(KeyboardInterrupt):
            load(folder, *options)
    assert read(dynamodb)["PlayersTable"] == stored["PlayersTable"]
    assert read(dynamodb)["TournamentsTable"] == []

    assert load(folder, *options) == 0

    assert read(dynamodb) == stored


def test_what_was_saved_of_another_table_is_not_loaded(
    dynamodb: Any, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Players and tournaments have the same key."""
    stored = fill(dynamodb)
    swapped = (
        f"PlayersTable={physical('TournamentsTable')}",
        f"TournamentsTable={physical('PlayersTable')}",
    )
    assert save(folder, "--from", *swapped) == 0

    assert load(folder, "--replace") == 1

    assert "line 1 is not of PlayersTable" in capsys.readouterr().err
    assert read(dynamodb) == stored


def test_a_write_of_somebody_else_in_the_middle_of_replacing_is_told(
    dynamodb: Any,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fill(dynamodb)
    save(folder)
    clear = StoredTable.clear
    stranger = {"id": {"S": "0001"}, "name": {"S": "new here"}}

    def clear_and_be_written_to(table: StoredTable) -> Iterator[None]:
        yield from clear(table)
        if table.keys == ["id"]:
            dynamodb.put_item(TableName=physical("PlayersTable"), Item=stranger)

    monkeypatch.setattr(StoredTable, "clear", clear_and_be_written_to)

    assert load(folder, "--replace") == 1

    assert "stop the functions and load again" in capsys.readouterr().err
    assert stranger in read(dynamodb)["PlayersTable"]


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-9])


def cut_and_seal(file: Path) -> None:
    cut(file)
    seal(file)


def spoil_and_seal(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[-8] ^= 0xFF  # of the checksum of what is unpacked
    file.write_bytes(content)
    seal(file)


def write_and_seal(content: bytes) -> Callable[[Path], None]:
    def write(file: Path) -> None:
        file.write_bytes(content)
        seal(file)

    return write


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "truncated": (cut, "checksum"),
    "truncated before it was sealed": (cut_and_seal, "cannot be unpacked"),
    "broken": (spoil_and_seal, "cannot be unpacked"),
    "no gzip": (write_and_seal(b'{"Item":{"id":{"S":"x"}}}\n'), "cannot be unpacked"),
    "missing": (Path.unlink, "has no TournamentsTable.json.gz"),
    "not sealed": (lambda file: (file.parent / "SHA256SUMS").unlink(), "not to the end"),
    "sealed with no text": (
        lambda file: (file.parent / "SHA256SUMS").write_bytes(b"\xff"),
        "no readable SHA256SUMS",
    ),
    "not in the seal": (
        lambda file: (file.parent / "SHA256SUMS").write_text("nonsense\n"),
        "has no PlayersTable.json.gz",
    ),
    "no JSON": (write_and_seal(gzip.compress(SECRET.encode())), "line 1 holds no item"),
    "no object": (write_and_seal(gzip.compress(b"[]\n")), "line 1 holds no item"),
    "no item": (write_and_seal(gzip.compress(b'{"Item":"x"}\n')), "line 1 is not of"),
    "no key": (write_and_seal(gzip.compress(b'{"Item":{"no":{"S":"x"}}}\n')), "line 1 is not of"),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("options", [[], ["--replace"]])
def test_of_a_folder_that_is_damaged_nothing_is_written(
    dynamodb: Any,
    folder: Path,
    damage: str,
    options: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The last table is damaged: the others would have been written before."""
    fill(dynamodb)
    save(folder)
    empty(dynamodb)
    dynamodb.put_item(TableName=physical("PlayersTable"), Item={"id": {"S": "stays"}})
    stands = read(dynamodb)
    do, complaint = DAMAGES[damage]
    do(folder / "TournamentsTable.json.gz")
    capsys.readouterr()

    assert load(folder, *options) == 1

    told = capsys.readouterr()
    assert complaint in told.err
    assert SECRET not in told.err
    assert read(dynamodb) == stands


def test_a_table_that_is_not_there_is_named_and_nothing_is_begun(
    dynamodb: Any, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert save(folder, "--from", "DuelsTable=nowhere") == 1

    assert "nowhere" in capsys.readouterr().err
    assert not folder.exists()


def test_a_save_that_was_cut_off_is_not_loaded(
    dynamodb: Any,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fill(dynamodb)
    read_items = StoredTable.items

    def items_until_killed(table: StoredTable) -> Iterator[Item]:
        yield next(read_items(table))
        raise KeyboardInterrupt

    monkeypatch.setattr(StoredTable, "items", items_until_killed)
    with pytest.raises(KeyboardInterrupt):
        save(folder)
    assert [file.name for file in folder.iterdir()] == ["PlayersTable.json.gz"]

    assert load(folder, "--only", "PlayersTable") == 1

    assert "not to the end" in capsys.readouterr().err


def test_what_was_saved_before_is_not_overwritten(
    dynamodb: Any, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(dynamodb)
    assert save(folder) == 0
    before = {file.name: file.read_bytes() for file in folder.iterdir()}

    assert save(folder) == 1

    assert "not empty" in capsys.readouterr().err
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


@pytest.mark.parametrize(
    "options",
    [
        ["save", "--into", "x", "--only", "ScoresTable"],
        ["save", "--into", "x", "--from", "ScoresTable=x"],
        ["save", "--into", "x", "--from", "PlayersTable"],
        ["load", "--from", "x", "--only", "players"],
    ],
)
def test_a_table_that_no_stack_has_is_named(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["tables", *options])
    assert ended.value.code == 2
    assert "PlayersTable" in capsys.readouterr().err


def test_the_tables_are_all_those_of_the_template() -> None:
    assert set(TABLES) == {
        name for name, one in RESOURCES.items() if one["Type"] == "AWS::DynamoDB::Table"
    }


def test_progress_is_told(dynamodb: Any, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(dynamodb)
    save(folder, "--only", "GroupsTable")
    assert capsys.readouterr().err == "GroupsTable: saved 3\n"
    load(folder, "--only", "GroupsTable", "--replace")
    assert capsys.readouterr().err == (
        "GroupsTable: deleted 3\n"
        "GroupsTable: loaded 3 of 3\n"
        "GroupsTable: 3 put, 0 there already, 0 kept as it was\n"
    )
