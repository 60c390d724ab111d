"""Is one tournament right? Its events replayed in order of version (R1, R2, R4, R5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from wordle_tools.client.messages import (
    DuelEnded,
    FinalStanding,
    Pairing,
    PlayerDisconnected,
    PlayerLeft,
    PlayerReconnected,
    RoundEnded,
    RoundIntro,
    Standing,
    Tournament,
    TournamentEnded,
    TournamentEvent,
)
from wordle_tools.referee import oracle
from wordle_tools.referee.evidence import Breach, DuelFile, TournamentFile

SEATS = 8
LIVES = 3
MOST_DUELS = 23


@dataclass(slots=True)
class _Replay:
    """A tournament as far as it has been replayed; `gone` are those who left."""

    tournament_id: str
    ratings: dict[str, int]
    lives: dict[str, int]
    duels: Mapping[str, DuelFile]
    version: int
    round: int = 0
    between_rounds: bool = True
    over: bool = False
    pairings: tuple[Pairing, ...] = ()
    bye: str | None = None
    in_round: tuple[str, ...] = ()
    gone: set[str] = field(default_factory=set)
    places: dict[str, int] = field(default_factory=dict)
    changes: dict[str, int] = field(default_factory=dict)
    played: list[str] = field(default_factory=list)
    breaches: list[Breach] = field(default_factory=list)

    def check(self, holds: bool, rule: str, what: str) -> None:
        if not holds:
            self.breaches.append(Breach(rule, f"tournament {self.tournament_id}: {what}"))

    @property
    def still_in(self) -> tuple[str, ...]:
        return tuple(
            player for player in self.lives if player not in self.places and player not in self.gone
        )


def judge_tournament(
    tournament_id: str, file: TournamentFile, duels: Mapping[str, DuelFile]
) -> list[Breach]:
    """Find what is wrong with a tournament; `duels` are those seen of any tournament."""
    if file.started is None:
        return []
    replay = _begin(file.started, duels)
    if replay.breaches:
        # What follows builds on eight players.
        return replay.breaches
    _compare(replay, file.views)
    while (event := file.events.get(replay.version + 1)) is not None:
        replay.version += 1
        _replay_event(replay, event)
        _compare(replay, file.views)
    later = [one for one in file.events if one > replay.version]
    replay.check(not later, "versions", f"nobody heard version {replay.version + 1}")
    if replay.over:
        _check_words(replay)
        replay.check(len(replay.played) <= MOST_DUELS, "R1.6", f"{len(replay.played)} duels")
    return replay.breaches


def _begin(started: Tournament, duels: Mapping[str, DuelFile]) -> _Replay:
    replay = _Replay(
        tournament_id=started.tournament_id,
        ratings={player.player_id: player.rating for player in started.players},
        lives={player.player_id: player.lives for player in started.players},
        duels=duels,
        version=started.version,
    )
    replay.check(len(started.players) == SEATS, "R1.1", f"{len(started.players)} players")
    replay.check(len(replay.lives) == len(started.players), "R6.4", "a player sits twice")
    replay.check(set(replay.lives.values()) == {LIVES}, "R1.1", "not everybody starts with 3 lives")
    placed = any(player.place is not None for player in started.players)
    replay.check(not placed, "R4.1", "a place before the first round")
    return replay


def _replay_event(replay: _Replay, event: TournamentEvent) -> None:
    if replay.over:
        replay.check(False, "R1.4", f"{event.type} after its end")
        return
    match event:
        case RoundIntro():
            _introduce(replay, event)
        case PlayerDisconnected() | PlayerReconnected():
            replay.check(event.player_id in replay.lives, "R7.2", f"{event.type} of a stranger")
            away = event.player_id in replay.gone
            replay.check(not away, "R7.2", f"{event.type} of one who has left")
        case PlayerLeft():
            replay.check(event.player_id in replay.still_in, "R4.2", "left without being in")
            replay.gone.add(event.player_id)
        case RoundEnded():
            _end_round(replay, event)
        case TournamentEnded():
            _end(replay, event.standings)
        case _:
            pass


def _introduce(replay: _Replay, intro: RoundIntro) -> None:
    still_in = replay.still_in
    what = f"round {intro.round}"
    replay.check(replay.between_rounds, "R1.2", f"{what} begins within another")
    replay.check(intro.round == replay.round + 1, "R1.2", f"{what} follows {replay.round}")
    replay.check(len(still_in) > 1, "R1.4", f"{what} with {len(still_in)} players")
    met = [player for pairing in intro.pairings for player in pairing.players]
    expected = [player for player in still_in if player != intro.bye]
    replay.check(sorted(met) == sorted(expected), "R1.2", f"{what} does not pair who is in")
    odd = len(still_in) % 2 == 1
    replay.check((intro.bye is not None) == odd, "R2.2", f"{what}: bye with {len(still_in)} in")
    if intro.bye is not None:
        replay.check(intro.bye in still_in, "R2.2", f"{what}: bye of one who is out")
        replay.check(intro.bye != replay.bye, "R2.3", f"{what}: the same bye as before")
    if len(still_in) > 2:
        again = _pairs(intro.pairings) & _pairs(replay.pairings)
        replay.check(not again, "R2.4", f"{what}: a needless rematch")
    ids = [pairing.duel_id for pairing in intro.pairings]
    fresh = len(set(ids)) == len(ids) and not set(ids) & set(replay.played)
    replay.check(fresh, "R1.2", f"{what}: a duel comes twice")
    for pairing in intro.pairings:
        _check_pairing(replay, pairing, intro.round)
    replay.played += ids
    replay.round = intro.round
    replay.pairings, replay.bye, replay.in_round = intro.pairings, intro.bye, still_in
    replay.between_rounds = False


def _pairs(pairings: Iterable[Pairing]) -> set[frozenset[str]]:
    return {frozenset(pairing.players) for pairing in pairings}


def _check_pairing(replay: _Replay, pairing: Pairing, round_number: int) -> None:
    file = replay.duels.get(pairing.duel_id)
    if file is None or file.started is None:
        return
    duel = file.started
    same = (
        duel.players == pairing.players
        and duel.round == round_number
        and duel.tournament_id == replay.tournament_id
    )
    replay.check(same, "R1.2", f"duel {duel.duel_id} is not the one announced")


def _end_round(replay: _Replay, event: RoundEnded) -> None:
    what = f"round {event.round}"
    replay.check(not replay.between_rounds, "R1.2", f"{what} ends twice")
    replay.check(event.round == replay.round, "R1.2", f"{what} ends instead of {replay.round}")
    standings = {standing.player_id: standing for standing in event.standings}
    told_all = set(replay.in_round) <= set(standings) <= set(replay.lives)
    replay.check(told_all, "R4.1", f"{what}: standings of others than the players")
    losses = _losses(replay)
    for player in replay.in_round:
        if player in standings:
            _check_lives(replay, standings[player], losses.get(player))
    fixed = oracle.places({player: _fate(replay, player) for player in replay.in_round})
    told_later = [player for player in replay.in_round if fixed.get(player) == 1]
    replay.places |= fixed
    for player, standing in standings.items():
        if player not in replay.lives:
            continue
        _check_standing(replay, standing, may_come_later=[player] == told_later)
    replay.between_rounds = True


def _losses(replay: _Replay) -> dict[str, int]:
    """How many lives the round costs each, as far as the ends of its duels were seen (R1.1)."""
    losses = {replay.bye: 0} if replay.bye else {}
    for pairing in replay.pairings:
        ending = _ending(replay, pairing.duel_id)
        if ending is None:
            continue
        for player in pairing.players:
            if ending.outcome == "left" and player != ending.winner:
                replay.check(player in replay.gone, "R4.2", "lost by leaving without having left")
            else:
                losses[player] = int(player != ending.winner)
    return losses


def _ending(replay: _Replay, duel_id: str) -> DuelEnded | None:
    file = replay.duels.get(duel_id)
    events = file.events.values() if file else ()
    return next((event for event in events if isinstance(event, DuelEnded)), None)


def _check_lives(replay: _Replay, standing: Standing, loss: int | None) -> None:
    player = standing.player_id
    before = replay.lives[player]
    replay.lives[player] = standing.lives
    what = f"round {replay.round}: {before} lives become {standing.lives}"
    replay.check(0 <= standing.lives <= before, "R1.1", what)
    if player in replay.gone:
        return
    replay.check(before - standing.lives in (0, 1), "R1.1", what)
    if loss is not None:
        replay.check(standing.lives == before - loss, "R1.1", what)


def _fate(replay: _Replay, player: str) -> oracle.Fate:
    if player in replay.gone:
        return "left"
    return "survived" if replay.lives[player] > 0 else "out"


def _check_standing(replay: _Replay, standing: Standing, *, may_come_later: bool) -> None:
    place = replay.places.get(standing.player_id)
    what = f"round {replay.round}: place {standing.place} instead of {place}"
    if standing.place is None and may_come_later:
        return
    replay.check(standing.place == place, "R4.4", what)
    if standing.place is None:
        early = standing.rating_change is not None
        replay.check(not early, "R5.5", f"round {replay.round}: a change without a place")
        return
    _check_change(replay, standing)


def _check_change(replay: _Replay, standing: Standing | FinalStanding) -> None:
    player = standing.player_id
    expected = oracle.rating_change(player, replay.ratings, replay.places)
    right = standing.rating_change == expected
    replay.check(right, "R5.3", f"change {standing.rating_change} instead of {expected}")
    rating = replay.ratings[player] + expected
    replay.check(standing.rating == rating, "R5.5", f"rating {standing.rating}, not {rating}")


def _end(replay: _Replay, standings: tuple[FinalStanding, ...]) -> None:
    replay.check(replay.between_rounds, "R1.4", "ends within a round")
    replay.check(len(replay.still_in) == 0, "R1.4", f"ends with {len(replay.still_in)} still in")
    told = sorted(standing.player_id for standing in standings)
    replay.check(told == sorted(replay.lives), "R4.1", "does not end with the standings of all")
    for standing in standings:
        if standing.player_id in replay.places:
            place = replay.places[standing.player_id]
            what = f"ends with place {standing.place} instead of {place}"
            replay.check(standing.place == place, "R4.1", what)
            _check_change(replay, standing)
    replay.over = True


def _compare(replay: _Replay, views: Mapping[int, Tournament]) -> None:
    """Hold the snapshots against the events."""
    view = views.get(replay.version)
    if view is None:
        return
    for player in view.players:
        known = player.player_id
        replay.check(known in replay.lives, "snapshot", "shows a stranger")
        if known not in replay.lives or known in replay.gone:
            continue
        what = f"at version {view.version} differs from the events"
        replay.check(player.lives == replay.lives[known], "snapshot", what)
        if known in replay.still_in or player.place is not None:
            replay.check(player.place == replay.places.get(known), "snapshot", what)
    known_round = replay.between_rounds or view.round == replay.round
    replay.check(known_round, "snapshot", f"tells round {view.round} instead of {replay.round}")


def _check_words(replay: _Replay) -> None:
    endings = (_ending(replay, duel_id) for duel_id in replay.played)
    words = [ending.word for ending in endings if ending is not None]
    replay.check(len(set(words)) == len(words), "R9.3", "a word comes twice")
