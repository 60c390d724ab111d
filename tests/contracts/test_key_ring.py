"""The key ring in Secrets Manager."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError
from botocore.session import Session
from moto import mock_aws

from wordle_tournament.adapters.secrets import BadKeyRingError, SecretKeyRing

FIRST, SECOND = "first" * 8, "second" * 8
NAME = "signing-keys"


class Clock:
    """Seconds that pass when told."""

    def __init__(self) -> None:
        self.at = 1_000_000.0

    def __call__(self) -> float:
        return self.at


class Vault:
    """Secrets Manager, counting how often it is read."""

    def __init__(self, client: Any, session: Session) -> None:
        self.client = client
        self.reads = 0
        session.register("before-call.secrets-manager.GetSecretValue", self._count)
        client.create_secret(Name=NAME, SecretString=json.dumps({"current": "k1", "k1": FIRST}))

    def write(self, text: str) -> None:
        self.client.put_secret_value(SecretId=NAME, SecretString=text)

    def remove(self) -> None:
        self.client.delete_secret(SecretId=NAME, ForceDeleteWithoutRecovery=True)

    def _count(self, **_: Any) -> None:
        self.reads += 1


@pytest.fixture
def vault(session: Session) -> Iterator[Vault]:
    with mock_aws():
        yield Vault(session.create_client("secretsmanager"), session)


@pytest.fixture
def seconds() -> Clock:
    return Clock()


@pytest.fixture
def ring(vault: Vault, session: Session, seconds: Clock) -> SecretKeyRing:
    assert vault.reads == 0
    return SecretKeyRing(lambda: NAME, lambda: session, seconds)


def test_keys_are_loaded_when_first_needed_and_then_kept(ring: SecretKeyRing, vault: Vault) -> None:
    assert vault.reads == 0
    assert ring.current() == ("k1", FIRST)
    assert ring.find("k1") == FIRST
    assert ring.current() == ("k1", FIRST)
    assert vault.reads == 1


def test_the_id_of_the_current_key_is_no_key_itself(ring: SecretKeyRing) -> None:
    assert ring.find("current") is None


def test_keys_are_loaded_again_after_a_while(
    ring: SecretKeyRing, vault: Vault, seconds: Clock
) -> None:
    ring.current()
    vault.write(json.dumps({"current": "k2", "k1": FIRST, "k2": SECOND}))
    seconds.at += 299
    assert ring.current() == ("k1", FIRST)
    seconds.at += 1
    assert ring.current() == ("k2", SECOND)
    assert ring.find("k1") == FIRST
    assert vault.reads == 2


def test_an_unknown_key_is_looked_for_in_the_secret_at_most_every_ten_seconds(
    ring: SecretKeyRing, vault: Vault, seconds: Clock
) -> None:
    ring.current()
    vault.write(json.dumps({"current": "k2", "k1": FIRST, "k2": SECOND}))
    seconds.at += 9
    assert ring.find("k2") is None
    assert vault.reads == 1
    seconds.at += 1
    assert ring.find("k2") == SECOND
    assert vault.reads == 2
    for _ in range(5):
        assert ring.find("forged") is None
    assert vault.reads == 2
    seconds.at += 10
    assert ring.find("forged") is None
    assert vault.reads == 3


def test_the_last_keys_stay_while_the_secret_cannot_be_read(
    ring: SecretKeyRing, vault: Vault, seconds: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    ring.current()
    vault.write("no JSON at all, s3cret")
    seconds.at += 1000
    assert ring.current() == ("k1", FIRST)
    vault.remove()
    seconds.at += 1000
    assert ring.current() == ("k1", FIRST)
    assert [
        record.getMessage() for record in caplog.records if record.levelno == logging.WARNING
    ] == [
        "signing keys were not loaded again: BadKeyRingError",
        "signing keys were not loaded again: ResourceNotFoundException",
    ]
    assert "s3cret" not in caplog.text


def test_without_any_keys_nothing_can_be_signed(ring: SecretKeyRing, vault: Vault) -> None:
    vault.remove()
    with pytest.raises(ClientError):
        ring.current()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "s3cret",
        "[]",
        "{}",
        json.dumps({"k1": FIRST}),
        json.dumps({"current": "k2", "k1": FIRST}),
        json.dumps({"current": "current"}),
        json.dumps({"current": ["k1"], "k1": FIRST}),
        json.dumps({"current": "k1", "k1": 5}),
        json.dumps({"current": "k1", "k1": "s3cret"}),
    ],
)
def test_a_secret_that_is_no_key_ring_is_a_fault_that_does_not_tell_it(
    ring: SecretKeyRing, vault: Vault, text: str
) -> None:
    vault.write(text or " ")
    with pytest.raises(BadKeyRingError) as fault:
        ring.current()
    assert "s3cret" not in str(fault.value)
    assert fault.value.__suppress_context__ or fault.value.__context__ is None


def test_keys_are_in_no_representation(ring: SecretKeyRing) -> None:
    ring.current()
    assert FIRST not in repr(ring)
