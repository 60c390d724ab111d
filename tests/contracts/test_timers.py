"""What the use cases may rely on when they start timers: in memory, and in Step Functions."""

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError
from botocore.session import Session
from botocore.stub import Stubber
from hypothesis import given
from hypothesis import strategies as st
from moto import mock_aws

from wordle_tournament.adapters.memory_outside import Grace, MemoryTimers, RoundClock
from wordle_tournament.adapters.stepfunctions import StepFunctionsTimers, to_timestamp
from wordle_tournament.ports.outside import Timers
from wordle_tournament.rules.ids import PlayerId, TournamentId

AT = datetime(2026, 1, 1, 23, 59, 59, 1000, tzinfo=UTC)
CUP, ANN = TournamentId("cup"), PlayerId("ann")
SILENCE = EndpointConnectionError(endpoint_url="https://states")
ARNS = "arn:aws:states:eu-central-1:123456789012:stateMachine"
CLOCK_ARN, GRACE_ARN = f"{ARNS}:RoundClock", f"{ARNS}:ReconnectGrace"
WAIT = json.dumps({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 1, "End": True}}})


@dataclass(frozen=True)
class Started:
    """Timers, and the names of those that have begun."""

    timers: Timers
    names: Callable[[], list[str]]


@pytest.fixture
def step_functions(session: Session) -> Iterator[Any]:
    """Both state machines in an emulated Step Functions."""
    with mock_aws():
        client: Any = session.create_client("stepfunctions")
        for name in ("RoundClock", "ReconnectGrace"):
            client.create_state_machine(
                name=name, definition=WAIT, roleArn="arn:aws:iam::123456789012:role/any"
            )
        yield client


@pytest.fixture(params=["memory", "stepfunctions"])
def started(request: pytest.FixtureRequest) -> Started:
    if request.param == "memory":
        memory = MemoryTimers()
        return Started(memory, lambda: [name_in_memory(timer) for timer in memory.started])
    client = request.getfixturevalue("step_functions")
    session: Session = request.getfixturevalue("session")

    def names() -> list[str]:
        found = [
            execution
            for arn in (CLOCK_ARN, GRACE_ARN)
            for execution in client.list_executions(stateMachineArn=arn)["executions"]
        ]
        found.sort(key=lambda execution: execution["startDate"])
        return [execution["name"] for execution in found]

    return Started(StepFunctionsTimers(CLOCK_ARN, GRACE_ARN, session), names)


def name_in_memory(timer: RoundClock | Grace) -> str:
    if isinstance(timer, Grace):
        return f"{timer.player}-l{timer.loss}"
    first_wake = to_timestamp(timer.first_wake).replace(":", "")
    return f"{timer.tournament}-r{timer.round_number}-{first_wake}"


def test_starting_a_timer_a_second_time_is_the_same_as_once(started: Started) -> None:
    for later in (0, 0, 5):
        started.timers.start_round_clock(CUP, 1, AT)
        started.timers.start_grace(ANN, 1, AT + timedelta(seconds=later))
    assert sorted(started.names()) == ["ann-l1", "cup-r1-2026-01-02T000000Z"]


def test_another_round_another_time_and_another_loss_are_timers_of_their_own(
    started: Started,
) -> None:
    """A round that is dealt again after its tables were restored needs a clock, too."""
    started.timers.start_round_clock(CUP, 1, AT)
    started.timers.start_round_clock(CUP, 2, AT)
    started.timers.start_round_clock(CUP, 2, AT + timedelta(seconds=1))
    started.timers.start_grace(ANN, 1, AT)
    started.timers.start_grace(ANN, 2, AT)
    assert sorted(started.names()) == [
        "ann-l1",
        "ann-l2",
        "cup-r1-2026-01-02T000000Z",
        "cup-r2-2026-01-02T000000Z",
        "cup-r2-2026-01-02T000001Z",
    ]


def test_executions_begin_with_what_their_task_needs(step_functions: Any, session: Session) -> None:
    timers = StepFunctionsTimers(CLOCK_ARN, GRACE_ARN, session)
    timers.start_round_clock(CUP, 3, AT)
    timers.start_grace(ANN, 2, AT)

    def state_of(arn: str) -> object:
        (execution,) = step_functions.list_executions(stateMachineArn=arn)["executions"]
        described = step_functions.describe_execution(executionArn=execution["executionArn"])
        return json.loads(described["input"])

    assert state_of(CLOCK_ARN) == {
        "tournamentId": "cup",
        "round": 3,
        "wakeAt": "2026-01-02T00:00:00Z",
    }
    assert state_of(GRACE_ARN) == {"playerId": "ann", "loss": 2, "wakeAt": "2026-01-02T00:00:00Z"}


@pytest.fixture
def stub(session: Session, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stubber]:
    """Answers in the place of Step Functions to the next client made in the session."""
    client = session.create_client("stepfunctions")
    monkeypatch.setattr(session, "create_client", lambda *_, **__: client)
    with Stubber(client) as stub:
        yield stub


def test_a_timer_that_was_started_before_is_not_worth_a_word(
    stub: Stubber, session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    stub.add_client_error("start_execution", "ExecutionAlreadyExists", http_status_code=400)
    StepFunctionsTimers(CLOCK_ARN, GRACE_ARN, session).start_grace(ANN, 1, AT)
    stub.assert_no_pending_responses()
    assert caplog.records == []


@pytest.mark.parametrize(
    "code", ["ExecutionLimitExceeded", "StateMachineDoesNotExist", "AccessDeniedException"]
)
def test_a_timer_that_is_refused_is_logged_and_raises_nothing(
    stub: Stubber, session: Session, caplog: pytest.LogCaptureFixture, code: str
) -> None:
    """The sweep wakes what no timer does."""
    stub.add_client_error("start_execution", code, http_status_code=400)
    StepFunctionsTimers(CLOCK_ARN, GRACE_ARN, session).start_round_clock(CUP, 1, AT)
    stub.assert_no_pending_responses()
    assert caplog.record_tuples == [
        (
            "wordle_tournament.adapters.stepfunctions",
            logging.WARNING,
            f"timer cup-r1-2026-01-02T000000Z was not started: {code}",
        )
    ]


def test_no_answer_from_step_functions_raises_nothing(
    session: Session, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _: None)
    attempts = []

    def fail(**event: Any) -> None:
        attempts.append(event["request"].url)
        raise SILENCE

    session.register("before-send.sfn", fail)
    StepFunctionsTimers(CLOCK_ARN, GRACE_ARN, session).start_grace(ANN, 1, AT)
    assert len(attempts) == 3
    assert [record.getMessage() for record in caplog.records] == [
        "timer ann-l1 was not started: EndpointConnectionError"
    ]


@pytest.mark.parametrize(
    ("at", "written"),
    [
        (datetime(2026, 1, 1, tzinfo=UTC), "2026-01-01T00:00:00Z"),
        (datetime(2026, 1, 1, 0, 0, 0, 1, tzinfo=UTC), "2026-01-01T00:00:01Z"),
        (datetime(2026, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC), "2027-01-01T00:00:00Z"),
        (
            datetime(2026, 1, 1, 5, 30, tzinfo=timezone(timedelta(hours=5, minutes=30))),
            "2026-01-01T00:00:00Z",
        ),
    ],
)
def test_a_timestamp_is_a_whole_second_of_utc_with_a_z(at: datetime, written: str) -> None:
    assert to_timestamp(at) == written


@given(st.integers(0, 10**15))
def test_a_timestamp_is_never_before_its_time_and_less_than_a_second_after(
    microseconds: int,
) -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)
    written = datetime.fromisoformat(to_timestamp(at))
    assert timedelta(0) <= written - at < timedelta(seconds=1)
