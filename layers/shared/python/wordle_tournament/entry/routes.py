"""Handlers of the routes: every message gets exactly one answer, whatever happens."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

from wordle_tournament.entry.events import Arrival, Event, read_arrival
from wordle_tournament.entry.limits import Verdict
from wordle_tournament.entry.observability import (
    count,
    count_happenings,
    describe_error,
    logger,
    metrics,
)
from wordle_tournament.entry.wiring import prepare_game, wire_game, wire_limits
from wordle_tournament.ports import messages
from wordle_tournament.ports.store import Conflict
from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.usecases.delivery import answer, reply
from wordle_tournament.usecases.game import Game, Sender, Superseded
from wordle_tournament.usecases.presence import drain_losses, lose
from wordle_tournament.wire.incoming import Action, Guess, action_of, decode, request_id_of

M = TypeVar("M", bound=Action)

Response = dict[str, int]
"""What a handler returns: answers go out by push, so it holds no body."""

Handler = Callable[[Event, Any], Response]

Respond = Callable[[Game, Sender, messages.Message], None]

ACCEPTED: Response = {"statusCode": 200}

DONE = "done"
"""The outcome of a message that was neither refused nor failed."""

TRY_AGAIN = messages.Error(Code.TRY_AGAIN, "The server is busy; nothing was changed.")
INTERNAL = messages.Error(Code.INTERNAL, "Something is broken here; send sync to see what holds.")


def route(
    model: type[M],
    use_case: Callable[[Game, Sender, M, Arrival], None],
    *,
    notices_losses: bool = True,
) -> Handler:
    """Make the handler of an action: its message goes to the use case, its refusal back.

    One that `notices_losses` also finds out whether a refusal arrives: the message may have
    overtaken its connection's goodbye.
    """
    respond = answer if notices_losses else reply
    prepare_game()

    def act(game: Game, arrival: Arrival) -> None:
        message = decode(arrival.body, model)
        use_case(game, _sender(arrival, message.request_id), message, arrival)

    def handle(event: Event, context: Any) -> Response:
        return answer_arrival(
            read_arrival(event), act, action=model.action, context=context, respond=respond
        )

    return handle


def default_route() -> Handler:
    """Make the handler of everything that names no action (it is only told what is wrong)."""
    prepare_game()

    def handle(event: Event, context: Any) -> Response:
        return answer_arrival(
            read_arrival(event), _refuse_unrouted, action="default", context=context
        )

    return handle


def connect_route() -> Handler:
    """Make the handler of `$connect`: whom the authorizer let in is in."""

    def handle(event: Event, context: Any) -> Response:
        if event["requestContext"]["eventType"] != "CONNECT":
            return answer_arrival(
                read_arrival(event), _refuse_unrouted, action="connect", context=context
            )
        logger.info("connected")
        return ACCEPTED

    return handle


def disconnect_route() -> Handler:
    """Make the handler of `$disconnect`, which a client cannot call as an action."""
    prepare_game()

    def goodbye(game: Game, arrival: Arrival) -> None:
        lose(game, arrival.player, arrival.connection)

    def handle(event: Event, context: Any) -> Response:
        arrival = read_arrival(event)
        act = goodbye if arrival.kind == "DISCONNECT" else _refuse_unrouted
        return answer_arrival(arrival, act, action="disconnect", context=context)

    return handle


def answer_arrival(
    arrival: Arrival,
    act: Callable[[Game, Arrival], None],
    *,
    action: str,
    context: Any,
    respond: Respond = reply,
) -> Response:
    """Run one arrival to its end: command, answer, connections found gone, one line of log.

    The request that is logged is Lambda's own; the client's id, which may hold anything, is not.
    """
    game = wire_game()
    verdict = _judge(arrival)
    outcome = (
        _attempt(game, arrival, act, respond)
        if verdict is Verdict.FINE
        else _hold_off(game, arrival, verdict)
    )
    found_gone = len(game.lost)
    _attempt(game, arrival, lambda game, _: drain_losses(game), respond=None)
    count(f"Outcome.{outcome}")
    if action == Guess.action and outcome == DONE:
        count("Guesses")
    if found_gone:
        count("GonePushes", found_gone)
    count_happenings(game)
    logger.info(
        action,
        player=arrival.player,
        connection=arrival.connection,
        request=context.aws_request_id,
        outcome=outcome,
        found_gone=found_gone,
        **game.about,
    )
    game.about.clear()
    metrics.flush_metrics()
    return ACCEPTED


def _judge(arrival: Arrival) -> Verdict:
    """Count a message against its connection's limit; a goodbye is always heard."""
    if arrival.kind != "MESSAGE":
        return Verdict.FINE
    return wire_limits().judge(arrival.connection, arrival.received_at)


def _hold_off(game: Game, arrival: Arrival, verdict: Verdict) -> str:
    """Answer a message too many without looking into it any further, and in the end hang up."""
    wait = wire_limits().retry_after // timedelta(milliseconds=1)
    problem = messages.Error(
        Code.TOO_MANY_REQUESTS, "This connection sends too much.", {"retryAfterMs": wait}
    )
    reply(game, _sender(arrival, request_id_of(arrival.body)), problem)
    if verdict is Verdict.ENOUGH:
        game.push.close(arrival.connection)
    return problem.code


def _attempt(
    game: Game,
    arrival: Arrival,
    act: Callable[[Game, Arrival], None],
    respond: Respond | None,
) -> str:
    """Do something and answer what kept it from being done; tells how it went, in one word."""
    try:
        act(game, arrival)
    except Refusal as refusal:
        problem = messages.Error(refusal.code, refusal.message, refusal.details)
    except Conflict:
        problem = TRY_AGAIN
    except Superseded:
        _turn_away(game, arrival)
        return "replaced"
    except Exception as error:  # noqa: BLE001 - whatever breaks is logged, and answered
        logger.error("failed", error=describe_error(error))
        problem = INTERNAL
    else:
        return DONE
    if respond is not None:
        respond(game, _sender(arrival, request_id_of(arrival.body)), problem)
    return problem.code


def _turn_away(game: Game, arrival: Arrival) -> None:
    """Tell an older connection that a newer one has taken over, and close it (R7.3)."""
    reply(game, _sender(arrival, request_id_of(arrival.body)), messages.Replaced())
    game.push.close(arrival.connection)


def _refuse_unrouted(_game: Game, arrival: Arrival) -> None:
    """Tell what is wrong with a message that no route takes."""
    action_of(arrival.body)
    raise Refusal(Code.UNKNOWN_ACTION, "There is no such action.")


def _sender(arrival: Arrival, request_id: str | None) -> Sender:
    return Sender(arrival.player, arrival.connection, arrival.connected_at, request_id)
