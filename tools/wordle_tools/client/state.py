"""What a player knows of the game: a fold of the server's messages in order of version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from types import MappingProxyType
from typing import TypeVar

from wordle_tools.client.messages import (
    Duel,
    DuelEnded,
    DuelEvent,
    DuelStarted,
    Ending,
    Group,
    GroupLeft,
    GroupTold,
    GuessMade,
    Left,
    Lobby,
    LobbyLeft,
    LobbyTold,
    Message,
    PlayerDisconnected,
    PlayerLeft,
    PlayerReconnected,
    Profile,
    ProfileTold,
    RoundEnded,
    RoundIntro,
    Row,
    Snapshot,
    Standing,
    Tournament,
    TournamentEnded,
    TournamentEvent,
    TournamentPlayer,
    TournamentStarted,
    TurnSkipped,
    Welcome,
)

_MOST_HELD = 256
_MOST_DEPARTED = 256


@dataclass(frozen=True, slots=True)
class Held:
    """An event that came before one it builds on."""

    event: Message
    outlasted_a_snapshot: bool = False


@dataclass(frozen=True, slots=True)
class GameState:
    """Everything one player knows.

    `intro` holds the pairings of the current round; `duels` by id, one's own and those watched, of
    this round and the one before. `departed` are ids of things that are over for this player, the
    latest last.
    """

    profile: Profile | None = None
    lobby: Lobby | None = None
    group: Group | None = None
    tournament: Tournament | None = None
    intro: RoundIntro | None = None
    duels: Mapping[str, Duel] = field(default_factory=lambda: MappingProxyType({}))
    held: tuple[Held, ...] = ()
    departed: tuple[str, ...] = ()
    doubtful: bool = False

    @property
    def wants_sync(self) -> bool:
        """Something is missing or may be stale, and a snapshot tells."""
        return self.doubtful or bool(self.held)

    @property
    def me(self) -> str | None:
        """One's own player id."""
        return self.profile.player_id if self.profile else None

    @property
    def standing(self) -> TournamentPlayer | None:
        """Oneself in the tournament."""
        return self.player(self.me) if self.me else None

    @property
    def still_in(self) -> bool:
        """One has a tournament that has not yet put one out."""
        standing = self.standing
        return standing is not None and not standing.left and standing.place is None

    @property
    def my_duel(self) -> Duel | None:
        """One's own latest duel of the tournament, running or over."""
        own = [duel for duel in self.duels.values() if self.me in duel.players]
        return max(own, key=lambda duel: duel.round, default=None)

    @property
    def due(self) -> int | None:
        """When the next event should come at the latest, in milliseconds of the server's clock."""
        if self.tournament is None or self.tournament.phase == "ended":
            return None
        running = [duel.deadline for duel in self.duels.values() if duel.deadline is not None]
        if self.tournament.phase == "intro" and self.intro is not None:
            running.append(self.intro.ends_at)
        return min(running, default=None)

    @property
    def my_turn(self) -> bool:
        """One's own duel waits for one's own guess."""
        duel = self.my_duel
        return duel is not None and duel.ended is None and duel.player_id == self.me

    def player(self, player_id: str) -> TournamentPlayer | None:
        """Find a player of the tournament."""
        if self.tournament is None:
            return None
        found = (one for one in self.tournament.players if one.player_id == player_id)
        return next(found, None)


@dataclass(frozen=True, slots=True)
class Step:
    """A state and the messages that took effect on the way to it, in order of version."""

    state: GameState
    effective: tuple[Message, ...] = ()


def apply(state: GameState, message: Message) -> GameState:
    """Take one message into account; what is known already changes nothing."""
    return fold(state, message).state


def fold(state: GameState, message: Message) -> Step:
    """Take one message into account, and those held back that fit after it."""
    if isinstance(message, Welcome | Snapshot):
        return _release(_adopt(state, message), (message,))
    verdict = _take(state, message)
    if verdict is _Unfit.TOO_EARLY:
        held = (*state.held, Held(message))[-_MOST_HELD:]
        return Step(replace(state, held=held))
    if verdict is _Unfit.KNOWN:
        return Step(state)
    return _release(verdict, (message,))


class _Unfit(Enum):
    """Why a message changes nothing now."""

    KNOWN = auto()
    TOO_EARLY = auto()


def _release(state: GameState, effective: tuple[Message, ...]) -> Step:
    """Apply whatever held event fits now, until none does."""
    for one in sorted(state.held, key=_version_of):
        verdict = _take(state, one.event)
        if verdict is _Unfit.TOO_EARLY:
            continue
        rest = tuple(other for other in state.held if other is not one)
        if verdict is _Unfit.KNOWN:
            return _release(replace(state, held=rest), effective)
        return _release(replace(verdict, held=rest), (*effective, one.event))
    return Step(state, effective)


def _version_of(held: Held) -> int:
    version = getattr(held.event, "version", 0)
    return version if isinstance(version, int) else 0


def _take(state: GameState, message: Message) -> GameState | _Unfit:
    match message:
        case ProfileTold():
            return replace(state, profile=message.profile)
        case LobbyTold():
            return _lobby(state, message)
        case LobbyLeft():
            return _without_lobby(state, message.lobby_id)
        case Left():
            if message.origin == "lobby":
                return _without_lobby(state, message.id)
            return _without_tournament(state, message.id)
        case GroupTold():
            return _group(state, message)
        case GroupLeft():
            return _without_group(state, message.code)
        case TournamentStarted():
            return _tournament_started(state, message.tournament)
        case TournamentEvent():
            return _tournament_event(state, message)
        case DuelStarted():
            return _duel_started(state, message.duel)
        case DuelEvent():
            return _duel_event(state, message)
        case _:
            return state


def _lobby(state: GameState, message: LobbyTold) -> GameState | _Unfit:
    lobby = message.lobby
    known = state.lobby
    if known and known.lobby_id == lobby.lobby_id and lobby.version <= known.version:
        return _Unfit.KNOWN
    players = {player.player_id for player in lobby.players}
    if state.me not in players:
        return _without_lobby(state, lobby.lobby_id)
    if _has_started(state.tournament, lobby, players):
        return _Unfit.KNOWN
    if lobby.lobby_id in state.departed and message.request_id is None:
        # A late word about a lobby left behind, or a leader's start into the same one.
        return replace(state, doubtful=True)
    departed = tuple(one for one in state.departed if one != lobby.lobby_id)
    state = replace(state, lobby=lobby, departed=departed)
    if state.tournament is None:
        return state
    return _without_tournament(state, state.tournament.tournament_id)


def _has_started(tournament: Tournament | None, lobby: Lobby, players: set[str]) -> bool:
    """Whether the lobby is the one that this tournament came from."""
    return (
        tournament is not None
        and tournament.phase != "ended"
        and len(lobby.players) == lobby.seats
        and players == {player.player_id for player in tournament.players}
    )


def _without_lobby(state: GameState, lobby_id: str) -> GameState | _Unfit:
    if state.lobby is None or state.lobby.lobby_id != lobby_id:
        return _Unfit.KNOWN
    return _depart(replace(state, lobby=None), (lobby_id,))


def _group(state: GameState, message: GroupTold) -> GameState | _Unfit:
    group = message.group
    known = state.group
    if known and known.code == group.code and group.version <= known.version:
        return _Unfit.KNOWN
    if group.code in state.departed and message.request_id is None:
        return replace(state, doubtful=True)
    departed = tuple(one for one in state.departed if one != group.code)
    return replace(state, group=group, departed=departed)


def _without_group(state: GameState, code: str) -> GameState | _Unfit:
    if state.group is None or state.group.code != code:
        return _Unfit.KNOWN
    return _depart(replace(state, group=None), (code,))


def _tournament_started(state: GameState, tournament: Tournament) -> GameState | _Unfit:
    known = state.tournament
    if tournament.tournament_id in state.departed:
        return _Unfit.KNOWN
    if known and known.tournament_id == tournament.tournament_id:
        return _Unfit.KNOWN
    gone = [*state.duels]
    if known:
        gone.append(known.tournament_id)
    if state.lobby:
        gone.append(state.lobby.lobby_id)
    fresh = replace(
        state,
        tournament=tournament,
        intro=_intro_within(tournament),
        lobby=None,
        duels=MappingProxyType({}),
    )
    return _depart(fresh, gone)


def _without_tournament(state: GameState, tournament_id: str) -> GameState | _Unfit:
    if state.tournament is None or state.tournament.tournament_id != tournament_id:
        return _Unfit.KNOWN
    fresh = replace(state, tournament=None, intro=None, duels=MappingProxyType({}))
    return _depart(fresh, (tournament_id, *state.duels))


def _tournament_event(state: GameState, event: TournamentEvent) -> GameState | _Unfit:
    if event.tournament_id in state.departed:
        return _Unfit.KNOWN
    tournament = state.tournament
    if tournament is None or tournament.tournament_id != event.tournament_id:
        return _Unfit.TOO_EARLY
    if event.version <= tournament.version:
        return _Unfit.KNOWN
    if event.version > tournament.version + 1:
        return _Unfit.TOO_EARLY
    tournament = tournament.model_copy(update={"version": event.version})
    match event:
        case RoundIntro():
            tournament = tournament.model_copy(update={"round": event.round, "phase": "intro"})
            state = replace(state, intro=event)
            return _forget_old_duels(replace(state, tournament=tournament), event.round - 1)
        case PlayerDisconnected():
            tournament = _change_player(
                tournament, event.player_id, {"connected": False, "back_by": event.back_by}
            )
        case PlayerReconnected():
            tournament = _change_player(
                tournament, event.player_id, {"connected": True, "back_by": None}
            )
        case PlayerLeft():
            tournament = _change_player(
                tournament, event.player_id, {"connected": False, "back_by": None, "left": True}
            )
        case RoundEnded():
            tournament = _settle(tournament, event.standings)
            state = _with_own_rating(state, event.standings)
        case TournamentEnded():
            standings = [
                Standing(
                    player_id=one.player_id,
                    lives=_lives(tournament, one.player_id) if one.lives is None else one.lives,
                    place=one.place,
                    rating_change=one.rating_change,
                    rating=one.rating,
                )
                for one in event.standings
            ]
            tournament = _settle(tournament, standings).model_copy(update={"phase": "ended"})
            state = _with_own_rating(state, standings)
        case _:
            pass
    return replace(state, tournament=tournament)


def _lives(tournament: Tournament, player_id: str) -> int:
    return next((one.lives for one in tournament.players if one.player_id == player_id), 0)


def _change_player(
    tournament: Tournament, player_id: str, change: Mapping[str, object]
) -> Tournament:
    players = tuple(
        player.model_copy(update=change) if player.player_id == player_id else player
        for player in tournament.players
    )
    return tournament.model_copy(update={"players": players})


def _settle(tournament: Tournament, standings: Iterable[Standing]) -> Tournament:
    for standing in standings:
        change: dict[str, object] = {"lives": standing.lives}
        if standing.place is not None:
            change |= {"place": standing.place, "rating_change": standing.rating_change}
        tournament = _change_player(tournament, standing.player_id, change)
    return tournament


def _with_own_rating(state: GameState, standings: Iterable[Standing]) -> GameState:
    for standing in standings:
        if state.profile and standing.player_id == state.me and standing.rating is not None:
            profile = state.profile.model_copy(update={"rating": standing.rating})
            return replace(state, profile=profile)
    return state


def _forget_old_duels(state: GameState, oldest_round: int) -> GameState:
    kept = {key: duel for key, duel in state.duels.items() if duel.round >= oldest_round}
    gone = [key for key in state.duels if key not in kept]
    return _depart(replace(state, duels=MappingProxyType(kept)), gone)


def _duel_started(state: GameState, duel: Duel) -> GameState | _Unfit:
    known = state.duels.get(duel.duel_id)
    if duel.duel_id in state.departed or duel.tournament_id in state.departed:
        return _Unfit.KNOWN
    if known and duel.version <= known.version:
        return _Unfit.KNOWN
    tournament = state.tournament
    if tournament is None or tournament.tournament_id != duel.tournament_id:
        return _Unfit.TOO_EARLY
    if duel.round == tournament.round and tournament.phase == "intro":
        tournament = tournament.model_copy(update={"phase": "duels"})
    duels = MappingProxyType({**state.duels, duel.duel_id: duel})
    return replace(state, tournament=tournament, duels=duels)


def _duel_event(state: GameState, event: DuelEvent) -> GameState | _Unfit:
    if event.duel_id in state.departed:
        return _Unfit.KNOWN
    duel = state.duels.get(event.duel_id)
    if duel is None:
        return _Unfit.TOO_EARLY
    if event.version <= duel.version or duel.ended:
        return _Unfit.KNOWN
    if event.version > duel.version + 1:
        return _Unfit.TOO_EARLY
    change: dict[str, object] = {"version": event.version}
    match event:
        case GuessMade():
            row = Row(
                turn=event.turn,
                player_id=event.player_id,
                skipped=False,
                word=event.word,
                letters=event.letters,
                marks=event.marks,
            )
            change |= {"rows": (*duel.rows, row), **_turn_after(event)}
        case TurnSkipped():
            row = Row(turn=event.turn, player_id=event.player_id, skipped=True)
            change |= {"rows": (*duel.rows, row), **_turn_after(event)}
        case DuelEnded():
            ending = Ending(
                outcome=event.outcome,
                winner=event.winner,
                word=event.word,
                letters=event.letters,
            )
            change |= {"ended": ending, "player_id": None, "deadline": None}
        case _:
            pass
    duels = {**state.duels, duel.duel_id: duel.model_copy(update=change)}
    return replace(state, duels=MappingProxyType(duels))


def _turn_after(event: GuessMade | TurnSkipped) -> dict[str, object]:
    if event.next is None:
        return {"player_id": None, "deadline": None}
    return {
        "turn": event.next.turn,
        "player_id": event.next.player_id,
        "deadline": event.next.deadline,
    }


def _adopt(state: GameState, snapshot: Snapshot | Welcome) -> GameState:
    """Take a snapshot over, except where events have already led beyond it."""
    lobby = _newer(state.lobby, snapshot.lobby)
    group = _newer(state.group, snapshot.group)
    tournament = _newer(state.tournament, snapshot.tournament)
    if lobby is None and _keeps_for_show(state.tournament, tournament):
        tournament = state.tournament
    duels = _adopt_duels(state, tournament, snapshot.duels)
    adopted = replace(
        state,
        profile=snapshot.profile,
        lobby=lobby,
        group=group,
        tournament=tournament,
        intro=_adopt_intro(state.intro, tournament),
        duels=MappingProxyType(duels),
        held=tuple(Held(one.event, True) for one in state.held if not one.outlasted_a_snapshot),
        departed=tuple(one for one in state.departed if one not in _ids(snapshot)),
        doubtful=False,
    )
    return replace(adopted, doubtful=_lost_something(state, adopted))


_Thing = TypeVar("_Thing", Lobby, Group, Tournament)


def _newer(known: _Thing | None, told: _Thing | None) -> _Thing | None:
    if known is None or told is None:
        return told
    return known if _id(known) == _id(told) and known.version > told.version else told


def _id(thing: Lobby | Group | Tournament) -> str:
    match thing:
        case Lobby():
            return thing.lobby_id
        case Group():
            return thing.code
        case Tournament():
            return thing.tournament_id


def _ids(snapshot: Snapshot | Welcome) -> set[str]:
    things = (snapshot.lobby, snapshot.group, snapshot.tournament)
    return {_id(thing) for thing in things if thing} | {duel.duel_id for duel in snapshot.duels}


def _keeps_for_show(known: Tournament | None, told: Tournament | None) -> bool:
    """A tournament that is over is no longer told but still worth looking at."""
    return told is None and known is not None and known.phase == "ended"


def _adopt_intro(known: RoundIntro | None, tournament: Tournament | None) -> RoundIntro | None:
    if tournament is None:
        return None
    told = _intro_within(tournament)
    if told:
        return told
    fits = (
        known is not None
        and known.tournament_id == tournament.tournament_id
        and known.round == tournament.round
    )
    return known if fits else None


def _intro_within(tournament: Tournament) -> RoundIntro | None:
    if tournament.pairings is None:
        return None
    return RoundIntro(
        tournament_id=tournament.tournament_id,
        version=tournament.version,
        round=tournament.round,
        pairings=tournament.pairings,
        bye=tournament.bye,
        ends_at=tournament.intro_ends_at or 0,
    )


def _adopt_duels(
    state: GameState, tournament: Tournament | None, told: tuple[Duel, ...]
) -> dict[str, Duel]:
    duels = {
        key: duel
        for key, duel in state.duels.items()
        if duel.ended and tournament and duel.tournament_id == tournament.tournament_id
    }
    for duel in told:
        known = state.duels.get(duel.duel_id)
        duels[duel.duel_id] = known if known and known.version > duel.version else duel
    return duels


def _lost_something(before: GameState, after: GameState) -> bool:
    """Whether the snapshot may be older than the events: something live is not in it."""
    if before.lobby and after.lobby is None and after.tournament is None:
        return True
    if before.group and after.group is None:
        return True
    if before.tournament and before.tournament.phase != "ended" and after.tournament is None:
        return True
    own = before.my_duel
    return own is not None and own.ended is None and own.duel_id not in after.duels


def _depart(state: GameState, ids: Iterable[str]) -> GameState:
    new = tuple(one for one in ids if one not in state.departed)
    return replace(state, departed=(*state.departed, *new)[-_MOST_DEPARTED:])
