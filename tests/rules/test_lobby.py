"""Seats in the lobbies of a waiting room: examples, and laws over any order of coming and going."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.examples import NOW, SECOND
from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.rules.lobby import Lobby, Party, Room, Seating, seat, unseat


@dataclass
class WaitingRoom:
    """A room into which parties come, one a second; `played` are the lobbies that filled up."""

    room: Room = field(default_factory=lambda: Room("en"))
    came: int = 0
    played: list[Lobby] = field(default_factory=list)
    chance: random.Random = field(default_factory=lambda: random.Random(6))

    def come(self, size: int, rating: int = 1000) -> tuple[PlayerId, ...]:
        """Seat a new party; its players are named after their coming."""
        self.came += 1
        players = tuple(PlayerId(f"{self.came}.{number}") for number in range(1, size + 1))
        now = NOW + self.came * SECOND
        self._take(seat(self.room, Party(players, rating), now=now, chance=self.chance))
        return players

    def go(self, player: str, *, starting: bool = True) -> Seating:
        """Give a seat back; others may start, unless said otherwise."""
        seating = unseat(self.room, PlayerId(player), chance=self.chance, starting=starting)
        self._take(seating)
        return seating

    @property
    def sizes(self) -> list[list[int]]:
        """The sizes of the parties in each open lobby."""
        return [[len(party.players) for party in one.parties] for one in self.room.lobbies]

    def _take(self, seating: Seating) -> None:
        self.room = seating.room
        self.played += seating.filled


def _coming(*sizes: int) -> WaitingRoom:
    waiting = WaitingRoom()
    for size in sizes:
        waiting.come(size)
    return waiting


def test_eight_strangers_fill_one_lobby() -> None:
    """R6.1, R6.4: it starts by itself with the eighth, in the order of coming."""
    waiting = _coming(1, 1, 1, 1, 1, 1, 1)
    assert (waiting.sizes, waiting.played) == ([[1] * 7], [])
    lobby = waiting.room.lobbies[0].id

    waiting.come(1)

    assert waiting.sizes == []
    assert [(one.id, one.version) for one in waiting.played] == [(lobby, 8)]
    assert [lobby.players for lobby in waiting.played] == [
        tuple(f"{number}.1" for number in range(1, 9))
    ]


def test_a_group_of_eight_starts_at_once() -> None:
    """R8.2"""
    waiting = _coming(8)

    assert (waiting.sizes, len(waiting.played)) == ([], 1)


def test_the_ninth_opens_the_next_lobby() -> None:
    """R6.4"""
    assert _coming(*[1] * 9).sizes == [[1]]


@pytest.mark.parametrize(("rating", "lobbies"), [(1200, 1), (800, 1), (1201, 2), (799, 2)])
def test_200_points_apart_is_inside_the_window_and_201_is_not(rating: int, lobbies: int) -> None:
    """R6.2"""
    waiting = _coming(1)

    waiting.come(1, rating)

    assert len(waiting.room.lobbies) == lobbies


def test_a_lobby_keeps_the_rating_of_whoever_opened_it() -> None:
    """R6.2: after they have gone, too."""
    waiting = WaitingRoom()
    waiting.come(1, 1000)
    waiting.come(1, 1200)
    waiting.go("1.1")

    waiting.come(1, 800)
    waiting.come(1, 1201)

    assert [(lobby.rating, len(lobby.players)) for lobby in waiting.room.lobbies] == [
        (1000, 2),
        (1201, 1),
    ]


def test_the_fullest_lobby_that_fits_is_taken() -> None:
    """R6.3"""
    waiting = WaitingRoom()
    waiting.come(1, 900)
    waiting.come(2, 1101)

    waiting.come(1, 1000)

    assert waiting.sizes == [[1], [2, 1]]


def test_of_equally_full_lobbies_the_oldest_is_taken() -> None:
    """R6.3"""
    waiting = WaitingRoom()
    waiting.come(1, 900)
    waiting.come(1, 1101)

    waiting.come(1, 1000)

    assert waiting.sizes == [[1, 1], [1]]


def test_a_lobby_without_enough_seats_is_passed_over() -> None:
    """R8.2"""
    waiting = WaitingRoom()
    waiting.come(6, 900)
    waiting.come(2, 1101)

    waiting.come(3, 1000)

    assert waiting.sizes == [[6], [2, 3]]


def test_a_group_and_singles_of_two_lobbies_start_together() -> None:
    """R8.2: the longest waiting go first."""
    waiting = _coming(1, 1, 1, 1, 5)

    assert [set(lobby.players) for lobby in waiting.played] == [
        {"5.1", "5.2", "5.3", "5.4", "5.5", "1.1", "2.1", "3.1"}
    ]
    assert waiting.sizes == [[1]]


def test_groups_start_together_out_of_lobbies_that_have_others_in_them() -> None:
    """R8.2: six and two make eight, though each shares a lobby with somebody else."""
    waiting = _coming(3, 6, 1)
    assert waiting.sizes == [[3], [6, 1]]

    waiting.come(2)

    assert [sorted(len(one.players) for one in lobby.parties) for lobby in waiting.played] == [
        [2, 6]
    ]
    assert waiting.sizes == [[3], [1]]


def test_whoever_leaves_a_lobby_gives_one_seat_back() -> None:
    """R6.5: the rest of the party stays."""
    waiting = _coming(3, 1)

    seating = waiting.go("1.2")

    (lobby,) = waiting.room.lobbies
    assert seating.changed == (lobby,)
    assert lobby.players == ("1.1", "1.3", "2.1")
    assert lobby.free == 5


def test_a_seat_given_back_can_let_others_start() -> None:
    """R8.2: five and four never fit; five and three do."""
    waiting = _coming(5, 4)
    assert waiting.sizes == [[5], [4]]

    waiting.go("2.4")

    assert waiting.sizes == []
    assert len(waiting.played) == 1


def test_a_seat_given_back_lets_nobody_start_who_may_not() -> None:
    """R6.5: until the room changes again."""
    waiting = _coming(5, 4)

    seating = waiting.go("1.4", starting=False)

    assert (waiting.sizes, waiting.played) == ([[4], [4]], [])
    assert [(lobby.version, len(lobby.players)) for lobby in seating.changed] == [(2, 4)]
    waiting.come(1)
    assert (waiting.sizes, len(waiting.played)) == ([[1]], 1)


def test_a_lobby_that_empties_is_gone() -> None:
    """R6.5"""
    waiting = _coming(1)

    assert waiting.go("1.1") == Seating(Room("en"))


def test_nobody_starts_in_a_lobby_that_has_already_started() -> None:
    """R6.2, R6.4: two groups 300 apart fit only the rating of eight who have gone."""
    waiting = WaitingRoom()
    waiting.come(4, 850)
    waiting.come(4, 1150)

    waiting.come(8, 1000)

    assert waiting.sizes == [[4], [4]]
    assert len(waiting.played) == 1


def test_a_stranger_to_the_room_changes_nothing() -> None:
    """R6.5: the seat was given back before, or the tournament has begun."""
    waiting = _coming(2)

    assert waiting.go("nobody") == Seating(waiting.room)


def test_every_change_of_a_lobby_is_one_version() -> None:
    """One that is joined, and robbed of players in the same moment, has changed once."""
    waiting = WaitingRoom()
    for rating in (1000, 850, 850, 850, 1100, 1100):
        waiting.come(1, rating)
    waiting.come(5, 1250)
    before = waiting.room.lobbies[0]
    assert waiting.sizes == [[1] * 6, [5]]

    waiting.come(1, 1100)

    (after,) = waiting.room.lobbies
    assert (after.id, len(after.players)) == (before.id, 4)
    assert after.version == before.version + 1


COMING = st.tuples(
    st.sampled_from([1, 1, 1, 2, 3, 4, 5, 6, 7, 8]),
    st.sampled_from([799, 850, 1000, 1000, 1150, 1201, 1300]),
)
GOING = st.integers(0, 40)
STORIES = st.lists(st.one_of(COMING, COMING, GOING), max_size=25)
Story = list[tuple[int, int] | int]


@settings(max_examples=300)
@given(STORIES)
def test_whoever_comes_and_goes_in_any_order_the_seats_are_kept(story: Story) -> None:
    """R6.2–R6.5, R8.2: no seat leaks, no group is split, the window holds, nobody is stranded."""
    waiting = WaitingRoom()
    groups: dict[PlayerId, tuple[PlayerId, ...]] = {}
    gone: set[PlayerId] = set()
    for happening in story:
        before = waiting.room
        played_before = len(waiting.played)
        if isinstance(happening, tuple):
            newcomers = waiting.come(*happening)
            groups |= dict.fromkeys(newcomers, newcomers)
            _check_choice(before, waiting, newcomers)
        else:
            waits = _everybody(before.lobbies)
            if not waits:
                continue
            leaver = waits[happening % len(waits)]
            gone.add(leaver)
            seating = waiting.go(leaver)
            _check_told(before, seating)
        _check_seats(waiting, groups.keys() - gone)
        _check_groups(waiting, groups, gone)
        _check_windows(waiting.room.lobbies)
        _check_windows(waiting.played[played_before:])
        _check_versions(before, waiting.room)
        _check_nobody_stranded(waiting.room)


def _everybody(lobbies: Iterable[Lobby]) -> list[PlayerId]:
    return [player for lobby in lobbies for player in lobby.players]


def _check_seats(waiting: WaitingRoom, present: set[PlayerId]) -> None:
    assert sorted(_everybody([*waiting.room.lobbies, *waiting.played])) == sorted(present)
    assert all(1 <= len(lobby.players) <= 7 for lobby in waiting.room.lobbies)
    assert all(len(set(lobby.players)) == 8 for lobby in waiting.played)
    names = [lobby.id for lobby in (*waiting.room.lobbies, *waiting.played)]
    assert len(names) == len(set(names))
    opened = [lobby.opened_at for lobby in waiting.room.lobbies]
    assert opened == sorted(opened)


def _check_groups(
    waiting: WaitingRoom,
    groups: dict[PlayerId, tuple[PlayerId, ...]],
    gone: set[PlayerId],
) -> None:
    for lobby in (*waiting.room.lobbies, *waiting.played):
        for player in lobby.players:
            together = set(groups[player]) - gone
            assert together <= set(lobby.players)
        for party in lobby.parties:
            assert set(party.players) == set(groups[party.players[0]]) - gone


def _check_windows(lobbies: Iterable[Lobby]) -> None:
    for lobby in lobbies:
        assert all(abs(party.rating - lobby.rating) <= 200 for party in lobby.parties)


def _check_versions(before: Room, after: Room) -> None:
    for lobby in after.lobbies:
        known = before.lobby(lobby.id)
        if known is None:
            assert lobby.version == 1
        else:
            assert lobby.version == known.version + (known.players != lobby.players)
            assert (lobby.rating, lobby.opened_at) == (known.rating, known.opened_at)


def _check_told(before: Room, seating: Seating) -> None:
    changed = [lobby for lobby in seating.room.lobbies if lobby != before.lobby(lobby.id)]
    assert list(seating.changed) == changed


def _check_nobody_stranded(room: Room) -> None:
    """Try every set of parties: none that suits one of the lobbies makes a full one."""
    waiting = [party for lobby in room.lobbies for party in lobby.parties]
    for lobby in room.lobbies:
        near = [party for party in waiting if abs(party.rating - lobby.rating) <= 200]
        for count in range(1, min(8, len(near)) + 1):
            for together in combinations(near, count):
                assert sum(len(party.players) for party in together) != 8


def _check_choice(before: Room, waiting: WaitingRoom, newcomers: tuple[PlayerId, ...]) -> None:
    """The lobby of newcomers who have not started is the fullest that fits, then the oldest."""
    found = [lobby for lobby in waiting.room.lobbies if set(newcomers) <= set(lobby.players)]
    if not found:
        return
    (party,) = [one for one in found[0].parties if one.players == newcomers]
    fitting = [
        lobby
        for lobby in before.lobbies
        if abs(lobby.rating - party.rating) <= 200 and len(lobby.players) + len(newcomers) <= 8
    ]
    best = max(fitting, key=lambda lobby: (len(lobby.players), NOW - lobby.opened_at), default=None)
    if best is None:
        assert found[0].parties == (party,)
        assert before.lobby(found[0].id) is None
    else:
        assert found[0].id == best.id
