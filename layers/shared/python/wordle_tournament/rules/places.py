"""What a round does to lives and places (R1, R4)."""

from collections.abc import Mapping
from enum import StrEnum

from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.rules.immutable import immutable


class Fate(StrEnum):
    """What a round brought to one of its players."""

    WON = "won"
    LOST = "lost"
    DREW = "drew"
    BYE = "bye"
    LEFT = "left"


@immutable
class RoundResult:
    """Lives after a round of all who were in, and the places that it fixed (R4.1)."""

    lives: Mapping[PlayerId, int]
    places: Mapping[PlayerId, int]


def settle_round(lives: Mapping[PlayerId, int], fates: Mapping[PlayerId, Fate]) -> RoundResult:
    """Take the lives that a round cost and fix the places of those it put out (R1.1, R4.4).

    `lives` holds everybody in at the start of the round; who left keeps their lives but is out.
    """
    after = {
        player: left - (fates[player] in (Fate.LOST, Fate.DREW)) for player, left in lives.items()
    }
    leavers = [player for player in lives if fates[player] is Fate.LEFT]
    put_out = [player for player in lives if player not in leavers and after[player] == 0]
    survivors = [player for player in lives if player not in leavers and after[player] > 0]

    places = dict.fromkeys(put_out, len(survivors) + 1)
    places |= dict.fromkeys(leavers, len(survivors) + len(put_out) + 1)
    if len(survivors) == 1:
        places[survivors[0]] = 1
    return RoundResult(lives=after, places=places)
