"""Eight players whose tournament has just begun, and one of their duels."""

import pytest

from tests.usecases.invariants import check_pushes
from tests.usecases.table import Client, Table
from wordle_tournament.rules.duel import Duel


@pytest.fixture
def table() -> Table:
    table = Table()
    table.eight()
    check_pushes(table)
    return table


@pytest.fixture
def duel(table: Table) -> Duel:
    """One of four duels whose first turn has just begun."""
    return table.open_round(table.clients[0])[0]


@pytest.fixture
def opponent(table: Table, duel: Duel) -> Client:
    return table.find(duel.player_of(2))
