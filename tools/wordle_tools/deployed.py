"""A deployed stack as its operator reaches it: on AWS, or in a local cloud that runs."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from wordle_tools.local_cloud.clients import CREDENTIALS
from wordle_tools.local_cloud.settings import REGION, STACK

# The one function that is told everything: tables, timers, the way to clients, and the keys.
_BEST_INFORMED = "HelloFunction"


class NotReachedError(Exception):
    """No such stack, or no way to it."""


def operates(parser: ArgumentParser, run: Callable[[Namespace], int], **defaults: str) -> None:
    """Let a command be told which stack is meant, and run it there; status 2 without a way."""
    parser.add_argument(
        "--stack", default=STACK, help="name of the stack on AWS (default: %(default)s)"
    )
    parser.add_argument("--region", help="region of the stack; that of your profile unless told")
    parser.add_argument(
        "--local",
        metavar="URL",
        help="a local cloud instead of AWS: the address that `up` printed",
    )

    def enter_and_run(arguments: Namespace) -> int:
        try:
            enter(arguments)
        except NotReachedError as error:
            print(error, file=sys.stderr)
            return 2
        return run(arguments)

    parser.set_defaults(run=enter_and_run, **defaults)


def enter(options: Namespace) -> None:
    """Make the environment of this process that of the stack's functions; raises NotReachedError.

    Credentials and region are those of the environment or the profile, as with every tool for
    AWS; for a local cloud they are its own.
    """
    if options.local is not None:
        os.environ.update(
            CREDENTIALS,
            AWS_DEFAULT_REGION=REGION,
            AWS_ENDPOINT_URL=f"http://{urlsplit(options.local).netloc}",
        )
    elif options.region is not None:
        os.environ["AWS_DEFAULT_REGION"] = options.region
    try:
        os.environ.update(_environment(options.stack))
    except (BotoCoreError, ClientError) as error:
        raise NotReachedError(f"The stack {options.stack} is not reached: {error}") from error


def client(service: str, config: Config | None = None) -> Any:
    """A client of the SDK for the stack that was entered."""
    # The stubs know each service by its literal name only.
    session: Any = boto3.Session()
    return session.client(service, config=config)


def _environment(stack: str) -> Mapping[str, str]:
    found = client("cloudformation").describe_stack_resource(
        StackName=stack, LogicalResourceId=_BEST_INFORMED
    )
    name = found["StackResourceDetail"]["PhysicalResourceId"]
    configuration = client("lambda").get_function_configuration(FunctionName=name)
    variables: dict[str, str] = configuration["Environment"]["Variables"]
    return variables
