"""Who meets whom in a round, and who has the bye (R2)."""

from collections.abc import Iterator, Sequence

from wordle_tournament.rules.chance import Chance
from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.rules.immutable import immutable


@immutable
class Pairing:
    """One round: its duels, each as (who begins, opponent), and who has the bye (R2.2)."""

    duels: tuple[tuple[PlayerId, PlayerId], ...] = ()
    bye: PlayerId | None = None


def pair(players: Sequence[PlayerId], previous: Pairing, chance: Chance) -> Pairing:
    """Draw one of the legal pairings, each equally likely, and who begins each duel (R2, R3.1).

    `previous` is the pairing of the round before; an empty one before the first round.
    """
    drawn = chance.choice(legal_pairings(players, previous))
    duels = [duel if chance.random() < 0.5 else duel[::-1] for duel in drawn.duels]
    return Pairing(duels=tuple(duels), bye=drawn.bye)


def legal_pairings(players: Sequence[PlayerId], previous: Pairing) -> list[Pairing]:
    """List the pairings without a repeated bye and with as few rematches as possible (R2.3, R2.4).

    Eight players have 105 pairings, seven as many: few enough to look at them all.
    """
    met = {frozenset(duel) for duel in previous.duels}

    def rematches(pairing: Pairing) -> int:
        return sum(frozenset(duel) in met for duel in pairing.duels)

    without_repeated_bye = [
        pairing
        for pairing in _all_pairings(tuple(players))
        if pairing.bye is None or pairing.bye != previous.bye
    ]
    fewest = min(map(rematches, without_repeated_bye))
    return [pairing for pairing in without_repeated_bye if rematches(pairing) == fewest]


def _all_pairings(players: tuple[PlayerId, ...]) -> Iterator[Pairing]:
    if len(players) % 2 == 0:
        for duels in _matchings(players):
            yield Pairing(duels=duels)
        return
    for bye in players:
        for duels in _matchings(tuple(player for player in players if player != bye)):
            yield Pairing(duels=duels, bye=bye)


def _matchings(
    players: tuple[PlayerId, ...],
) -> Iterator[tuple[tuple[PlayerId, PlayerId], ...]]:
    if not players:
        yield ()
        return
    first, *others = players
    for opponent in others:
        rest = tuple(player for player in others if player != opponent)
        for duels in _matchings(rest):
            yield ((first, opponent), *duels)
