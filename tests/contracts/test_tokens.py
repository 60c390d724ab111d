"""What tokens promise: in memory, and signed."""

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wordle_tournament.adapters.memory_outside import MemoryTokens
from wordle_tournament.adapters.tokens import LIFETIME, BadToken, Identity, JwtTokens
from wordle_tournament.rules.ids import PlayerId

NOW = datetime.now(UTC).replace(microsecond=123_000)
SECOND = NOW.replace(microsecond=0)
ANN = PlayerId("ann")
KEYS = {"k1": "first" * 8, "k2": "second" * 8}

Tokens = JwtTokens | MemoryTokens


class Ring:
    """A few keys."""

    def __init__(self, current: str, *known: str) -> None:
        self._current = current
        self._known = {current, *known}

    def current(self) -> tuple[str, str]:
        return self._current, KEYS[self._current]

    def find(self, key_id: str) -> str | None:
        return KEYS[key_id] if key_id in self._known else None


SIGNED = JwtTokens(Ring("k1"))


@pytest.fixture(params=["memory", "signed"])
def tokens(request: pytest.FixtureRequest) -> Tokens:
    return MemoryTokens() if request.param == "memory" else SIGNED


def reason(token: str, tokens: Tokens = SIGNED) -> str:
    with pytest.raises(BadToken) as bad:
        tokens.read(token)
    assert bad.value.__suppress_context__ or bad.value.__context__ is None
    return str(bad.value)


def sign(
    claims: object,
    key: str = KEYS["k1"],
    algorithm: str = "HS256",
    headers: dict[str, Any] | None = None,
) -> str:
    text = json.dumps(claims).encode()
    return jwt.api_jws.encode(text, key, algorithm, headers={"kid": "k1"} | (headers or {}))


def claims_with(**changes: object) -> dict[str, object]:
    seconds = int(SECOND.timestamp())
    return {"sub": "ann", "iat": seconds, "exp": seconds + 1000, **changes}


def test_a_token_names_its_player_and_when_it_was_issued_in_whole_seconds(tokens: Tokens) -> None:
    assert tokens.read(tokens.mint(ANN, NOW)) == Identity(ANN, SECOND)


def test_the_same_player_and_time_give_the_same_token(tokens: Tokens) -> None:
    token = tokens.mint(ANN, NOW)
    assert token == tokens.mint(ANN, NOW)
    assert token == tokens.mint(ANN, tokens.read(token).issued_at)
    assert token != tokens.mint(ANN, NOW - timedelta(seconds=2))
    assert token != tokens.mint(PlayerId("ben"), NOW)


@pytest.mark.parametrize("text", ["", ".", "..", "a.b.c", "memory", "Bearer x", "\x00", "ж.ж.ж"])
def test_any_other_text_names_nobody(tokens: Tokens, text: str) -> None:
    assert reason(text, tokens) == "forged or damaged"


@given(st.text(max_size=60))
@example("\ud800.a.b")
@example(base64.urlsafe_b64encode(b"[" * 500).decode() + ".e30.e30")
@example(base64.urlsafe_b64encode(b'{"alg":"HS256","kid":"k1"}').decode() + ".e30.e30")
@example(base64.urlsafe_b64encode(b'{"alg":"HS256","kid":["k1"]}').decode() + ".e30.e30")
@example(base64.urlsafe_b64encode(b'["alg"]').decode() + ".e30.e30")
def test_whatever_is_shown_as_a_token_only_ever_names_nobody(text: str) -> None:
    for tokens in (SIGNED, MemoryTokens()):
        assert reason(text, tokens)


def test_a_token_with_any_character_changed_names_nobody() -> None:
    token = SIGNED.mint(ANN, NOW)
    for place, character in enumerate(token[:-1]):
        other = "A" if character != "A" else "B"
        assert reason(token[:place] + other + token[place + 1 :])
    for cut in range(len(token)):
        assert reason(token[:cut])


def test_a_token_signed_with_another_key_names_nobody() -> None:
    assert reason(sign(claims_with(), key="foreign" * 8)) == "forged or damaged"


def test_a_token_lives_for_its_time_and_no_longer() -> None:
    assert SIGNED.read(SIGNED.mint(ANN, NOW - LIFETIME + timedelta(days=1))).player == ANN
    assert reason(SIGNED.mint(ANN, NOW - LIFETIME - timedelta(days=1))) == "expired"


def test_a_token_of_a_clock_slightly_ahead_is_good_and_one_of_the_future_is_not() -> None:
    assert SIGNED.read(SIGNED.mint(ANN, NOW + timedelta(seconds=20))).player == ANN
    assert reason(SIGNED.mint(ANN, NOW + timedelta(days=1))) == "of the future"
    assert reason(SIGNED.mint(ANN, NOW + timedelta(days=30_000))) == "of the future"


@pytest.mark.parametrize("algorithm", ["none", "HS384", "HS512"])
@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
def test_a_token_of_another_algorithm_names_nobody(algorithm: str) -> None:
    key = "" if algorithm == "none" else KEYS["k1"]
    assert reason(sign(claims_with(), key, algorithm)) == "forged or damaged"


@pytest.mark.parametrize("key_id", [None, 1, ["k1"], {}, "", "k9", "../k1"])
def test_a_token_without_a_known_key_names_nobody(key_id: object) -> None:
    header = {"alg": "HS256", "typ": "JWT", "kid": key_id}
    _, payload, signature = SIGNED.mint(ANN, NOW).split(".")
    encoded = base64.urlsafe_b64encode(json.dumps(header).encode()).decode().rstrip("=")
    assert reason(f"{encoded}.{payload}.{signature}")


@pytest.mark.parametrize(
    "claims",
    [
        [],
        "ann",
        None,
        {},
        claims_with(sub=None),
        claims_with(sub=5),
        claims_with(sub=""),
        claims_with(iat="1"),
        claims_with(iat=None),
        claims_with(iat=True),
        claims_with(iat=1.5),
        claims_with(iat=-5),
        claims_with(iat=10**30),
        claims_with(iat=-(10**30)),
        claims_with(exp="soon"),
        claims_with(exp=None),
        claims_with(exp=[]),
        {"sub": "ann", "iat": 1},
        {"sub": "ann", "exp": 10**10},
        {"iat": 1, "exp": 10**10},
    ],
    ids=str,
)
def test_a_token_of_ours_with_claims_of_wrong_types_names_nobody(claims: object) -> None:
    assert reason(sign(claims))


def test_a_very_long_token_is_not_even_looked_at() -> None:
    assert reason(SIGNED.mint(PlayerId("x" * 2000), NOW)) == "too long"


def test_the_keys_can_be_rotated() -> None:
    """Old tokens stay good as long as their key is kept; new ones are of the current key."""
    before, during, after = (
        JwtTokens(Ring("k1")),
        JwtTokens(Ring("k2", "k1")),
        JwtTokens(Ring("k2")),
    )
    old, new = before.mint(ANN, NOW), during.mint(ANN, NOW)
    assert old != new
    assert during.read(old) == during.read(new) == after.read(new)
    assert reason(old, after) == "of an unknown key"
    assert reason(new, before) == "of an unknown key"


def test_nothing_of_a_token_or_a_key_is_told_by_what_it_is_refused_with() -> None:
    token = SIGNED.mint(ANN, NOW - LIFETIME * 2)
    told: Callable[[str], str] = reason
    for bad in (token, token[:-3], sign(claims_with(sub=5))):
        assert not set(bad.split(".")) & set(told(bad).split())
    assert KEYS["k1"] not in repr(SIGNED)
