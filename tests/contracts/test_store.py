"""What every store promises, one thread at a time."""

from collections.abc import Callable
from dataclasses import MISSING, fields, replace
from datetime import timedelta
from typing import Any

import pytest

from tests.contracts.examples import (
    ANN,
    BARE,
    BOB,
    CAT,
    EVE,
    FULL,
    FULL_DUEL,
    FULL_PLAYER,
    FULL_ROOM,
    FULL_TOURNAMENT,
    LINE,
    NOW,
    SECOND,
    TOURNAMENT,
    a_duel,
    a_group,
    a_player,
    a_result,
    a_tournament,
    creation,
    in_a_lobby,
)
from wordle_tournament.ports.store import Aggregate, Change, Conflict, Delete, Store, save
from wordle_tournament.rules.duel import Duel, DuelPhase, Ending, Outcome, Row
from wordle_tournament.rules.group import Group
from wordle_tournament.rules.ids import ConnectionId, DuelId, GroupCode, PlayerId, TournamentId
from wordle_tournament.rules.leaderboard import Leader
from wordle_tournament.rules.lobby import Room
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.result import Result
from wordle_tournament.rules.tournament import Phase, Tournament, duel_id


def find(store: Store, aggregate: Aggregate) -> Aggregate | None:
    """Load what stands where an aggregate belongs."""
    match aggregate:
        case Player(id=player):
            return store.player(player)
        case Room(language=language):
            return store.room(language) if store.room(language).revision else None
        case Tournament(id=tournament):
            return store.tournament(tournament)
        case Duel(id=duel):
            return store.duel(duel)
        case Group(code=code):
            return store.group(code)
        case Result(player=player):
            return next(iter(store.results(player, before=None, limit=1)), None)


def name(aggregate: Aggregate) -> str:
    return type(aggregate).__name__


def at_revision(aggregate: Any, revision: int) -> Any:
    return replace(aggregate, revision=revision)


def change_of(aggregate: Any) -> Any:
    """The aggregate with another value somewhere."""
    match aggregate:
        case Player():
            return replace(aggregate, nickname="Otherwise")
        case Room():
            return replace(aggregate, lobbies=FULL_ROOM.lobbies[1:])
        case Tournament() | Duel() | Group():
            return replace(aggregate, version=99)
        case _:
            return replace(aggregate, place=8)


@pytest.mark.parametrize("full", FULL, ids=name)
def test_the_examples_leave_no_field_at_its_default(full: Aggregate) -> None:
    """A new field that a store forgets to write must not go unnoticed."""
    forgotten = [
        field.name
        for field in fields(full)
        if field.name != "revision"
        and (
            getattr(full, field.name) == field.default
            or (
                field.default_factory is not MISSING
                and getattr(full, field.name) == field.default_factory()
            )
        )
    ]

    assert forgotten == []


@pytest.mark.parametrize(
    "aggregate",
    [*BARE, *FULL],
    ids=[
        f"{how} {name(one)}"
        for how, all_kinds in (("bare", BARE), ("full", FULL))
        for one in all_kinds
    ],
)
def test_what_was_written_is_read_back(store: Store, aggregate: Any) -> None:
    store.commit(save(aggregate))

    assert find(store, aggregate) == at_revision(aggregate, 1)


FILLED: list[tuple[Aggregate, Aggregate]] = [
    (a_player(), FULL_PLAYER),
    (Room("uk"), FULL_ROOM),
    (a_tournament(), FULL_TOURNAMENT),
    (a_duel(), replace(FULL_DUEL, id=a_duel().id, round=1, viewers={})),
]


@pytest.mark.parametrize(("bare", "filled"), FILLED, ids=["Player", "Room", "Tournament", "Duel"])
def test_every_field_can_be_set_and_unset(store: Store, bare: Any, filled: Any) -> None:
    store.commit(save(bare))

    store.commit(save(filled, at_revision(bare, 1)))
    assert find(store, bare) == at_revision(filled, 2)

    store.commit(save(bare, at_revision(filled, 2)))
    assert find(store, bare) == at_revision(bare, 3)


def test_a_player_moves_from_a_lobby_to_a_tournament(store: Store) -> None:
    waiting = in_a_lobby(a_player())
    playing = replace(waiting, seat=FULL_PLAYER.seat)
    store.commit(save(waiting))

    assert store.player(ANN) == at_revision(waiting, 1)
    store.commit(save(playing, at_revision(waiting, 1)))
    assert store.player(ANN) == at_revision(playing, 2)


@pytest.mark.parametrize("aggregate", FULL, ids=name)
def test_nothing_is_found_where_nothing_was_written(store: Store, aggregate: Any) -> None:
    assert find(store, aggregate) is None


def test_a_room_never_used_is_empty(store: Store) -> None:
    assert store.room("kk") == Room("kk", revision=0)


def test_an_empty_room_is_written_like_any_other_new_thing(store: Store) -> None:
    empty = store.room("uk")

    store.commit(save(FULL_ROOM, empty))

    assert store.room("uk") == at_revision(FULL_ROOM, 1)
    with pytest.raises(Conflict):
        store.commit(save(FULL_ROOM, empty))


@pytest.mark.parametrize("aggregate", FULL, ids=name)
def test_the_same_thing_is_not_created_twice(store: Store, aggregate: Any) -> None:
    store.commit(save(aggregate))

    with pytest.raises(Conflict):
        store.commit(save(change_of(aggregate)))

    assert find(store, aggregate) == at_revision(aggregate, 1)


@pytest.mark.parametrize("aggregate", FULL, ids=name)
def test_a_write_loses_against_one_made_since_the_read(store: Store, aggregate: Any) -> None:
    store.commit(save(aggregate))
    read = at_revision(aggregate, 1)
    store.commit(save(read, read))

    with pytest.raises(Conflict):
        store.commit(save(change_of(read), read))

    assert find(store, aggregate) == at_revision(aggregate, 2)


@pytest.mark.parametrize("aggregate", FULL, ids=name)
def test_what_has_gone_is_not_written_again(store: Store, aggregate: Any) -> None:
    with pytest.raises(Conflict):
        store.commit(save(change_of(aggregate), at_revision(aggregate, 1)))

    assert find(store, aggregate) is None


REMOVABLE = [a_group(), a_player(), a_result()]


@pytest.mark.parametrize("aggregate", REMOVABLE, ids=name)
def test_a_thing_is_removed(store: Store, aggregate: Any) -> None:
    store.commit(save(aggregate))

    store.commit(Delete(at_revision(aggregate, 1)))

    assert find(store, aggregate) is None
    store.commit(save(aggregate))
    assert find(store, aggregate) == at_revision(aggregate, 1)


@pytest.mark.parametrize("aggregate", REMOVABLE, ids=name)
def test_a_removal_loses_against_a_write_made_since_the_read(store: Store, aggregate: Any) -> None:
    store.commit(save(aggregate))
    read = at_revision(aggregate, 1)
    store.commit(save(read, read))

    with pytest.raises(Conflict):
        store.commit(Delete(read))

    assert find(store, aggregate) == at_revision(aggregate, 2)


@pytest.mark.parametrize("aggregate", REMOVABLE, ids=name)
def test_what_has_gone_is_not_removed_again(store: Store, aggregate: Any) -> None:
    with pytest.raises(Conflict):
        store.commit(Delete(at_revision(aggregate, 1)))


def test_committing_nothing_changes_nothing(store: Store) -> None:
    store.commit()


def test_changes_of_all_kinds_are_made_together(store: Store) -> None:
    group = a_group("fghjk")
    store.commit(save(group))
    tournament = a_tournament(TournamentId("t2"))
    store.commit(save(tournament))
    later = replace(tournament, phase=Phase.DUELS)

    store.commit(
        *map(creation, FULL),
        Delete(at_revision(group, 1)),
        save(later, at_revision(tournament, 1)),
    )

    assert [find(store, one) for one in FULL] == [at_revision(one, 1) for one in FULL]
    assert find(store, group) is None
    assert find(store, tournament) == at_revision(later, 2)


def test_a_round_of_the_largest_kind_is_settled_in_one_commit(store: Store) -> None:
    """Eight players, their results, the tournament, four new duels and four groups."""
    players = [PlayerId(f"p{number}") for number in range(8)]
    tournament = a_tournament()
    store.commit(save(tournament), *(save(a_player(player)) for player in players))

    store.commit(
        save(replace(tournament, round=2), at_revision(tournament, 1)),
        *(save(replace(p, rating=1025), p) for p in store.players(players).values()),
        *(save(a_result(player=player)) for player in players),
        *(save(a_duel(round_number=2, number=number)) for number in range(4)),
        *(save(a_group(code)) for code in ("bb", "cc", "dd", "ff")),
    )

    assert [player.rating for player in store.players(players).values()] == [1025] * 8
    assert len(store.duels(TOURNAMENT, 2)) == 4


FAILING: dict[str, Callable[[Player], Change]] = {
    "a creation": save,
    "a write": lambda read: save(replace(read, nickname="Late"), read),
    "a removal": Delete,
}


@pytest.mark.parametrize("failing", FAILING.values(), ids=FAILING.keys())
@pytest.mark.parametrize("place", ["first", "last"])
def test_one_conflict_undoes_all_changes(
    store: Store, failing: Callable[[Player], Change], place: str
) -> None:
    read = at_revision(a_player(), 1)
    group = a_group()
    store.commit(save(a_player()))
    store.commit(save(read, read))
    store.commit(save(group))
    good: list[Change] = [
        save(a_player(BOB)),
        Delete(at_revision(group, 1)),
        save(a_duel()),
    ]

    with pytest.raises(Conflict):
        store.commit(*([failing(read), *good] if place == "first" else [*good, failing(read)]))

    assert store.player(ANN) == at_revision(read, 2)
    assert store.player(BOB) is None
    assert store.group(group.code) == at_revision(group, 1)
    assert store.duel(a_duel().id) is None


def test_those_of_several_players_are_found_who_exist(store: Store) -> None:
    store.commit(save(a_player(ANN)), save(a_player(BOB)))

    found = store.players([ANN, CAT, BOB, ANN])

    assert found == {one: at_revision(a_player(one), 1) for one in (ANN, BOB)}


def test_of_no_players_none_are_found(store: Store) -> None:
    assert store.players([]) == {}


def test_more_players_are_found_than_one_request_can_ask_for(store: Store) -> None:
    players = [PlayerId(f"p{number}") for number in range(130)]
    for player in players:
        store.commit(save(a_player(player)))

    assert store.players(players).keys() == set(players)


def a_running_duel(store: Store) -> Duel:
    """A duel of the store in which Bob has the first turn; Ann sees it."""
    running = replace(
        a_duel(), phase=DuelPhase.RUNNING, version=1, deadline=NOW + SECOND, viewers={ANN: LINE}
    )
    store.commit(save(running))
    return replace(running, revision=1)


def with_a_row(duel: Duel) -> Duel:
    return replace(duel, rows=(*duel.rows, Row("осінь", NOW)), version=duel.version + 1)


def test_a_move_in_a_duel_is_written_and_told(store: Store) -> None:
    duel = a_running_duel(store)
    ended = replace(
        with_a_row(duel),
        phase=DuelPhase.ENDED,
        deadline=None,
        ending=Ending(Outcome.SOLVED, BOB),
    )

    played = store.play(duel, ended)

    assert played == store.duel(duel.id) == replace(ended, revision=2)


def test_a_move_loses_against_one_made_since_the_read(store: Store) -> None:
    duel = a_running_duel(store)
    skipped = replace(duel, rows=(None,), version=2)
    store.play(duel, with_a_row(duel))

    with pytest.raises(Conflict):
        store.play(duel, skipped)

    assert store.duel(duel.id) == replace(with_a_row(duel), revision=2)


def test_there_is_no_move_in_a_duel_that_does_not_exist(store: Store) -> None:
    duel = replace(a_duel(), revision=1)

    with pytest.raises(Conflict):
        store.play(duel, with_a_row(duel))

    assert store.duel(duel.id) is None


def test_who_comes_and_goes_sees_or_no_longer_sees_a_duel(store: Store) -> None:
    duel = a_running_duel(store)
    elsewhere = ConnectionId("line=2")

    store.show(duel.id, EVE, ConnectionId("line-of-eve"))
    store.show(duel.id, BOB, ConnectionId("line-of-bob"))
    store.show(duel.id, EVE, elsewhere)
    store.show(duel.id, ANN, None)
    store.show(duel.id, CAT, None)

    shown = store.duel(duel.id)
    assert shown == replace(duel, viewers={EVE: elsewhere, BOB: ConnectionId("line-of-bob")})


def test_a_duel_with_no_viewers_can_be_shown(store: Store) -> None:
    store.commit(save(a_duel()))

    store.show(a_duel().id, ANN, LINE)

    assert store.duel(a_duel().id) == replace(a_duel(), viewers={ANN: LINE}, revision=1)


def test_a_move_keeps_and_tells_the_viewers_who_came_since_the_read(store: Store) -> None:
    duel = a_running_duel(store)
    store.show(duel.id, EVE, ConnectionId("line-of-eve"))
    store.show(duel.id, ANN, None)

    played = store.play(duel, with_a_row(duel))

    assert played.viewers == {EVE: ConnectionId("line-of-eve")}
    assert store.duel(duel.id) == played


def test_a_commit_keeps_the_viewers_who_came_since_the_read(store: Store) -> None:
    duel = a_running_duel(store)
    store.show(duel.id, EVE, ConnectionId("line-of-eve"))

    store.commit(save(replace(with_a_row(duel), viewers={}), duel), save(a_player()))

    stored = store.duel(duel.id)
    assert stored is not None
    assert stored.viewers == {ANN: LINE, EVE: ConnectionId("line-of-eve")}
    assert len(stored.rows) == 1


def test_a_duel_that_does_not_exist_is_shown_to_nobody(store: Store) -> None:
    store.show(a_duel().id, ANN, LINE)
    store.show(a_duel().id, ANN, None)

    assert store.duel(a_duel().id) is None


STRANGE_IDS = [
    "",
    ".",
    "t1",
    "t1.1",
    "t1.1.",
    ".1.0",
    "t1.0.0",
    "t1.01.0",
    "t1.1.00",
    "t1.1.4",
    "t1.1.0.0",
    "t1.-1.0",
    "t1.１.0",
    "t1.1.0\n",
    " t1.1.0",
    "t 1.1.0",
    "t1.100.0",
    "т1.1.0",
    "x" * 5000 + ".1.0",
]


@pytest.mark.parametrize("strange", STRANGE_IDS, ids=ascii)
def test_a_strange_id_is_of_no_duel(store: Store, strange: str) -> None:
    store.commit(save(a_duel()))

    assert store.duel(DuelId(strange)) is None
    store.show(DuelId(strange), ANN, LINE)
    assert store.duel(a_duel().id) == replace(a_duel(), revision=1)


@pytest.mark.parametrize("code", ["", " ", "x" * 5000, "я" * 1025, "bcdfg\n"], ids=ascii)
def test_a_strange_code_is_of_no_group(store: Store, code: str) -> None:
    store.commit(save(a_group()))

    assert store.group(GroupCode(code)) is None


def test_the_duels_of_a_round_come_in_the_order_of_its_pairing(store: Store) -> None:
    for round_number in (1, 2, 10, 12, 20):
        for number in (2, 0, 3, 1):
            store.commit(save(a_duel(round_number=round_number, number=number)))
    store.commit(save(a_duel(TournamentId("t2"), round_number=2)))

    assert [duel.id for duel in store.duels(TOURNAMENT, 2)] == [
        duel_id(TOURNAMENT, 2, number) for number in range(4)
    ]
    assert [duel.round for duel in store.duels(TOURNAMENT, 1)] == [1] * 4
    assert [duel.round for duel in store.duels(TOURNAMENT, 12)] == [12] * 4
    assert store.duels(TOURNAMENT, 3) == []


def test_the_duels_that_a_player_has_played_come_in_the_order_of_the_rounds(store: Store) -> None:
    for round_number in (10, 2, 1):
        store.commit(save(a_duel(round_number=round_number, number=round_number % 3)))
    store.commit(save(replace(a_duel(round_number=3), players=(BOB, CAT))))
    store.commit(save(a_duel(TournamentId("t2"))))

    assert [duel.round for duel in store.played(TOURNAMENT, ANN)] == [1, 2, 10]
    assert [duel.round for duel in store.played(TOURNAMENT, CAT)] == [3]
    assert store.played(TOURNAMENT, EVE) == []


def waking(number: int, wake_in: timedelta | None) -> Tournament:
    wake_at = None if wake_in is None else NOW + wake_in
    return replace(a_tournament(TournamentId(f"t{number}")), wake_at=wake_at)


def test_tournaments_are_overdue_from_the_next_millisecond_on(store: Store) -> None:
    for number in range(12):
        store.commit(save(waking(number, (12 - number) * SECOND)))

    assert store.overdue(NOW + SECOND) == []
    assert store.overdue(NOW + SECOND + timedelta(milliseconds=1)) == ["t11"]
    assert store.overdue(NOW + 60 * SECOND) == [f"t{number}" for number in range(11, -1, -1)]


def test_a_tournament_that_was_ticked_or_ended_is_not_overdue(store: Store) -> None:
    ticked, ended, waiting = (waking(number, SECOND) for number in range(3))
    store.commit(save(ticked), save(ended), save(waiting))

    store.commit(save(waking(0, 10 * SECOND), at_revision(ticked, 1)))
    store.commit(save(waking(1, None), at_revision(ended, 1)))

    assert store.overdue(NOW + 5 * SECOND) == [waiting.id]


def test_the_journal_lists_the_newest_first(store: Store) -> None:
    for number in (3, 1, 5, 2, 4):
        store.commit(save(a_result(TournamentId(f"t{number}"))))
    store.commit(save(a_result(TournamentId("t6"), player=BOB)))

    def listed(before: str | None, limit: int) -> list[str]:
        cursor = None if before is None else TournamentId(before)
        return [one.tournament for one in store.results(ANN, before=cursor, limit=limit)]

    assert listed(None, 50) == ["t5", "t4", "t3", "t2", "t1"]
    assert listed(None, 2) == ["t5", "t4"]
    assert listed("t4", 2) == ["t3", "t2"]
    assert listed("t2", 2) == ["t1"]
    assert listed("t1", 2) == []
    assert listed("t35", 1) == ["t3"]


def rated(number: int, rating: int, games: int = 1) -> Player:
    return replace(a_player(PlayerId(f"p{number:02d}")), rating=rating, games=games)


def test_the_best_rated_players_with_a_game_lead(store: Store) -> None:
    for number in range(24):
        store.commit(save(rated(number, 900 + 10 * number)))
    store.commit(save(rated(24, 2000, games=0)))

    assert [leader.rating for leader in store.leaders(3)] == [1130, 1120, 1110]
    assert store.leaders(1) == [Leader(PlayerId("p23"), "Quick Otter 7", 1130, games=1)]
    assert len(store.leaders(100)) == 24


def test_a_player_leads_with_the_rating_of_now(store: Store) -> None:
    first, second = rated(1, 1000, games=0), rated(2, 1010)
    store.commit(save(first), save(second))
    read = at_revision(first, 1)

    store.commit(save(replace(read, rating=1025, games=1), read))

    assert [leader.rating for leader in store.leaders(9)] == [1025, 1010]


def test_those_rated_higher_are_counted(store: Store) -> None:
    for number, rating in enumerate((1000, 1010, 1010, 1020, -5)):
        store.commit(save(rated(number, rating)))
    store.commit(save(rated(9, 2000, games=0)))

    assert [store.count_better(rating) for rating in (-6, 999, 1000, 1009, 1010, 1020)] == [
        5,
        4,
        3,
        3,
        1,
        0,
    ]
