"""A cold start, in a process of its own: `python -m wordle_tools.bench.cold bare|guess`.

`guess` does all that Lambda has done when the first event comes in: imports the handler, wires the
game and makes the clients that a guess needs. `bare` imports the SDK and makes the same clients.
"""

import json
import os
import sys
import time


def start_bare() -> None:
    """Import the SDK and make both clients."""
    import boto3

    boto3.client("dynamodb")
    boto3.client("apigatewaymanagementapi", endpoint_url=os.environ["PUSH_ENDPOINT"])


def start_guess() -> None:
    """Import the function, which makes the game and both clients when it starts on Lambda."""
    from wordle_tools.bench.functions import leave_out_development, load_handler

    leave_out_development()
    os.environ["AWS_LAMBDA_FUNCTION_NAME"] = "guess"
    load_handler("guess")


if __name__ == "__main__":
    {"bare": start_bare, "guess": start_guess}[sys.argv[1]]()
    print(json.dumps(1000 * time.process_time()))
