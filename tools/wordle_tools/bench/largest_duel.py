"""The bytes of the largest duel: `python -m wordle_tools.bench.largest_duel`.

Its board is full, everybody watches, and letters take two bytes.
"""

from __future__ import annotations

import json
import os
import random
from datetime import UTC, datetime

from wordle_tools.bench.noted_aws import NotedAws, noted_aws, size
from wordle_tools.bench.whole_tournament import StandingClock
from wordle_tournament.entry.wiring import wire_game
from wordle_tournament.ports.store import save
from wordle_tournament.rules.chance import Chance
from wordle_tournament.rules.duel import TURNS, Duel, DuelPhase, Ending, Outcome, Row
from wordle_tournament.rules.ids import ConnectionId, PlayerId, draw_id, draw_tournament_id
from wordle_tournament.rules.lobby import SEATS
from wordle_tournament.rules.tournament import duel_id

_AT = datetime(2026, 1, 1, tzinfo=UTC)


def the_largest_duel(chance: Chance) -> Duel:
    """A full board of six Cyrillic letters, seen by all eight."""
    tournament = draw_tournament_id(chance, _AT)
    players = [PlayerId(draw_id(chance)) for _ in range(SEATS)]
    return Duel(
        id=duel_id(tournament, 23, 3),
        tournament=tournament,
        round=23,
        language="uk",
        word="цукерк",
        players=(players[0], players[1]),
        viewers={player: ConnectionId("L0SM9cOFvHcCIhw=") for player in players},
        phase=DuelPhase.RUNNING,
        version=TURNS + 2,
        rows=(Row("цукерк", _AT),) * TURNS,
        deadline=_AT,
        ending=Ending(Outcome.SOLVED, players[0]),
        revision=SEATS * TURNS,
    )


def measure_largest_duel(aws: NotedAws) -> int:
    """Store it and give the size of the item that it has become."""
    wire_game().store.commit(save(the_largest_duel(random.Random(0))))
    (item,) = aws.client.scan(TableName=os.environ["DUELS_TABLE"])["Items"]
    return size(item)


if __name__ == "__main__":
    with noted_aws(StandingClock()) as noted:
        print(json.dumps(measure_largest_duel(noted)))
