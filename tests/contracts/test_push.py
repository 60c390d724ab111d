"""What the use cases may rely on when they send: in memory, and through the gateway's SDK."""

import json
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from botocore.session import Session

from tests.contracts.gateway import FakeGateway
from wordle_tournament.adapters.gateway import GatewayPush
from wordle_tournament.adapters.memory_outside import MemoryPush
from wordle_tournament.ports.messages import DuelEnded, Error, Frame, Pong, Replaced
from wordle_tournament.ports.outside import Push
from wordle_tournament.rules.duel import Outcome
from wordle_tournament.rules.ids import ConnectionId, DuelId
from wordle_tournament.rules.refusals import Code
from wordle_tournament.wire.outgoing import encode

AT = datetime(2026, 1, 1, tzinfo=UTC)
ONE, TWO = ConnectionId("one="), ConnectionId("two=")
EIGHT = tuple(ConnectionId(f"c{number}") for number in range(8))
PONG, REPLACED, LAST = Frame(Pong(AT), "r1"), Frame(Replaced()), Frame(Error(Code.INTERNAL, "!"))


@dataclass(frozen=True)
class Line:
    """A way to connections, with a look at their other ends."""

    push: Push
    received: Callable[[ConnectionId], list[str]]
    vanish: Callable[[ConnectionId], None]


@pytest.fixture
def gateway(session: Session, monkeypatch: pytest.MonkeyPatch) -> FakeGateway:
    # The SDK's waits between its attempts are not what is tried here.
    monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _: None)
    gateway = FakeGateway()
    gateway.listen(session)
    return gateway


@pytest.fixture
def push(session: Session, gateway: FakeGateway) -> GatewayPush:
    return GatewayPush("https://gateway.example/live", session)


@pytest.fixture(params=["memory", "gateway"])
def line(request: pytest.FixtureRequest) -> Line:
    if request.param == "memory":
        memory = MemoryPush()
        return Line(
            push=memory,
            received=lambda connection: [encode(frame) for frame in memory.received(connection)],
            vanish=memory.vanish,
        )
    gateway: FakeGateway = request.getfixturevalue("gateway")
    return Line(
        push=request.getfixturevalue("push"),
        received=lambda connection: gateway.received.get(connection, []),
        vanish=lambda connection: gateway.answer(connection, 410),
    )


def test_every_connection_gets_its_frames_in_order(line: Line) -> None:
    gone = line.push.send({ONE: [PONG, REPLACED, LAST], TWO: (LAST, PONG)})
    assert gone == frozenset()
    assert line.received(ONE) == [encode(PONG), encode(REPLACED), encode(LAST)]
    assert line.received(TWO) == [encode(LAST), encode(PONG)]


def test_sending_nothing_is_nothing(line: Line) -> None:
    assert line.push.send({}) == frozenset()
    assert line.push.send({ONE: []}) == frozenset()


@pytest.mark.parametrize("dead", [EIGHT[0], EIGHT[4], EIGHT[7]])
def test_a_dead_connection_of_eight_is_told_and_the_other_seven_get_all(
    line: Line, dead: ConnectionId
) -> None:
    line.vanish(dead)
    assert line.push.send(dict.fromkeys(EIGHT, (PONG, REPLACED))) == {dead}
    for connection in EIGHT:
        expected = [] if connection == dead else [encode(PONG), encode(REPLACED)]
        assert line.received(connection) == expected


def test_all_connections_can_be_dead(line: Line) -> None:
    for connection in EIGHT:
        line.vanish(connection)
    assert line.push.send(dict.fromkeys(EIGHT, (PONG,))) == set(EIGHT)


def test_a_closed_connection_and_one_that_is_gone_can_be_closed(line: Line) -> None:
    line.push.close(ONE)
    line.vanish(TWO)
    line.push.close(TWO)


def test_the_gateway_is_asked_to_close(push: GatewayPush, gateway: FakeGateway) -> None:
    push.close(ONE)
    assert gateway.deleted == [ONE]


def test_frames_to_a_connection_that_is_gone_are_not_tried_one_by_one(
    push: GatewayPush, gateway: FakeGateway
) -> None:
    gateway.answer(ONE, 410)
    assert push.send({ONE: (PONG, REPLACED, LAST)}) == {ONE}
    assert gateway.attempts == {ONE: 1}


def test_a_connection_can_go_between_two_frames(push: GatewayPush, gateway: FakeGateway) -> None:
    gateway.answer(ONE, 200, 410)
    assert push.send({ONE: (PONG, REPLACED)}) == {ONE}
    assert gateway.received == {ONE: [encode(PONG)]}


def test_an_id_that_the_gateway_never_gave_out_reaches_nobody_and_is_gone(
    push: GatewayPush, gateway: FakeGateway
) -> None:
    gateway.answer(ONE, 400)
    assert push.send({ONE: (PONG,)}) == {ONE}
    push.close(ONE)


@pytest.mark.parametrize("trouble", [429, 500, 502, 503, 504, None])
def test_trouble_that_passes_is_tried_again(
    push: GatewayPush, gateway: FakeGateway, trouble: int | None
) -> None:
    gateway.answer(ONE, trouble, trouble, 200)
    assert push.send({ONE: (PONG,)}) == frozenset()
    assert gateway.received == {ONE: [encode(PONG)]}
    assert gateway.attempts == {ONE: 3}


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (429, "LimitExceededException"),
        (500, "500"),
        (403, "ForbiddenException"),
        (413, "PayloadTooLargeException"),
        (None, "ReadTimeoutError"),
    ],
)
def test_trouble_that_stays_is_logged_without_content_and_is_no_loss(
    push: GatewayPush,
    gateway: FakeGateway,
    caplog: pytest.LogCaptureFixture,
    trouble: int | None,
    told: str,
) -> None:
    gateway.answer(ONE, trouble)
    secret = DuelEnded(DuelId("d"), 1, Outcome.DRAW, None, "s3cret", ("s3cret",))
    assert push.send({ONE: (Frame(secret),), TWO: (PONG,)}) == frozenset()
    assert gateway.received == {TWO: [encode(PONG)]}
    assert gateway.attempts[ONE] <= 3
    (record,) = [record for record in caplog.records if record.name.startswith("wordle")]
    assert record.levelno == logging.WARNING
    assert record.getMessage() == f"duelEnded was not sent to connection {ONE}: {told}"
    assert "s3cret" not in caplog.text


def test_a_frame_that_is_refused_keeps_no_other_from_being_sent(
    push: GatewayPush, gateway: FakeGateway
) -> None:
    """The client sees the gap in the versions, and asks for what it missed."""
    gateway.behave(ONE, lambda text: 429 if text == encode(PONG) else 200)
    push.send({ONE: (PONG, REPLACED)})
    assert gateway.received == {ONE: [encode(REPLACED)]}


def test_a_gateway_that_does_not_answer_is_not_waited_for_again(
    push: GatewayPush, gateway: FakeGateway
) -> None:
    gateway.answer(ONE, None)
    push.send({ONE: (PONG, REPLACED, LAST)})
    assert gateway.attempts == {ONE: 3}


def test_a_frame_that_is_too_large_is_left_out_and_logged(
    push: GatewayPush, gateway: FakeGateway, caplog: pytest.LogCaptureFixture
) -> None:
    huge = Frame(Error(Code.INTERNAL, "x" * 40_000))
    push.send({ONE: (PONG, huge, LAST), TWO: (huge,)})
    assert gateway.received == {ONE: [encode(PONG), encode(LAST)]}
    assert {record.levelno for record in caplog.records} == {logging.ERROR}
    assert "xxx" not in caplog.text


def test_a_failed_close_is_logged_and_raises_nothing(
    push: GatewayPush, gateway: FakeGateway, caplog: pytest.LogCaptureFixture
) -> None:
    gateway.answer(ONE, 403)
    push.close(ONE)
    gateway.answer(TWO, None)
    push.close(TWO)
    assert [record.getMessage() for record in caplog.records] == [
        f"connection {ONE} was not closed: ForbiddenException",
        f"connection {TWO} was not closed: ReadTimeoutError",
    ]


@pytest.mark.parametrize("slow", [EIGHT[0], EIGHT[3], EIGHT[7]])
def test_a_slow_connection_of_eight_delays_none_of_the_other_seven(
    push: GatewayPush, gateway: FakeGateway, slow: ConnectionId
) -> None:
    """The slow one answers only after all the others have everything."""
    others_done = threading.Event()
    seven = threading.Barrier(7, action=others_done.set)

    def wait_for_the_others(_: str) -> int:
        return 200 if others_done.wait(30) else 500

    def arrive(text: str) -> int:
        if text == encode(REPLACED):
            seven.wait(30)
        return 200

    for connection in EIGHT:
        gateway.behave(connection, wait_for_the_others if connection == slow else arrive)
    assert push.send(dict.fromkeys(EIGHT, (PONG, REPLACED))) == frozenset()
    assert gateway.attempts == dict.fromkeys(EIGHT, 2)


def test_the_threads_of_one_send_are_those_of_the_next(
    push: GatewayPush, gateway: FakeGateway
) -> None:
    threads: set[int] = set()

    def note(_: str) -> int:
        threads.add(threading.get_ident())
        return 200

    for connection in EIGHT:
        gateway.behave(connection, note)
    for _ in range(20):
        push.send(dict.fromkeys(EIGHT, (PONG,)))
    assert len(threads) <= len(EIGHT)


def test_one_connection_needs_no_thread(push: GatewayPush, gateway: FakeGateway) -> None:
    threads: list[int] = []

    def note(_: str) -> int:
        threads.append(threading.get_ident())
        return 200

    gateway.behave(ONE, note)
    push.send({ONE: (PONG,)})
    assert threads == [threading.get_ident()]


def test_text_goes_out_as_utf_8(push: GatewayPush, gateway: FakeGateway) -> None:
    push.send({ONE: (Frame(Error(Code.INTERNAL, "сло́во")),)})
    assert json.loads(gateway.received[ONE][0])["message"] == "сло́во"
