"""What differs between one local cloud and another, and what never does."""

from dataclasses import dataclass

HOST = "127.0.0.1"
REGION = "eu-central-1"
STACK = "wordle-tournament"


@dataclass(frozen=True, slots=True)
class Durations:
    """The clocks of the game, in whole seconds of at least 1; the defaults are those of play."""

    turn_seconds: int = 30
    intro_seconds: int = 6
    grace_seconds: int = 60
    settle_seconds: int = 1
