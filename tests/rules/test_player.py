"""A player's connection and where they are (R6.4, R7, R8.4)."""

from dataclasses import replace

import pytest

from tests.rules.examples import ANNE, MS, NOW, SECOND
from wordle_tournament.rules.ids import ConnectionId, LobbyId, TournamentId
from wordle_tournament.rules.player import (
    Connection,
    LobbySeat,
    Player,
    Seat,
    TournamentSeat,
    lose_connection,
    take_connection,
)

OLD = Connection(ConnectionId("old"), since=NOW)
NEW = Connection(ConnectionId("new"), since=NOW + SECOND)
LOBBY = LobbySeat(LobbyId("lobby"), "en")


def _player(connection: Connection | None = None, seat: Seat | None = None) -> Player:
    return Player(ANNE, "Calm Otter 12", connection=connection, seat=seat)


def test_a_new_player_has_played_nothing_and_has_the_initial_rating() -> None:
    """R5.1"""
    player = Player(ANNE, "Calm Otter 12")

    assert (player.rating, player.games, player.losses, player.playing) == (1000, 0, 0, False)


def test_the_first_connection_is_taken() -> None:
    """R7.3"""
    player = take_connection(_player(), OLD)

    assert player == _player(OLD)


def test_the_newest_connection_replaces_the_older() -> None:
    """R7.3"""
    assert take_connection(_player(OLD), NEW) == _player(NEW)


def test_a_late_message_of_an_older_connection_takes_nothing() -> None:
    """R7.3"""
    assert take_connection(_player(NEW), OLD) is None


def test_of_two_connections_of_one_moment_the_last_heard_is_taken() -> None:
    """R7.3: neither may lock the player out."""
    twin = replace(NEW, since=OLD.since)

    assert take_connection(_player(OLD), twin) == _player(twin)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("second", [True, False])
def test_a_greeting_is_not_forgotten(first: bool, second: bool) -> None:
    """Events once begun go on, whatever else the connection sends."""
    player = take_connection(_player(replace(OLD, greeted=first)), replace(OLD, greeted=second))

    assert player is not None
    assert player.ear == (OLD.id if first or second else None)


def test_a_new_connection_hears_nothing_before_it_is_greeted() -> None:
    """Nothing is sent unasked before `hello`."""
    player = take_connection(_player(replace(OLD, greeted=True)), NEW)

    assert player is not None
    assert player.ear is None


def test_the_loss_of_the_current_connection_is_counted() -> None:
    """R7.2"""
    lost = lose_connection(_player(OLD), OLD.id, NOW)
    assert lost is not None
    assert (lost.connection, lost.ear, lost.losses, lost.lost_at) == (None, None, 1, NOW)

    back = take_connection(lost, NEW)
    assert back is not None
    assert (back.losses, back.lost_at) == (1, None)

    again = lose_connection(back, NEW.id, NOW + MS)
    assert again is not None
    assert (again.losses, again.lost_at) == (2, NOW + MS)


@pytest.mark.parametrize("current", [None, NEW])
def test_the_late_goodbye_of_an_old_connection_changes_nothing(current: Connection | None) -> None:
    """R7.3"""
    assert lose_connection(_player(current), OLD.id, NOW) is None


def test_the_lobby_that_went_with_the_connection_is_remembered() -> None:
    """R6.5"""
    lost = lose_connection(_player(OLD, LOBBY), OLD.id, NOW)
    assert lost is not None
    assert lost.lost_lobby == LOBBY.id

    lost_again = lose_connection(replace(lost, connection=NEW, seat=None), NEW.id, NOW)
    assert lost_again is not None
    assert lost_again.lost_lobby == LOBBY.id


@pytest.mark.parametrize(
    ("seat", "playing"),
    [
        (None, False),
        (LOBBY, True),
        (TournamentSeat(TournamentId("cup")), True),
        (TournamentSeat(TournamentId("cup"), placed=True), False),
    ],
)
def test_a_player_is_playing_until_their_place_is_fixed(seat: Seat | None, playing: bool) -> None:
    """R6.4, R6.6, R8.4"""
    player = _player(seat=seat)

    assert player.playing is playing
    assert player.lobby == (seat if isinstance(seat, LobbySeat) else None)
    assert player.tournament == (seat if isinstance(seat, TournamentSeat) else None)
