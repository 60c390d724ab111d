"""What every store promises to many threads at once."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from threading import Barrier

import pytest

from tests.contracts.examples import (
    ANN,
    BARE,
    BOB,
    FULL_ROOM,
    NOW,
    SECOND,
    a_duel,
    a_group,
    a_player,
    creation,
)
from wordle_tournament.adapters.memory import MemoryStore
from wordle_tournament.ports.store import Aggregate, Change, Conflict, Delete, Store, save
from wordle_tournament.rules.duel import TURNS, Duel, DuelPhase, Row
from wordle_tournament.rules.ids import ConnectionId, PlayerId
from wordle_tournament.rules.player import Player

THREADS = 12
WRITES = 1000


@pytest.fixture(autouse=True)
def threads_that_take_turns_all_the_time() -> Iterator[None]:
    """A thread may be held up anywhere, not just where it waits."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def at_once(actions: Sequence[Callable[[], object]]) -> list[bool]:
    """Do all actions at the same time; tells which of them met no conflict."""
    barrier = Barrier(len(actions))

    def act(action: Callable[[], object]) -> bool:
        barrier.wait()
        try:
            action()
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(act, actions))


def until_done(attempt: Callable[[], object]) -> Callable[[], None]:
    """Make an attempt again as long as it meets conflicts."""

    def insist() -> None:
        while True:
            try:
                attempt()
            except Conflict:
                continue
            return

    return insist


def name(aggregate: Aggregate) -> str:
    return type(aggregate).__name__


@pytest.mark.parametrize("aggregate", BARE, ids=name)
def test_a_thing_is_created_by_one_of_many(shared_store: Store, aggregate: Aggregate) -> None:
    won = at_once([lambda: shared_store.commit(creation(aggregate))] * THREADS)

    assert Counter(won) == {True: 1, False: THREADS - 1}


def test_of_many_writes_of_one_revision_one_is_made(shared_store: Store) -> None:
    shared_store.commit(save(a_player()))
    read = replace(a_player(), revision=1)
    renamed = [replace(read, nickname=f"Name {number}") for number in range(THREADS)]

    won = at_once([partial(shared_store.commit, save(it, read)) for it in renamed])

    assert won.count(True) == 1
    assert shared_store.player(ANN) == replace(renamed[won.index(True)], revision=2)


def test_of_many_equal_writes_one_is_made(shared_store: Store) -> None:
    shared_store.commit(save(a_player()))
    read = replace(a_player(), revision=1)

    won = at_once([lambda: shared_store.commit(save(read, read))] * THREADS)

    assert won.count(True) == 1
    assert shared_store.player(ANN) == replace(read, revision=2)


def test_of_a_write_and_a_removal_one_is_made(shared_store: Store) -> None:
    shared_store.commit(save(a_group()))
    read = replace(a_group(), revision=1)

    written, removed = at_once(
        [
            lambda: shared_store.commit(save(replace(read, version=8), read)),
            lambda: shared_store.commit(Delete(read)),
        ]
    )

    assert written != removed
    stored = shared_store.group(read.code)
    assert stored == (replace(read, version=8, revision=2) if written else None)


def test_of_a_transaction_and_a_plain_write_of_the_same_thing_one_is_made(
    shared_store: Store,
) -> None:
    shared_store.commit(save(a_player()), save(a_player(BOB)))
    ann, bob = (replace(a_player(player), revision=1) for player in (ANN, BOB))

    together, alone = at_once(
        [
            lambda: shared_store.commit(
                save(replace(ann, nickname="Both"), ann), save(replace(bob, nickname="Both"), bob)
            ),
            lambda: shared_store.commit(save(replace(bob, nickname="Alone"), bob)),
        ]
    )

    assert together != alone
    assert shared_store.player(ANN) == (
        replace(ann, nickname="Both", revision=2) if together else ann
    )
    assert shared_store.player(BOB) == replace(
        bob, nickname="Both" if together else "Alone", revision=2
    )


def move_points(player: Player, points: int) -> Change:
    return save(replace(player, rating=player.rating + points, games=player.games + 1), player)


def test_transactions_in_a_ring_are_made_whole_or_not_at_all(shared_store: Store) -> None:
    """Each thread moves points from one player to the next: no point is lost or made up."""
    ring = [PlayerId(f"p{number}") for number in range(4)]
    shared_store.commit(*(save(a_player(player)) for player in ring))

    def pass_on(giver: PlayerId, taker: PlayerId) -> None:
        players = shared_store.players([giver, taker])
        shared_store.commit(
            move_points(players[giver], -10),
            move_points(players[taker], 10),
        )

    passes = [(ring[number % 4], ring[(number + 1) % 4]) for number in range(THREADS)]
    won = at_once([until_done(partial(pass_on, *one)) for one in passes])

    assert all(won)
    players = shared_store.players(ring).values()
    assert [player.rating for player in players] == [1000] * 4
    assert [player.games for player in players] == [2 * THREADS // 4] * 4
    assert [player.revision for player in players] == [1 + 2 * THREADS // 4] * 4


def test_the_memory_store_loses_none_of_thousands_of_writes() -> None:
    """A missing lock shows only once in many tries, of which this store can make many."""
    store = MemoryStore()
    store.commit(save(a_player()), save(a_player(BOB)))

    def pass_on() -> None:
        players = store.players([ANN, BOB])
        store.commit(move_points(players[ANN], -1), move_points(players[BOB], 1))

    def pass_on_many() -> None:
        for _ in range(WRITES):
            until_done(pass_on)()

    at_once([pass_on_many] * THREADS)

    assert [player.rating for player in store.players([ANN, BOB]).values()] == [
        1000 - WRITES * THREADS,
        1000 + WRITES * THREADS,
    ]


def test_seats_taken_by_many_are_all_there(shared_store: Store) -> None:
    """The room and the player are one transaction; whoever loses reads again."""
    players = [PlayerId(f"p{number}") for number in range(THREADS)]

    def take_a_seat(player: PlayerId) -> None:
        room = shared_store.room("uk")
        lobby = replace(FULL_ROOM.lobbies[1], rating=len(room.lobbies))
        fuller = replace(room, lobbies=(*room.lobbies, lobby))
        shared_store.commit(save(fuller, room), save(a_player(player)))

    at_once([until_done(partial(take_a_seat, player)) for player in players])

    room = shared_store.room("uk")
    assert [lobby.rating for lobby in room.lobbies] == list(range(THREADS))
    assert room.revision == THREADS
    assert shared_store.players(players).keys() == set(players)


def a_running_duel(store: Store) -> Duel:
    running = replace(a_duel(), phase=DuelPhase.RUNNING, version=1, deadline=NOW + SECOND)
    store.commit(save(running))
    return replace(running, revision=1)


def test_a_turn_is_used_up_once_by_guesses_and_the_clock(shared_store: Store) -> None:
    """R3.8: one conditional write decides between a guess and the expiry of its turn."""
    duel = a_running_duel(shared_store)
    guessed = replace(duel, rows=(Row("осінь", NOW),), version=2)
    skipped = replace(duel, rows=(None,), version=2)
    moves = [guessed, skipped] * (THREADS // 2)

    won = at_once([partial(shared_store.play, duel, move) for move in moves])

    assert won.count(True) == 1
    assert shared_store.duel(duel.id) == replace(moves[won.index(True)], revision=2)


def test_of_a_move_and_a_transaction_of_the_same_duel_one_is_made(shared_store: Store) -> None:
    duel = a_running_duel(shared_store)
    ended = replace(duel, phase=DuelPhase.ENDED, deadline=None, version=2)

    played, ended_by_leaving = at_once(
        [
            lambda: shared_store.play(duel, replace(duel, rows=(None,), version=2)),
            lambda: shared_store.commit(save(ended, duel), save(a_player())),
        ]
    )

    assert played != ended_by_leaving
    stored = shared_store.duel(duel.id)
    assert stored is not None
    assert stored.over is ended_by_leaving
    assert (shared_store.player(ANN) is not None) is ended_by_leaving


def test_viewers_come_and_go_while_turns_are_played_and_nothing_is_lost(
    shared_store: Store,
) -> None:
    duel = a_running_duel(shared_store)
    viewers = [PlayerId(f"p{number}") for number in range(6)]

    def play_on() -> None:
        standing = duel
        for _ in range(TURNS):
            after = replace(standing, rows=(*standing.rows, None), version=standing.version + 1)
            standing = shared_store.play(standing, after)

    def come_and_go(viewer: PlayerId) -> None:
        for number in range(6):
            shared_store.show(duel.id, viewer, None)
            shared_store.show(duel.id, viewer, ConnectionId(f"{viewer}-{number}"))

    won = at_once([play_on, *(partial(come_and_go, viewer) for viewer in viewers)])

    assert all(won)
    assert shared_store.duel(duel.id) == replace(
        duel,
        rows=(None,) * TURNS,
        version=TURNS + 1,
        viewers={viewer: ConnectionId(f"{viewer}-5") for viewer in viewers},
        revision=TURNS + 1,
    )


def test_readers_never_see_half_of_a_write(shared_store: Store) -> None:
    """Nickname and games always change together."""
    shared_store.commit(save(a_player()))
    seen: list[Player | None] = []

    def write() -> None:
        for number in range(1, 21):
            read = shared_store.player(ANN)
            assert read is not None
            shared_store.commit(save(replace(read, nickname=f"{number}", games=number), read))

    def look() -> None:
        for _ in range(20):
            seen.append(shared_store.player(ANN))

    assert all(at_once([write, look, look]))
    assert {(one.nickname, one.games) for one in seen if one is not None} <= {
        (a_player().nickname, 0),
        *((f"{number}", number) for number in range(1, 21)),
    }
