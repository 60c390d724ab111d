"""A stage that is drained begins no tournament, whoever comes or goes."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.usecases.invariants import check_everything
from tests.usecases.table import MINUTE, Client, Table, code_of
from wordle_tournament.adapters.memory_outside import Grace
from wordle_tournament.rules.tournament import Tournament
from wordle_tournament.usecases.erasing import erase_player

Way = Callable[[Table, Client], object]


def leaves(_: Table, gone: Client) -> None:
    gone.leave()


def is_lost(_: Table, gone: Client) -> None:
    gone.disconnect()


def is_found_gone_by_a_push(table: Table, gone: Client) -> None:
    gone.vanish()
    table.clients[0].rename("Somebody Else")


def is_found_gone_by_a_wake_up(table: Table, gone: Client) -> None:
    late = table.client("late")
    late.join_group(gone.group().code)
    late.disconnect()
    gone.vanish()
    table.clock.advance(MINUTE)
    table.wake(Grace(late.player, late.stored().losses))


def is_erased(table: Table, gone: Client) -> None:
    assert erase_player(table.game, gone.player)


GIVING_SEATS_BACK = [
    leaves,
    is_lost,
    is_found_gone_by_a_push,
    is_found_gone_by_a_wake_up,
    is_erased,
]


def leaves_the_group(_: Table, gone: Client) -> None:
    gone.leave_group()


def is_removed_from_the_group(table: Table, gone: Client) -> None:
    table.clients[0].remove(gone)


def comes_on_a_new_connection(_: Table, gone: Client) -> None:
    gone.come_back()


KEEPING_SEATS = [leaves_the_group, is_removed_from_the_group, comes_on_a_new_connection]


@pytest.fixture
def table() -> Table:
    """Five friends wait in one lobby and four in another; without any of the five eight do."""
    table = Table()
    for names in ("abcde", "wxyz"):
        leader, *_ = table.friends(names)
        leader.start_group()
    return table


@pytest.fixture
def gone(table: Table) -> Client:
    """One of the five, who does not lead them."""
    return table.clients[4]


def begun(table: Table) -> int:
    """How many tournaments there are."""
    return len(table.store.all_of(Tournament))


def seats(table: Table) -> list[int]:
    """How many sit in each lobby."""
    return [len(lobby.players) for lobby in table.store.room("en").lobbies]


@pytest.mark.parametrize("way", GIVING_SEATS_BACK)
def test_whoever_gives_a_seat_back_lets_nobody_start_while_the_stage_is_drained(
    table: Table, gone: Client, way: Way
) -> None:
    table.drain()

    way(table, gone)

    assert (begun(table), seats(table)) == (0, [4, 4])
    assert gone.stored().seat is None
    check_everything(table)


@pytest.mark.parametrize("way", GIVING_SEATS_BACK)
def test_whoever_gives_a_seat_back_lets_others_start_otherwise(
    table: Table, gone: Client, way: Way
) -> None:
    """R8.2"""
    way(table, gone)

    assert (begun(table), seats(table)) == (1, [])


@pytest.mark.parametrize("way", KEEPING_SEATS)
def test_whoever_keeps_the_seat_lets_nobody_start(table: Table, gone: Client, way: Way) -> None:
    """R6.5: drained or not."""
    way(table, gone)

    assert (begun(table), seats(table)) == (0, [5, 4])
    assert gone.stored().lobby is not None


def test_nobody_is_seated_while_the_stage_is_drained(table: Table) -> None:
    stranger = table.client("s")
    leader, _ = table.friends("fg")
    table.drain()

    assert code_of(stranger.join) == code_of(leader.start_group) == "try_again"

    assert (begun(table), seats(table)) == (0, [5, 4])


def test_whoever_sits_already_is_answered_with_the_lobby_while_the_stage_is_drained(
    table: Table, gone: Client
) -> None:
    """R6.4: a repeat of the message asks for nothing new."""
    table.drain()

    gone.join()

    assert seats(table) == [5, 4]


def test_those_who_could_start_do_with_the_next_change_once_the_stage_is_drained_no_longer(
    table: Table, gone: Client
) -> None:
    table.drain()
    gone.leave()
    table.game = replace(table.game, draining=False)

    gone.join()

    assert (begun(table), seats(table)) == (1, [1])
