"""The audit finds nothing in what the game has stored, and each thing that is made wrong."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from boto3.dynamodb.types import TypeDeserializer

from tests.usecases.table import Table
from tests.usecases.test_profiles import play_out
from wordle_tools.audit.books import Books, Item
from wordle_tools.audit.checks import audit
from wordle_tools.cli import main
from wordle_tournament.adapters.dynamodb.groups import GROUPS
from wordle_tournament.adapters.dynamodb.items import Kind
from wordle_tournament.adapters.dynamodb.players import PLAYERS
from wordle_tournament.adapters.dynamodb.results import RESULTS
from wordle_tournament.adapters.dynamodb.rooms import ROOMS
from wordle_tournament.adapters.dynamodb.tournaments import TOURNAMENTS
from wordle_tournament.rules.ids import GroupCode, PlayerId
from wordle_tournament.usecases.erasing import erase_player
from wordle_tournament.usecases.grouping import create_group, join_group
from wordle_tournament.usecases.records import find_tournaments, list_results


def as_item(kind: Kind[Any, Any], aggregate: Any) -> Item:
    """The item as the audit reads it."""
    read = TypeDeserializer().deserialize
    return {name: read(value) for name, value in kind.to_item(aggregate).serialize().items()}


def books_of(table: Table, players: list[PlayerId], code: GroupCode) -> Books:
    tournaments = {
        one.id: one for player in players for one in find_tournaments(table.game, player)
    }
    group = table.store.group(code)
    assert group is not None
    return Books(
        read_at=table.clock.now(),
        players=tuple(as_item(PLAYERS, one) for one in table.store.players(players).values()),
        rooms=(as_item(ROOMS, table.store.room("en")),),
        tournaments=tuple(as_item(TOURNAMENTS, one) for one in tournaments.values()),
        groups=(as_item(GROUPS, group),),
        results=tuple(
            as_item(RESULTS, one) for player in players for one in list_results(table.game, player)
        ),
    )


@pytest.fixture(scope="module")
def books() -> Books:
    """A tournament that is over, one that runs, a lobby, a group, and an erased player."""
    table = Table()
    clients = table.eight()
    play_out(table, clients)
    founder, guest, waiting = clients[:3]
    founder.do(lambda game, sender: create_group(game, sender, language="en"))
    code = founder.stored().group
    assert code is not None
    guest.do(lambda game, sender: join_group(game, sender, typed=code))
    waiting.leave()
    waiting.join()
    assert erase_player(table.game, clients[7].player)
    others = [table.client(f"q{number}") for number in range(8)]
    for client in others:
        client.join("de")
    table.pass_time(timedelta(seconds=6))
    assert erase_player(table.game, others[0].player)
    return books_of(table, [client.player for client in [*clients, *others]], code)


def test_nothing_deviates_in_what_the_game_has_stored(books: Books) -> None:
    assert audit(books) == []
    assert (len(books.players), len(books.tournaments), len(books.groups)) == (16, 2, 1)
    assert len(books.results) == 7


def player(books: Books, name: str) -> Item:
    return next(one for one in books.players if one["id"] == name)


def tournament(books: Books, phase: str) -> Item:
    return next(one for one in books.tournaments if one["phase"] == phase)


def entrant(books: Books, name: str) -> Item:
    return next(
        one for cup in books.tournaments for one in cup["entrants"] if one["player"] == name
    )


def result(books: Books, name: str) -> Item:
    return next(one for one in books.results if one["player"] == name)


def add(item: Item, name: str, number: int) -> None:
    item[name] += number


DAMAGE: dict[str, tuple[Callable[[Books], object], set[str]]] = {
    "a rating written over": (
        lambda books: add(player(books, "p3"), "rating", 1),
        {"journal and rating"},
    ),
    "a change entered wrongly": (
        lambda books: add(result(books, "p3"), "change", 1),
        {"journal and rating", "entry and place agree"},
    ),
    "a game counted twice": (
        lambda books: add(player(books, "p3"), "games", 1),
        {"journal and games"},
    ),
    "a change that does not follow from the place": (
        lambda books: add(entrant(books, "p3"), "change", 2),
        {"change of rating by place", "entry and place agree"},
    ),
    "an illegal place": (
        lambda books: entrant(books, "p3").update(place=9),
        {"a legal place", "change of rating by place", "entry and place agree"},
    ),
    "a player twice in a tournament": (
        lambda books: entrant(books, "q3").update(player="q4"),
        {"eight players"},
    ),
    "a tournament that never ends": (
        lambda books: tournament(books, "ended").update(phase="duels"),
        {"over when all are placed"},
    ),
    "a tournament that ended too early": (
        lambda books: tournament(books, "duels").update(phase="ended"),
        {"over when all are placed"},
    ),
    "a player without their seat": (
        lambda books: player(books, "q3").pop("tournament"),
        {"a seat for everybody who is in"},
    ),
    "a seat in a tournament that is not there": (
        lambda books: player(books, "q3").update(tournament="gone"),
        {"a seat in a tournament", "a seat for everybody who is in"},
    ),
    "a player placed before the time": (
        lambda books: player(books, "q3").update(placed=True),
        {"placed when the place is fixed"},
    ),
    "a seat in a lobby that is not there": (
        lambda books: player(books, "p2").update(lobby="gone"),
        {"a seat in a lobby", "its players sit in it"},
    ),
    "two seats": (
        lambda books: player(books, "p3").update(lobby="gone"),
        {"one seat", "a seat in a lobby"},
    ),
    "two seats in one lobby": (
        lambda books: books.rooms[0]["lobbies"][0]["parties"].append({"players": ["p2"]}),
        {"a seat for each"},
    ),
    "a member who does not know": (
        lambda books: player(books, "p1").pop("group"),
        {"its members are in it"},
    ),
    "a member whom the group does not know": (
        lambda books: books.groups[0]["members"].remove("p1"),
        {"a member of their group"},
    ),
    "a group that is led from outside": (
        lambda books: books.groups[0].update(leader="p5"),
        {"led by a member"},
    ),
    "a name that was not erased": (
        lambda books: entrant(books, "p7").update(nickname="Ann"),
        {"erased"},
    ),
    "an erased player in a group": (
        lambda books: player(books, "p7").update(group="gone"),
        {"erased"},
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_named_by_the_promises_it_breaks(books: Books, damage: str) -> None:
    hurt, rules = DAMAGE[damage]
    damaged = deepcopy(books)

    hurt(damaged)

    assert rules <= {deviation.rule for deviation in audit(damaged)}


def test_a_journal_without_its_player_is_named(books: Books) -> None:
    fewer = tuple(one for one in books.players if one["id"] != "p3")

    found = audit(replace(books, players=fewer))

    assert [(one.subject, one.rule) for one in found] == [("player p3", "journal without a player")]


def test_a_missing_entry_is_named(books: Books) -> None:
    fewer = tuple(one for one in books.results if one["player"] != "p3")

    found = audit(replace(books, results=fewer))

    assert {one.rule for one in found} == {
        "journal and rating",
        "journal and games",
        "an entry for every place",
    }


def test_a_tournament_may_expire_before_the_journal(books: Books) -> None:
    running = (tournament(books, "duels"),)

    early = audit(replace(books, tournaments=running))
    late = audit(replace(books, tournaments=running, read_at=books.read_at + timedelta(days=90)))

    assert {one.rule for one in early} == {"a tournament for every entry"}
    assert late == []


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[Books]:
    """What the command reads, one after the other, without a stack and without a pause."""
    planned: list[Books] = []
    monkeypatch.setattr("wordle_tools.deployed.enter", lambda _: None)
    monkeypatch.setattr("wordle_tools.audit.books.read_books", lambda: planned.pop(0))
    monkeypatch.setattr("time.sleep", lambda _: None)
    return planned


def test_the_command_names_every_deviation_and_fails(
    books: Books, readings: list[Books], capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = deepcopy(books)
    add(player(damaged, "p3"), "rating", 7)
    readings += [damaged, damaged]

    assert main(["audit"]) == 1

    told = capsys.readouterr()
    real = player(books, "p3")["rating"]
    assert told.out == f"player p3: journal and rating: journal {real}, rating {real + 7}\n"
    assert "1 deviation" in told.err


def test_what_looks_wrong_between_two_writes_of_a_game_that_goes_on_is_no_deviation(
    books: Books, readings: list[Books], capsys: pytest.CaptureFixture[str]
) -> None:
    torn = deepcopy(books)
    add(player(torn, "p3"), "rating", 7)
    torn_elsewhere = deepcopy(books)
    add(player(torn_elsewhere, "p4"), "rating", 7)
    readings += [torn, torn_elsewhere]

    assert main(["audit"]) == 0

    assert capsys.readouterr().out == ""
