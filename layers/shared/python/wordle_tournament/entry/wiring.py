"""The one place that names adapters: it builds the game for the life of a function."""

import random
from functools import cache

import botocore.session
from botocore.config import Config

from wordle_tournament.adapters.clock import SystemClock
from wordle_tournament.adapters.dynamodb.store import DynamoStore, Tables
from wordle_tournament.adapters.gateway import GatewayPush
from wordle_tournament.adapters.insults import ListedInsults
from wordle_tournament.adapters.secrets import SecretKeyRing
from wordle_tournament.adapters.stepfunctions import StepFunctionsTimers, to_timestamp
from wordle_tournament.adapters.tokens import BadToken, JwtTokens
from wordle_tournament.adapters.words import FileLexicon
from wordle_tournament.entry.limits import ConnectionLimits
from wordle_tournament.entry.settings import (
    read_limits,
    read_settings,
    read_signing_keys_secret,
    runs_on_lambda,
)
from wordle_tournament.rules.ids import PlayerId, draw_id
from wordle_tournament.usecases.game import Game

__all__ = [
    "BadToken",
    "draw_player_id",
    "prepare_game",
    "to_timestamp",
    "wire_game",
    "wire_limits",
    "wire_tokens",
]


@cache
def wire_game() -> Game:
    """Build the game from the function's environment."""
    settings = read_settings()
    clock = SystemClock()
    tables = Tables(
        players=settings.players_table,
        rooms=settings.rooms_table,
        tournaments=settings.tournaments_table,
        duels=settings.duels_table,
        groups=settings.groups_table,
        results=settings.results_table,
    )
    return Game(
        store=DynamoStore(tables, clock, _session()),
        push=GatewayPush(settings.push_endpoint, _session()),
        timers=StepFunctionsTimers(
            settings.round_clock_arn, settings.reconnect_grace_arn, _session()
        ),
        tokens=wire_tokens(),
        clock=clock,
        chance=random.SystemRandom(),
        lexicon=FileLexicon(),
        insults=ListedInsults(),
        pace=settings.pace,
        invite_base_url=settings.invite_base_url,
        draining=settings.draining,
    )


@cache
def wire_limits() -> ConnectionLimits:
    """Build what counts the messages of each connection, for the life of a function."""
    limits = read_limits()
    return ConnectionLimits(limits.per_second, limits.burst)


def prepare_game() -> None:
    """Build the game while a function starts, on a whole processor and with no player waiting."""
    if runs_on_lambda():
        wire_game()


@cache
def wire_tokens() -> JwtTokens:
    """Build the signer and checker of tokens; it loads its keys when first used."""
    return JwtTokens(SecretKeyRing(read_signing_keys_secret, _session))


def draw_player_id() -> PlayerId:
    """Name a new player."""
    return PlayerId(draw_id(random.SystemRandom()))


@cache
def _session() -> botocore.session.Session:
    """The session that all clients share: loading one is most of what making a client costs."""
    session = botocore.session.get_session()
    # The SDK would put its own name together from a dozen parts, twice for every request: that
    # takes a twelfth of the time of a guess.
    session.set_default_client_config(Config(user_agent="wordle-tournament"))
    return session
