"""Handlers of wake-ups: the timers of Step Functions, and the minute sweep."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from wordle_tournament.entry.events import Event
from wordle_tournament.entry.observability import (
    count,
    count_happenings,
    describe_error,
    logger,
    metrics,
    time,
)
from wordle_tournament.entry.wiring import prepare_game, to_timestamp, wire_game
from wordle_tournament.rules.ids import PlayerId, TournamentId
from wordle_tournament.usecases.game import Game
from wordle_tournament.usecases.grace import expire_grace
from wordle_tournament.usecases.presence import drain_losses
from wordle_tournament.usecases.rounds import tick
from wordle_tournament.usecases.sweeping import count_stuck, sweep

Result = dict[str, object]
"""What a wake-up returns; for a state machine it is the next state."""

Handler = Callable[[Event, Any], Result]


class WakeUpFailedError(Exception):
    """A wake-up broke and was logged; the timer's retries, or the sweep, come again."""


def round_clock_task() -> Handler:
    """Make the task of RoundClock: tick, and tell when to wake again in this round."""

    def wake(game: Game, event: Event) -> Result:
        _note_lateness(game, event)
        tournament = tick(game, TournamentId(event["tournamentId"]))
        state = {"tournamentId": event["tournamentId"], "round": event["round"]}
        if tournament is None or tournament.round != event["round"] or tournament.wake_at is None:
            return {**state, "over": True}
        return {**state, "over": False, "wakeAt": to_timestamp(tournament.wake_at)}

    return _handler("tick", wake)


def reconnect_grace_task() -> Handler:
    """Make the task of ReconnectGrace: let the player go, or tell when to ask again."""

    def wake(game: Game, event: Event) -> Result:
        again_at = expire_grace(game, PlayerId(event["playerId"]), event["loss"])
        state = {"playerId": event["playerId"], "loss": event["loss"]}
        if again_at is None:
            return {**state, "over": True}
        return {**state, "over": False, "wakeAt": to_timestamp(again_at)}

    return _handler("expireGrace", wake)


def sweep_task() -> Handler:
    """Make the handler of the minute sweep."""

    def wake(game: Game, _event: Event) -> Result:
        count("StuckTournaments", count_stuck(game))
        broken: list[TournamentId] = []

        def note(tournament: TournamentId, error: Exception) -> None:
            broken.append(tournament)
            logger.error("rescue failed", tournament=tournament, error=describe_error(error))

        rescued = sweep(game, note)
        count("SweepRescues", len(rescued))
        if broken:
            drain_losses(game)
            raise WakeUpFailedError(f"{len(broken)} tournaments were not brought on")
        return {"rescued": rescued}

    return _handler("sweep", wake)


def _note_lateness(game: Game, event: Event) -> None:
    """Measure how long after the time asked for a clock wakes.

    Clocks that were started from an older definition do not say what they waited for.
    """
    if waited_for := event.get("wakeAt"):
        asked = datetime.strptime(waited_for, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        time("RoundLateness", max(0.0, (game.clock.now() - asked) / timedelta(milliseconds=1)))


def _handler(name: str, wake: Callable[[Game, Event], Result]) -> Handler:
    prepare_game()

    def handle(event: Event, context: Any) -> Result:
        game = wire_game()
        game.about.clear()
        try:
            result = wake(game, event)
            drain_losses(game)
        except Exception as error:  # noqa: BLE001 - raised again, without what it may hold
            logger.error(f"{name} failed", error=describe_error(error), **game.about)
            # From None: the text of the cause may hold what was being written.
            raise WakeUpFailedError(f"{name}: {type(error).__name__}") from None
        finally:
            count(f"WakeUps.{name}")
            count_happenings(game)
            metrics.flush_metrics()
        logger.info(name, request=context.aws_request_id, result=result)
        return result

    return handle
