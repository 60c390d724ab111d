"""What the referee has been shown of lobbies, groups, tournaments and duels, by version."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from wordle_tools.client.messages import (
    Duel,
    DuelEvent,
    Group,
    Lobby,
    Message,
    Tournament,
    TournamentEvent,
)

_Event = TypeVar("_Event", bound=Message)


@dataclass(frozen=True, slots=True, order=True)
class Breach:
    """A rule (`R2.3`) or part of the protocol (`answers`) that was broken, and how."""

    rule: str
    what: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.what}"


@dataclass(slots=True)
class TournamentFile:
    """Everything shown of one tournament."""

    started: Tournament | None = None
    events: dict[int, TournamentEvent] = field(default_factory=dict)
    views: dict[int, Tournament] = field(default_factory=dict)


@dataclass(slots=True)
class DuelFile:
    """Everything shown of one duel."""

    started: Duel | None = None
    events: dict[int, DuelEvent] = field(default_factory=dict)
    views: dict[int, Duel] = field(default_factory=dict)


@dataclass(slots=True)
class Evidence:
    """Everything shown of everything."""

    lobbies: dict[str, dict[int, Lobby]] = field(default_factory=dict)
    groups: dict[str, dict[int, Group]] = field(default_factory=dict)
    tournaments: dict[str, TournamentFile] = field(default_factory=dict)
    duels: dict[str, DuelFile] = field(default_factory=dict)
    breaches: set[Breach] = field(default_factory=set)

    def tournament(self, tournament_id: str) -> TournamentFile:
        """Open the file of a tournament."""
        return self.tournaments.setdefault(tournament_id, TournamentFile())

    def duel(self, duel_id: str) -> DuelFile:
        """Open the file of a duel."""
        return self.duels.setdefault(duel_id, DuelFile())

    def add_lobby(self, lobby: Lobby) -> None:
        """File a lobby as it stands at its version."""
        bare = lobby.model_copy(update={"alphabet": None})
        known = self.lobbies.setdefault(lobby.lobby_id, {}).setdefault(lobby.version, bare)
        self._same(known == bare, f"lobby at version {lobby.version}")

    def add_group(self, group: Group) -> None:
        """File a group as it stands at its version."""
        known = self.groups.setdefault(group.code, {}).setdefault(group.version, group)
        self._same(known == group, f"group at version {group.version}")

    def add_tournament_started(self, tournament: Tournament) -> bool:
        """File the beginning of a tournament; True when it is news."""
        file = self.tournament(tournament.tournament_id)
        if file.started is None:
            file.started = tournament
            return True
        self._same(file.started == tournament, "beginning of a tournament")
        return False

    def add_tournament_view(self, tournament: Tournament) -> None:
        """File a tournament as a snapshot shows it."""
        # Opening the duels of a round is no event of the tournament, so it has no version.
        bare = tournament.model_copy(update={"phase": "duels", "intro_ends_at": None})
        known = self.tournament(tournament.tournament_id).views.setdefault(bare.version, bare)
        self._same(known == bare, f"tournament at version {tournament.version}")

    def add_tournament_event(self, event: TournamentEvent) -> None:
        """File an event of a tournament."""
        plain = _plain(event)
        known = self.tournament(event.tournament_id).events.setdefault(event.version, plain)
        self._same(known == plain, f"version {event.version} of a tournament ({event.type})")

    def add_duel_started(self, duel: Duel) -> None:
        """File the beginning of a duel."""
        file = self.duel(duel.duel_id)
        file.started = file.started or duel
        self._same(file.started == duel, "beginning of a duel")

    def add_duel_view(self, duel: Duel) -> None:
        """File a duel as a snapshot shows it."""
        known = self.duel(duel.duel_id).views.setdefault(duel.version, duel)
        self._same(known == duel, f"duel {duel.duel_id} at version {duel.version}")

    def add_duel_event(self, event: DuelEvent) -> None:
        """File an event of a duel."""
        plain = _plain(event)
        known = self.duel(event.duel_id).events.setdefault(event.version, plain)
        self._same(known == plain, f"version {event.version} of duel {event.duel_id}")

    def breach(self, rule: str, what: str) -> None:
        """Note a breach."""
        self.breaches.add(Breach(rule, what))

    def _same(self, same: bool, what: str) -> None:
        if not same:
            self.breach("versions", f"two different accounts of the {what}")


def _plain(event: _Event) -> _Event:
    return event.model_copy(update={"request_id": None})
