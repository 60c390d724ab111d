"""A guess whose pushes meet trouble at the gateway, through the SDK and the real function."""

import json
from dataclasses import replace

import pytest
from botocore.loaders import create_loader

from tests.contracts.conftest import new_session
from tests.contracts.gateway import FakeGateway
from tests.functions.conftest import Functions
from tests.functions.connections.lambda_table import LambdaTable
from tests.usecases.table import MINUTE, NEVER_HIDDEN, Client
from wordle_tournament.adapters.gateway import GatewayPush
from wordle_tournament.adapters.memory_outside import Grace
from wordle_tournament.rules.duel import Duel


@pytest.fixture
def gateway(table: LambdaTable, duel: Duel, monkeypatch: pytest.MonkeyPatch) -> FakeGateway:
    """The gateway that answers from now on, while the first duel's first turn runs."""
    # The SDK's waits between its attempts are not what is tried here.
    monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _: None)
    session = new_session(create_loader())
    gateway = FakeGateway()
    gateway.listen(session)
    push = GatewayPush("https://gateway.example/live", session)
    table.game = replace(table.game, push=push)
    return gateway


def miss(functions: Functions, duel: Duel, client: Client) -> None:
    """Let the function handle a wrong guess of the first turn."""
    fields = {"duelId": duel.id, "turn": 1, "word": NEVER_HIDDEN[len(duel.word)]}
    functions.send(client, "guess", json.dumps({"action": "guess", **fields}))


def types(gateway: FakeGateway, client: Client) -> list[str]:
    """What a client received of the gateway."""
    return [json.loads(text)["type"] for text in gateway.received.get(client.connection, [])]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_trouble_that_passes_delays_a_push_and_loses_nothing(
    functions: Functions,
    gateway: FakeGateway,
    duel: Duel,
    on_turn: Client,
    opponent: Client,
    status: int,
) -> None:
    """R7.2: busy is not gone."""
    gateway.answer(opponent.connection, status, 200)
    miss(functions, duel, on_turn)
    assert types(gateway, on_turn) == types(gateway, opponent) == ["guessMade"]
    assert opponent.stored().losses == 0


@pytest.mark.parametrize("status", [429, 500, 503])
def test_trouble_that_stays_fails_no_guess_and_is_no_loss(
    functions: Functions,
    table: LambdaTable,
    gateway: FakeGateway,
    duel: Duel,
    on_turn: Client,
    opponent: Client,
    status: int,
) -> None:
    """R7.2: the guess counts and is answered; whoever missed it sees the gap."""
    gateway.answer(opponent.connection, status)
    miss(functions, duel, on_turn)
    assert types(gateway, on_turn) == ["guessMade"]
    assert types(gateway, opponent) == []
    assert len(table.duel(on_turn).rows) == 1
    assert opponent.stored().losses == 0


def test_gone_is_a_loss(
    functions: Functions,
    table: LambdaTable,
    gateway: FakeGateway,
    duel: Duel,
    on_turn: Client,
    opponent: Client,
) -> None:
    """R7.2: noted after the guess was answered, and told to the player."""
    gateway.answer(opponent.connection, 410)
    miss(functions, duel, on_turn)
    assert types(gateway, on_turn) == ["guessMade", "playerDisconnected"]
    assert table.timers.waiting[Grace(opponent.player, 1)] == table.clock.now() + MINUTE
