"""Guesses on a warm function, in a process: `python -m wordle_tools.bench.warm one|all`.

The function is called with a recorded kind of event, in turns with a bare handler that does the
least that a guess can do: it reads the message, gets the duel, updates it on a condition and posts
to both players, with nothing but the SDK. Both ask the stand-in.

On `one` processor, since a function of 512 MB has the time of less than one. On `all` of them the
threads that push at once also pay for handing Python's lock from processor to processor, which
depends on the machine: much where it is virtual itself, little on AWS's.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from statistics import median
from types import SimpleNamespace
from typing import Any
from urllib.request import urlopen

from wordle_tools.bench.functions import leave_out_development, load_handler

ROUNDS = 40
GUESSES = 10

_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_WORD, _GUESSED = "crane", "slate"
_LINES = ("L0SM9cOFvHcCIhw=", "L0SM9cOFvHcCIhx=")


def measure_guesses() -> dict[str, object]:
    """Give milliseconds of processor time per guess, and what one guess asks for."""
    leave_out_development()
    handle = load_handler("guess")
    bare = _bare_handler()
    _store_duel()
    times = count()
    _milliseconds(handle, times)
    _milliseconds(bare, times)
    rounds = [(_milliseconds(bare, times), _milliseconds(handle, times)) for _ in range(ROUNDS)]
    _ask()
    handle(_event(next(times), _GUESSED), _CONTEXT)
    accepted = _ask()
    handle(_event(next(times), "xxxxx"), _CONTEXT)
    return {
        "bare": median(bare for bare, _ in rounds),
        "guess": median(guess for _, guess in rounds),
        "accepted": accepted,
        "refused": _ask(),
    }


_CONTEXT = SimpleNamespace(aws_request_id="b7c1f0de-0d7a-4a3f-9a6b-6f4d6f0a8a11")


def _store_duel() -> None:
    from wordle_tournament.entry.wiring import wire_game
    from wordle_tournament.ports.store import save
    from wordle_tournament.rules.duel import Duel, DuelPhase, Row
    from wordle_tournament.rules.ids import ConnectionId, PlayerId, TournamentId
    from wordle_tournament.rules.tournament import duel_id

    tournament = TournamentId("nbpqdmbcfrhs")
    players = (PlayerId("hgtdlmkvqrsw"), PlayerId("mcxzvblkfdpt"))
    duel = Duel(
        id=duel_id(tournament, 3, 1),
        tournament=tournament,
        round=3,
        language="en",
        word=_WORD,
        players=players,
        viewers=dict(zip(players, map(ConnectionId, _LINES), strict=True)),
        phase=DuelPhase.RUNNING,
        version=5,
        rows=(Row(_GUESSED, _NOW),) * 4,
        deadline=_NOW + timedelta(days=365),
    )
    wire_game().store.commit(save(duel))


def _event(number: int, word: str) -> dict[str, Any]:
    """Make an event of the shape that API Gateway sends; a minute passes between two."""
    message = {
        "action": "guess",
        "requestId": f"r{number}",
        "duelId": "nbpqdmbcfrhs.3.1",
        "turn": 5,
        "word": word,
    }
    return {
        "requestContext": {
            "routeKey": "guess",
            "messageId": "YAbChdHkFiACIxQ=",
            "eventType": "MESSAGE",
            "extendedRequestId": "YAbCdHiJFiAFQqg=",
            "requestTime": "01/Jan/2026:00:00:00 +0000",
            "messageDirection": "IN",
            "stage": "play",
            "connectedAt": 1767225600000,
            "requestTimeEpoch": 1767225600000 + 60_000 * number,
            "identity": {"sourceIp": "203.0.113.17"},
            "requestId": "YAbCdHiJFiAFQqg=",
            "domainName": "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com",
            "connectionId": _LINES[0],
            "apiId": "a1b2c3d4e5",
            "authorizer": {
                "principalId": "hgtdlmkvqrsw",
                "integrationLatency": 41,
                "playerId": "hgtdlmkvqrsw",
                "connectedAt": "1767225600000",
                "tokenIssuedAt": "1767225600000",
            },
        },
        "body": json.dumps(message),
        "isBase64Encoded": False,
    }


def _bare_handler() -> Callable[[dict[str, Any], object], object]:
    import boto3

    dynamodb = boto3.client("dynamodb")
    gateway = boto3.client("apigatewaymanagementapi", endpoint_url=os.environ["PUSH_ENDPOINT"])
    table = os.environ["DUELS_TABLE"]

    def handle(event: dict[str, Any], _context: object) -> object:
        message = json.loads(event["body"])
        tournament, round_number, number = message["duelId"].split(".")
        key = {"tournament": {"S": tournament}, "number": {"S": f"0{round_number}.{number}"}}
        duel = dynamodb.get_item(TableName=table, Key=key, ConsistentRead=True)["Item"]
        revision = int(duel["revision"]["N"])
        dynamodb.update_item(
            TableName=table,
            Key=key,
            UpdateExpression="SET #rows = :rows, #version = :version, #revision = :next",
            ConditionExpression="#revision = :revision",
            ExpressionAttributeNames={
                "#rows": "rows",
                "#version": "version",
                "#revision": "revision",
            },
            ExpressionAttributeValues={
                ":rows": {"S": duel["rows"]["S"] + message["word"]},
                ":version": {"N": str(int(duel["version"]["N"]) + 1)},
                ":revision": {"N": str(revision)},
                ":next": {"N": str(revision + 1)},
            },
        )
        told = {"type": "guessMade", "duelId": message["duelId"], "word": message["word"]}
        for connection in duel["viewers"]["M"].values():
            gateway.post_to_connection(ConnectionId=connection["S"], Data=json.dumps(told).encode())
        return {"statusCode": 200}

    return handle


def _milliseconds(handle: Callable[[dict[str, Any], object], object], times: "count[int]") -> float:
    """Guess a few times and give the processor time of each, in all threads."""
    events = [_event(next(times), _GUESSED) for _ in range(GUESSES)]
    began = time.process_time()
    for event in events:
        handle(event, _CONTEXT)
    return 1000 * (time.process_time() - began) / GUESSES


def _ask() -> list[str]:
    """Ask the stand-in what it was asked since the last time."""
    with urlopen(os.environ["PUSH_ENDPOINT"]) as answer:
        asked: list[str] = json.load(answer)
    return asked


if __name__ == "__main__":
    if sys.argv[1] == "one":
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(json.dumps(measure_guesses()))
