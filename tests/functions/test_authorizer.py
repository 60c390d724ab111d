"""Who is let in: by token, in a header or in the URL, or as a new player."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from tests.functions.conftest import CONTEXT, Functions, Written
from wordle_tools.bench.functions import load_handler
from wordle_tournament.adapters.memory_outside import MemoryTokens
from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.rules.moments import from_ms, to_ms

Answer = Mapping[str, Any]

ISSUED_AT = from_ms(1_796_000_000_000)


def ask(
    functions: Functions,
    headers: Mapping[str, str] | None = None,
    query: Mapping[str, str] | None = None,
) -> Answer:
    """Ask the authorizer about a handshake with more headers and another query string."""
    event = functions.event("authorize")
    event["headers"] |= headers or {}
    event["queryStringParameters"] = query
    answer: Answer = load_handler("authorize")(event, CONTEXT)
    return answer


def is_let_in(answer: Answer) -> bool:
    """Whether the policy allows the handshake, and nothing beyond it."""
    (statement,) = answer["policyDocument"]["Statement"]
    assert statement["Action"] == "execute-api:Invoke"
    assert statement["Resource"].endswith("/play/$connect")
    return bool(statement["Effect"] == "Allow")


@pytest.fixture
def token() -> str:
    return MemoryTokens().mint(PlayerId("ann"), ISSUED_AT)


def test_who_brings_no_token_is_a_new_player(functions: Functions) -> None:
    """R10.1: each with an id of their own."""
    one, two = ask(functions), ask(functions)
    assert is_let_in(one)
    assert one["context"]["playerId"] != two["context"]["playerId"]


def test_the_context_holds_what_later_events_need(functions: Functions, token: str) -> None:
    """As strings: the gateway passes nothing else on."""
    now = functions.event("authorize")["requestContext"]["requestTimeEpoch"]
    answer = ask(functions, query={"token": token})
    assert answer["context"] == {
        "playerId": "ann",
        "connectedAt": str(now),
        "tokenIssuedAt": str(to_ms(ISSUED_AT)),
    }


def test_a_new_players_token_is_issued_with_the_handshake(functions: Functions) -> None:
    context = ask(functions)["context"]
    assert context["tokenIssuedAt"] == context["connectedAt"]


@pytest.mark.parametrize("name", ["Authorization", "authorization", "AUTHORIZATION"])
@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_a_token_is_read_from_the_header_in_any_case(
    functions: Functions, token: str, name: str, scheme: str
) -> None:
    answer = ask(functions, {name: f"{scheme} {token}"})
    assert is_let_in(answer)
    assert answer["context"]["playerId"] == answer["principalId"] == "ann"


def test_a_token_is_read_from_the_url(functions: Functions, token: str) -> None:
    answer = ask(functions, query={"token": token, "other": "x"})
    assert is_let_in(answer)
    assert answer["context"]["playerId"] == "ann"


def test_the_header_goes_before_the_url(functions: Functions, token: str) -> None:
    """A damaged one is not made up for by another."""
    assert not is_let_in(ask(functions, {"Authorization": "Bearer x"}, {"token": token}))


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ({"Authorization": "Bearer forged"}, None),
        ({"Authorization": "Bearer "}, None),
        ({"Authorization": "Bearer"}, None),
        ({"Authorization": ""}, None),
        ({"Authorization": "Basic YW5uOmFubg=="}, None),
        ({}, {"token": "forged"}),
        ({}, {"token": ""}),
    ],
)
def test_a_damaged_token_is_refused_and_never_a_new_player(
    functions: Functions, headers: Mapping[str, str], query: Mapping[str, str] | None
) -> None:
    answer = ask(functions, headers, query)
    assert not is_let_in(answer)
    assert "context" not in answer


def test_other_parts_of_the_url_are_no_token(functions: Functions) -> None:
    assert is_let_in(ask(functions, query={"tokens": "forged"}))


@pytest.mark.parametrize("good", [True, False])
def test_no_token_is_written(
    functions: Functions, token: str, written: Written, good: bool
) -> None:
    shown = token if good else "forged-and-secret"
    ask(functions, {"Authorization": f"Bearer {shown}"})
    ask(functions, query={"token": shown})
    text = written.read()
    assert len(text.splitlines()) == 2
    assert shown not in text


def test_an_old_token_keeps_its_age(functions: Functions) -> None:
    """It is `hello` that renews it, by the time in the context."""
    long_ago = ISSUED_AT - timedelta(days=100)
    old = MemoryTokens().mint(PlayerId("ann"), long_ago)
    answer = ask(functions, query={"token": old})
    assert answer["context"]["tokenIssuedAt"] == str(to_ms(long_ago))
