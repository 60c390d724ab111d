"""Handlers of wake-ups: the timers of Step Functions, and the minute sweep."""

from collections.abc import Callable
from typing import Any

from wordle_tournament.entry.events import Event
from wordle_tournament.entry.observability import count, describe_error, logger, metrics
from wordle_tournament.entry.wiring import prepare_game, to_timestamp, wire_game
from wordle_tournament.rules.ids import PlayerId, TournamentId
from wordle_tournament.usecases.game import Game
from wordle_tournament.usecases.grace import expire_grace
from wordle_tournament.usecases.presence import drain_losses
from wordle_tournament.usecases.rounds import tick
from wordle_tournament.usecases.sweeping import sweep

Result = dict[str, object]
"""What a wake-up returns; for a state machine it is the next state."""

Handler = Callable[[Event, Any], Result]


class WakeUpFailedError(Exception):
    """A wake-up broke and was logged; the timer's retries, or the sweep, come again."""


def round_clock_task() -> Handler:
    """Make the task of RoundClock: tick, and tell when to wake again in this round."""

    def wake(game: Game, event: Event) -> Result:
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
        rescued = sweep(game)
        count("SweepRescues", len(rescued))
        return {"rescued": rescued}

    return _handler("sweep", wake)


def _handler(name: str, wake: Callable[[Game, Event], Result]) -> Handler:
    prepare_game()

    def handle(event: Event, _context: Any) -> Result:
        game = wire_game()
        try:
            result = wake(game, event)
            drain_losses(game)
        except Exception as error:  # noqa: BLE001 - raised again, without what it may hold
            logger.error(f"{name} failed", error=describe_error(error))
            # From None: the text of the cause may hold what was being written.
            raise WakeUpFailedError(f"{name}: {type(error).__name__}") from None
        finally:
            count(f"WakeUps.{name}")
            metrics.flush_metrics()
        logger.info(name, result=result)
        return result

    return handle
