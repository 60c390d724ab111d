"""Eight players whose messages go to the functions, and one of their duels."""

import pytest

from tests.functions.conftest import Functions
from tests.functions.connections.lambda_table import LambdaTable
from tests.usecases.invariants import check_pushes
from tests.usecases.table import Client
from wordle_tournament.rules.duel import Duel


@pytest.fixture
def table() -> LambdaTable:
    return LambdaTable()


@pytest.fixture(autouse=True)
def functions(functions: Functions, table: LambdaTable) -> Functions:
    table.functions = functions
    return functions


@pytest.fixture
def eight(table: LambdaTable, functions: Functions) -> list[Client]:
    """Eight players in the intro of their first round."""
    clients = table.eight()
    check_pushes(table)
    return clients


@pytest.fixture
def duel(table: LambdaTable, eight: list[Client]) -> Duel:
    """One of four duels whose first turn has just begun."""
    return table.open_round(eight[0])[0]


@pytest.fixture
def on_turn(table: LambdaTable, duel: Duel) -> Client:
    return table.find(duel.player_of(1))


@pytest.fixture
def opponent(table: LambdaTable, duel: Duel) -> Client:
    return table.find(duel.player_of(2))
