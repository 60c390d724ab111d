"""The referee: hears several players and says what was wrong with their games."""

from __future__ import annotations

import time
from collections.abc import Callable

from wordle_tools.client.messages import DuelEnded, RoundEnded
from wordle_tools.referee.duels import Allows, judge_duel
from wordle_tools.referee.evidence import Breach, Evidence
from wordle_tools.referee.tournaments import SEATS, judge_tournament
from wordle_tools.referee.witness import Witness


class Referee:
    """Gives each player a witness and judges what the witnesses heard together."""

    def __init__(
        self, allows: Allows | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Judge words by `allows`, if given, and silence by `clock`, in seconds."""
        self._allows = allows
        self._clock = clock
        self._evidence = Evidence()
        self._witnesses: list[Witness] = []

    def seat(self, name: str) -> Witness:
        """Give the player that breaches call `name` a witness."""
        witness = Witness(name, self._evidence, self._clock)
        self._witnesses.append(witness)
        return witness

    def breaches(self) -> list[Breach]:
        """Judge everything, once nothing more will come; empty when all was right."""
        for witness in self._witnesses:
            witness.finish()
        evidence = self._evidence
        found = set(evidence.breaches)
        for duel in evidence.duels.values():
            found |= set(judge_duel(duel, self._allows))
        for tournament_id, tournament in evidence.tournaments.items():
            found |= set(judge_tournament(tournament_id, tournament, evidence.duels))
        found |= self._judge_waiting()
        for witness in self._witnesses:
            found |= self._judge_secrecy(witness)
            found |= self._judge_watching(witness)
            found |= self._judge_ratings(witness)
        return sorted(found)

    def _judge_waiting(self) -> set[Breach]:
        """Lobbies and groups (R6, R8.1)."""
        found = set()
        for lobby_id, lobbies in self._evidence.lobbies.items():
            for lobby in lobbies.values():
                players = {player.player_id for player in lobby.players}
                if lobby.seats != SEATS or len(lobby.players) > SEATS:
                    found.add(Breach("R6.1", f"lobby {lobby_id} has not eight seats"))
                if len(players) != len(lobby.players):
                    found.add(Breach("R6.4", f"lobby {lobby_id} seats a player twice"))
        for groups in self._evidence.groups.values():
            for group in groups.values():
                members = {member.player_id for member in group.members}
                if len(group.members) > SEATS or len(members) != len(group.members):
                    found.add(Breach("R8.1", f"a group with {len(group.members)} members"))
                if group.leader not in members:
                    found.add(Breach("R8.5", "a group is led by a stranger"))
        return found

    def _judge_secrecy(self, witness: Witness) -> set[Breach]:
        """No word but where it belongs (R3.10); nobody's token but in their own welcome."""
        found = set()
        for duel_id, duel in self._evidence.duels.items():
            for event in duel.events.values():
                if isinstance(event, DuelEnded) and event.word.casefold() in witness.loose_strings:
                    found.add(Breach("R3.10", f"{witness.name} was told the word of {duel_id}"))
        secrets = {secret for one in self._witnesses for secret in one.secrets}
        if any(secret in text for secret in secrets for text in witness.texts):
            found.add(Breach("token", f"{witness.name} was told a token"))
        return found

    def _judge_watching(self, witness: Witness) -> set[Breach]:
        """Others' duels are seen by those only who watch, and not while they play themselves."""
        found = set()
        rounds = self._rounds()
        own_ends: dict[tuple[str, int], int] = {}
        for seen in witness.seen:
            place = rounds.get(seen.duel_id)
            if place and seen.ended and witness.player_id in place[2]:
                own_ends.setdefault(place[:2], seen.order)
        own_rounds = {place[:2] for place in rounds.values() if witness.player_id in place[2]}
        for seen in witness.seen:
            place = rounds.get(seen.duel_id)
            if place is None or witness.player_id in place[2]:
                continue
            playing = place[:2] in own_rounds
            if playing and seen.order < own_ends.get(place[:2], len(witness.seen)):
                found.add(Breach("watch", f"{witness.name} saw {seen.duel_id} while playing"))
            elif not witness.ever_watched:
                found.add(Breach("watch", f"{witness.name} saw {seen.duel_id} without watching"))
        return found

    def _rounds(self) -> dict[str, tuple[str, int, tuple[str, str]]]:
        """Tournament, round and players of every duel that has started."""
        return {
            duel_id: (file.started.tournament_id, file.started.round, file.started.players)
            for duel_id, file in self._evidence.duels.items()
            if file.started is not None
        }

    def _judge_ratings(self, witness: Witness) -> set[Breach]:
        """A player begins a tournament with the rating that the last one told (R5.5)."""
        found = set()
        told: int | None = None
        for tournament_id, rating in witness.ratings_met:
            if told is not None and rating != told:
                found.add(Breach("R5.5", f"{witness.name} has {rating} instead of {told}"))
            told = self._rating_after(tournament_id, witness.player_id)
        return found

    def _rating_after(self, tournament_id: str, player_id: str | None) -> int | None:
        told = None
        for event in self._evidence.tournament(tournament_id).events.values():
            if isinstance(event, RoundEnded):
                for standing in event.standings:
                    if standing.player_id == player_id and standing.rating is not None:
                        told = standing.rating
        return told
