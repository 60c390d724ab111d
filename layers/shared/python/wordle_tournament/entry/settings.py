"""The environment of the functions, read once and checked."""

import os
from datetime import timedelta

from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.tournament import Pace


@immutable
class Settings:
    """What differs from stage to stage."""

    players_table: str
    rooms_table: str
    tournaments_table: str
    duels_table: str
    groups_table: str
    results_table: str
    round_clock_arn: str
    reconnect_grace_arn: str
    push_endpoint: str
    invite_base_url: str
    draining: bool
    pace: Pace


@immutable
class Limits:
    """How many messages a second one connection may send to one function, and how many at once."""

    per_second: int
    burst: int


def read_settings() -> Settings:
    """Read the settings that every function of the game has; raises KeyError and ValueError."""
    return Settings(
        players_table=os.environ["PLAYERS_TABLE"],
        rooms_table=os.environ["ROOMS_TABLE"],
        tournaments_table=os.environ["TOURNAMENTS_TABLE"],
        duels_table=os.environ["DUELS_TABLE"],
        groups_table=os.environ["GROUPS_TABLE"],
        results_table=os.environ["RESULTS_TABLE"],
        round_clock_arn=os.environ["ROUND_CLOCK_ARN"],
        reconnect_grace_arn=os.environ["RECONNECT_GRACE_ARN"],
        push_endpoint=os.environ["PUSH_ENDPOINT"],
        invite_base_url=os.environ["INVITE_BASE_URL"],
        draining=os.environ["DRAINING"] == "true",
        pace=Pace(
            turn=_seconds("TURN_SECONDS"),
            intro=_seconds("INTRO_SECONDS"),
            grace=_seconds("GRACE_SECONDS"),
            settle=_seconds("SETTLE_SECONDS"),
        ),
    )


def read_limits() -> Limits:
    """Read what one connection may send; raises KeyError and ValueError."""
    return Limits(
        per_second=int(os.environ["CONNECTION_MESSAGES_PER_SECOND"]),
        burst=int(os.environ["CONNECTION_MESSAGE_BURST"]),
    )


def read_signing_keys_secret() -> str:
    """Read the name of the secret, which only the functions that handle tokens have."""
    return os.environ["SIGNING_KEYS_SECRET"]


def runs_on_lambda() -> bool:
    """Tell whether this is a function being started, and not a test or a tool."""
    return "AWS_LAMBDA_FUNCTION_NAME" in os.environ


def _seconds(name: str) -> timedelta:
    return timedelta(seconds=int(os.environ[name]))
