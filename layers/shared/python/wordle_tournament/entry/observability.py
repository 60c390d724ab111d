"""Structured logs and metrics; never a word of a running duel, a token or a query string.

One line is logged for each invocation. Errors of ours are logged by kind and place, without their
text: that may hold what was being written.
"""

import logging
import traceback
from pathlib import PurePath

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit

from wordle_tournament.entry.settings import runs_on_lambda
from wordle_tournament.usecases.game import Game

logger = Logger()
metrics = Metrics()


def write_as_lines(root: logging.Logger) -> None:
    """Let what adapters and libraries warn of be lines like all others."""
    root.handlers = [*logger.handlers]


if runs_on_lambda():
    write_as_lines(logging.getLogger())


def count(name: str, amount: int = 1) -> None:
    """Add to a metric."""
    metrics.add_metric(name=name, unit=MetricUnit.Count, value=amount)


def count_happenings(game: Game) -> None:
    """Add what happened in a game to the metrics, once."""
    for happening, times in game.happened.items():
        if times:
            count(happening, times)
    game.happened.clear()


def time(name: str, milliseconds: float) -> None:
    """Add to a metric of times."""
    metrics.add_metric(name=name, unit=MetricUnit.Milliseconds, value=milliseconds)


def describe_error(error: BaseException) -> dict[str, object]:
    """Tell kind and place of an error, and AWS's code where it has one, for the log."""
    response = getattr(error, "response", None) or {}
    cause = error.__cause__ or error.__context__
    described: dict[str, object] = {
        "kind": type(error).__name__,
        "place": [
            f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)[-8:]
        ],
    }
    if code := response.get("Error", {}).get("Code"):
        described["aws_code"] = code
    if cause is not None:
        described["cause"] = describe_error(cause)
    return described
