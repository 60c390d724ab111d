"""A small client that folds events after a snapshot, in order of version."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from wordle_tournament.ports import messages
from wordle_tournament.ports.messages import Message
from wordle_tournament.rules.ids import DuelId, LobbyId, PlayerId
from wordle_tournament.rules.views import (
    DuelView,
    EndingView,
    EntrantView,
    GroupView,
    LobbyView,
    RowView,
    StandingView,
    TournamentView,
    TurnView,
)

TournamentEvent = (
    messages.RoundIntro
    | messages.PlayerDisconnected
    | messages.PlayerReconnected
    | messages.PlayerLeft
    | messages.RoundEnded
    | messages.TournamentEnded
)
DuelEvent = messages.GuessMade | messages.TurnSkipped | messages.DuelEnded


@dataclass
class Follower:
    """What one connection knows: each thing at the version up to which nothing is missing.

    `early` holds events that came before one they build on; `repeated` counts those known;
    `doubtful` asks for `sync`: a snapshot does not know what was just heard of, or knows what has
    just been `departed` from.
    """

    me: PlayerId
    welcomed: bool = False
    lobby: LobbyView | None = None
    group: GroupView | None = None
    tournament: TournamentView | None = None
    duels: dict[DuelId, DuelView] = field(default_factory=dict)
    unstarted: set[DuelId] = field(default_factory=set)
    early: list[TournamentEvent | DuelEvent] = field(default_factory=list)
    repeated: int = 0
    doubtful: bool = False
    lobby_versions: dict[LobbyId, int] = field(default_factory=dict)
    departed: set[str] = field(default_factory=set)

    def take(self, message: Message) -> None:
        """Take one message into account, and those kept that fit after it."""
        match message:
            case messages.Welcome() | messages.Snapshot():
                self._take_snapshot(message)
            case messages.TournamentStarted(tournament):
                self._take_tournament(tournament)
            case messages.DuelStarted(duel):
                self._take_duel(duel)
            case messages.LobbyChanged(lobby):
                self._take_lobby(lobby)
            case messages.GroupChanged(group):
                self.doubtful |= group.code in self.departed
                self._take_group(group)
            case messages.GroupLeft(code):
                self.departed.add(code)
                if self.group is not None and self.group.code == code:
                    self.group = None
            case messages.Left(id=left) | messages.LobbyLeft(lobby_id=left):
                self._depart(left)
            case _ if isinstance(message, TournamentEvent | DuelEvent):
                self.early.append(message)
        self._take_early()

    def _take_snapshot(self, snapshot: messages.Welcome | messages.Snapshot) -> None:
        self.welcomed = True
        self.doubtful = not self.doubtful and (
            _contradicts(self.tournament, snapshot)
            or (self.lobby is not None and not (snapshot.lobby or snapshot.tournament))
            or (self.group is not None and snapshot.group is None)
            or (snapshot.group is not None and snapshot.group.code in self.departed)
        )
        if snapshot.lobby is None:
            self.lobby = None
        else:
            self._take_lobby(snapshot.lobby)
        if snapshot.group is None:
            self.group = None
        else:
            self._take_group(snapshot.group)
        if snapshot.tournament is None:
            self.tournament = None
        else:
            self._take_tournament(snapshot.tournament)
        for duel in snapshot.duels:
            self._take_duel(duel)

    def _depart(self, left: str) -> None:
        self.departed.add(left)
        if self.lobby is not None and self.lobby.lobby_id == left:
            self.lobby = None
        if self.tournament is not None and self.tournament.tournament_id == left:
            self.tournament = None

    def _take_lobby(self, told: LobbyView) -> None:
        known = self.lobby
        if self.me not in {player.player_id for player in told.players}:
            return
        if told.version < self.lobby_versions.get(told.lobby_id, 0):
            return
        self.lobby_versions[told.lobby_id] = told.version
        if known is None or known.lobby_id != told.lobby_id or known.version <= told.version:
            self.lobby = told
        if self.tournament is not None and not _has_become(told, self.tournament):
            self._depart(self.tournament.tournament_id)

    def _take_tournament(self, told: TournamentView) -> None:
        known = self.tournament
        if told.tournament_id in self.departed:
            return
        if known is None or known.tournament_id != told.tournament_id:
            self.tournament, self.lobby = told, None
        elif known.version <= told.version:
            self.tournament = told

    def _take_duel(self, told: DuelView) -> None:
        known = self.duels.get(told.duel_id)
        if known is None or known.version < told.version:
            self.duels[told.duel_id] = told

    def _take_group(self, told: GroupView) -> None:
        known = self.group
        if self.me not in {member.player_id for member in told.members}:
            return
        if known is None or known.code != told.code or known.version <= told.version:
            self.group = told

    def _take_early(self) -> None:
        """Apply the events that have come up to their turn, until none does."""
        waiting, self.early = self.early, []
        moved = False
        for event in waiting:
            standing = self._version_of(event)
            if standing is None or event.version > standing + 1:
                self.early.append(event)
            elif event.version <= standing:
                self.repeated += 1
            else:
                moved = True
                self._apply(event)
        if moved:
            self._take_early()

    def _version_of(self, event: TournamentEvent | DuelEvent) -> int | None:
        """The version at which the event's thing is known; None when it is not.

        A duel whose player leaves during the intro ends with its first event.
        """
        if isinstance(event, DuelEvent):
            if event.duel_id in self.duels:
                return self.duels[event.duel_id].version
            ends_unstarted = isinstance(event, messages.DuelEnded) and event.version == 1
            return 1 if event.duel_id in self.unstarted else 0 if ends_unstarted else None
        if self.tournament is None or self.tournament.tournament_id != event.tournament_id:
            return None
        return self.tournament.version

    def _apply(self, event: TournamentEvent | DuelEvent) -> None:
        if isinstance(event, DuelEvent):
            if event.duel_id not in self.duels:
                self.unstarted.add(event.duel_id)
                return
            self.duels[event.duel_id] = _fold_duel(self.duels[event.duel_id], event)
        else:
            assert self.tournament is not None
            self.tournament = _fold_tournament(self.tournament, event)


def follow(me: PlayerId, told: Iterable[Message]) -> Follower:
    """Fold all that came on a connection of a player."""
    follower = Follower(me)
    for message in told:
        follower.take(message)
    return follower


def _contradicts(
    known: TournamentView | None, snapshot: messages.Welcome | messages.Snapshot
) -> bool:
    if known is None:
        return False
    told = snapshot.tournament
    return told is None or told.tournament_id != known.tournament_id


def _has_become(lobby: LobbyView, tournament: TournamentView) -> bool:
    seated = {player.player_id for player in lobby.players}
    return seated == {player.player_id for player in tournament.players}


def _fold_tournament(view: TournamentView, event: TournamentEvent) -> TournamentView:
    view = replace(view, version=event.version)
    match event:
        case messages.RoundIntro():
            return replace(
                view,
                round=event.round,
                pairings=event.pairings,
                bye=event.bye,
                intro_ends_at=event.ends_at,
            )
        case messages.PlayerDisconnected(player_id=player, back_by=back_by):
            return _change(view, player, connected=False, back_by=back_by)
        case messages.PlayerReconnected(player_id=player):
            return _change(view, player, connected=True, back_by=None)
        case messages.PlayerLeft(player_id=player):
            return _change(view, player, connected=False, back_by=None, left=True)
        case messages.RoundEnded(standings=standings):
            return _stand(view, standings)
        case messages.TournamentEnded(standings=standings):
            return _stand(view, standings)


def _change(view: TournamentView, player: PlayerId, **changes: object) -> TournamentView:
    def changed(entrant: EntrantView) -> EntrantView:
        return replace(entrant, **changes) if entrant.player_id == player else entrant  # type: ignore[arg-type]

    return replace(view, players=tuple(map(changed, view.players)))


def _stand(view: TournamentView, standings: Iterable[StandingView]) -> TournamentView:
    for one in standings:
        view = _change(
            view,
            one.player_id,
            lives=one.lives,
            place=one.place,
            rating_change=one.rating_change,
        )
    return view


def _fold_duel(view: DuelView, event: DuelEvent) -> DuelView:
    view = replace(view, version=event.version)
    match event:
        case messages.GuessMade():
            row = RowView(
                turn=event.turn,
                player_id=event.player_id,
                skipped=False,
                word=event.word,
                letters=event.letters,
                marks=event.marks,
                received_at=event.received_at,
            )
            return _turn_to(replace(view, rows=(*view.rows, row)), event.next)
        case messages.TurnSkipped():
            row = RowView(turn=event.turn, player_id=event.player_id, skipped=True)
            return _turn_to(replace(view, rows=(*view.rows, row)), event.next)
        case messages.DuelEnded():
            ended = EndingView(event.outcome, event.winner, event.word, event.letters)
            return _turn_to(replace(view, ended=ended), None)


def _turn_to(view: DuelView, following: TurnView | None) -> DuelView:
    if following is None:
        return replace(view, turn=None, player_id=None, deadline=None)
    return replace(
        view,
        turn=following.turn,
        player_id=following.player_id,
        deadline=following.deadline,
    )
