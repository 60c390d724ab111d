"""How AWS is called: not waited for long, tried again briefly, and how its failures are told."""

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

FAILURES = (ClientError, BotoCoreError)
"""What a call raises when AWS refuses it, or does not answer."""

BRIEFLY = Config(
    connect_timeout=1,
    read_timeout=2,
    retries={"mode": "standard", "total_max_attempts": 3},
)
"""Three attempts, with throttling, server errors and timeouts being tried again."""


def status_of(failure: ClientError | BotoCoreError) -> int | None:
    """Tell the HTTP status of AWS's answer; None when there was none."""
    if isinstance(failure, ClientError):
        return failure.response["ResponseMetadata"]["HTTPStatusCode"]
    return None


def reason_of(failure: ClientError | BotoCoreError) -> str:
    """Name a failure by AWS's code or its kind, without its text."""
    if isinstance(failure, ClientError):
        return failure.response["Error"]["Code"]
    return type(failure).__name__
