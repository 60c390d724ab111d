"""Timers as executions of Step Functions, named after what they wait for."""

import json
import logging
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, cast

from botocore.session import Session

from wordle_tournament.adapters.aws_calls import BRIEFLY, FAILURES, reason_of
from wordle_tournament.rules.ids import PlayerId, TournamentId

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

_logger = logging.getLogger(__name__)


class StepFunctionsTimers:
    """Starts executions; a name is used once, so a second start is the same as one."""

    def __init__(self, round_clock_arn: str, reconnect_grace_arn: str, session: Session) -> None:
        """Start executions of two state machines, with a client made when first needed."""
        self._round_clock_arn = round_clock_arn
        self._reconnect_grace_arn = reconnect_grace_arn
        self._session = session

    def start_round_clock(
        self, tournament: TournamentId, round_number: int, wake_at: datetime
    ) -> None:
        """Start a clock of a round; one that first wakes at another time is another one."""
        first_wake = to_timestamp(wake_at)
        self._start(
            self._round_clock_arn,
            # Names take no colons.
            f"{tournament}-r{round_number}-{first_wake.replace(':', '')}",
            {"tournamentId": tournament, "round": round_number, "wakeAt": first_wake},
        )

    def start_grace(self, player: PlayerId, loss: int, back_by: datetime) -> None:
        """Start the wait for a player's return after their `loss`-th lost connection (R7.2)."""
        self._start(
            self._reconnect_grace_arn,
            f"{player}-l{loss}",
            {"playerId": player, "loss": loss, "wakeAt": to_timestamp(back_by)},
        )

    def _start(self, machine: str, name: str, state: dict[str, object]) -> None:
        try:
            self._client.start_execution(
                stateMachineArn=machine, name=name, input=json.dumps(state)
            )
        except self._client.exceptions.ExecutionAlreadyExists:
            return
        except FAILURES as error:
            # A timer only wakes: the sweep does it where one is missing.
            _logger.warning("timer %s was not started: %s", name, reason_of(error))

    @cached_property
    def _client(self) -> "SFNClient":
        return cast("SFNClient", self._session.create_client("stepfunctions", config=BRIEFLY))


def to_timestamp(at: datetime) -> str:
    """Write an aware time as a `Wait` state reads it, rounded up to a whole second.

    Waits drop milliseconds: rounded down, one would wake before what it waits for.
    """
    whole = at.astimezone(UTC).replace(microsecond=0)
    if whole < at:
        whole += timedelta(seconds=1)
    return f"{whole:%Y-%m-%dT%H:%M:%S}Z"
