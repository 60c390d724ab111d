"""Who sees which duel (R4.6)."""

from collections.abc import Mapping

import pytest

from tests.rules.examples import ANNE, BEN, CLEO, DORA, NOW, waiting_duel
from wordle_tournament.rules.ids import ConnectionId, PlayerId, TournamentId
from wordle_tournament.rules.pairing import Pairing
from wordle_tournament.rules.player import Connection, Player
from wordle_tournament.rules.tournament import Tournament
from wordle_tournament.rules.watching import still_watching, with_viewers, without_watchers


def _line(player: PlayerId) -> ConnectionId:
    return ConnectionId(f"line of {player}")


def _player(player: PlayerId, *, greeted: bool = True) -> Player:
    return Player(player, player, connection=Connection(_line(player), NOW, greeted))


HERE: Mapping[PlayerId, Player] = {player: _player(player) for player in (ANNE, BEN, CLEO, DORA)}


def test_a_new_duel_is_seen_by_its_players_and_by_those_watching() -> None:
    """R4.6"""
    duel = with_viewers(waiting_duel(), HERE, {DORA: _line(DORA)})

    assert duel.viewers == {player: _line(player) for player in (ANNE, BEN, DORA)}


def test_nobody_sees_a_duel_who_hears_no_events() -> None:
    """R7.2: away, or not greeted yet."""
    away = Player(ANNE, "Anne")

    for players in ({ANNE: away, BEN: _player(BEN, greeted=False)}, {ANNE: away}):
        assert with_viewers(waiting_duel(), players).viewers == {}


def test_a_player_sees_their_duel_where_they_are_now() -> None:
    """R7.3: not where they were watching from before."""
    duel = with_viewers(waiting_duel(), HERE, {ANNE: ConnectionId("an old line")})

    assert duel.viewers[ANNE] == _line(ANNE)


@pytest.mark.parametrize(
    ("connection", "players", "following", "watches"),
    [
        pytest.param(_line(CLEO), HERE, Pairing(((ANNE, BEN),)), True, id="out"),
        pytest.param(_line(CLEO), HERE, Pairing(((ANNE, BEN),), bye=CLEO), True, id="bye"),
        pytest.param(_line(CLEO), HERE, Pairing(((CLEO, BEN),), bye=ANNE), False, id="own duel"),
        pytest.param(ConnectionId("old"), HERE, Pairing(((ANNE, BEN),)), False, id="new line"),
        pytest.param(_line(CLEO), {}, Pairing(((ANNE, BEN),)), False, id="left"),
        pytest.param(
            _line(CLEO), {CLEO: Player(CLEO, "Cleo")}, Pairing(((ANNE, BEN),)), False, id="away"
        ),
    ],
)
def test_watching_lasts_until_the_line_or_ones_own_next_duel(
    connection: ConnectionId,
    players: Mapping[PlayerId, Player],
    following: Pairing,
    watches: bool,
) -> None:
    """R4.6"""
    remaining = still_watching({CLEO: connection}, players, following)

    assert remaining == ({CLEO: connection} if watches else {})


def test_watchers_are_taken_off_one_by_one() -> None:
    """R4.6"""
    watchers = {player: _line(player) for player in (CLEO, DORA)}
    tournament = Tournament(TournamentId("cup"), "en", (), NOW, watchers=watchers)

    assert without_watchers(tournament, {CLEO, ANNE}).watchers == {DORA: _line(DORA)}
