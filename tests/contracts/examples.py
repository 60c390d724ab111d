"""One of each aggregate with every field set, and one with none that need not be."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from wordle_tournament.ports.store import Aggregate, Change, save
from wordle_tournament.rules.duel import Duel, DuelPhase, Ending, Outcome, Row
from wordle_tournament.rules.group import Group
from wordle_tournament.rules.ids import (
    ConnectionId,
    DuelId,
    GroupCode,
    LobbyId,
    PlayerId,
    TournamentId,
)
from wordle_tournament.rules.lobby import Lobby, Party, Room
from wordle_tournament.rules.pairing import Pairing
from wordle_tournament.rules.player import Connection, LobbySeat, Player, TournamentSeat
from wordle_tournament.rules.result import Result
from wordle_tournament.rules.tournament import Entrant, Phase, Tournament, duel_id

NOW = datetime(2026, 1, 1, 12, 0, 0, 123_000, tzinfo=UTC)
SECOND = timedelta(seconds=1)

ANN, BOB, CAT, DAN, EVE = map(PlayerId, ("ann", "bob", "cat", "dan", "eve"))
TOURNAMENT = TournamentId("t1")
LINE = ConnectionId("line-of-ann")


def a_player(player: PlayerId = ANN) -> Player:
    """A new player."""
    return Player(id=player, nickname="Quick Otter 7")


def a_tournament(tournament: TournamentId = TOURNAMENT) -> Tournament:
    """A tournament of which nothing has been drawn."""
    return Tournament(
        id=tournament,
        language="uk",
        entrants=(Entrant(ANN, "Ann", 1000), Entrant(BOB, "Боб", 987)),
        started_at=NOW,
    )


def a_duel(tournament: TournamentId = TOURNAMENT, round_number: int = 1, number: int = 0) -> Duel:
    """A duel that has not begun."""
    return Duel(
        id=duel_id(tournament, round_number, number),
        tournament=tournament,
        round=round_number,
        language="uk",
        word="слово",
        players=(BOB, ANN),
    )


def a_result(tournament: TournamentId = TOURNAMENT, player: PlayerId = ANN) -> Result:
    """A third place."""
    return Result(
        player=player,
        tournament=tournament,
        placed_at=NOW,
        language="uk",
        rounds=9,
        place=3,
        change=-11,
        rating=989,
    )


def a_group(code: str = "bcdfg") -> Group:
    """A group of two."""
    return Group(code=GroupCode(code), language="uk", leader=BOB, members=(BOB, ANN), version=7)


FULL_PLAYER = Player(
    id=ANN,
    nickname="Швидка Видра",
    rating=1211,
    games=12,
    connection=Connection(LINE, since=NOW, greeted=True),
    seat=TournamentSeat(TOURNAMENT, placed=True),
    group=GroupCode("bcdfg"),
    losses=3,
    lost_at=NOW - SECOND,
    lost_lobby=LobbyId("left"),
    erased=True,
)

FULL_ROOM = Room(
    "uk",
    lobbies=(
        Lobby(
            LobbyId("one"),
            rating=1000,
            opened_at=NOW,
            parties=(Party((ANN, BOB), 1005), Party((CAT,), 801)),
            version=3,
        ),
        Lobby(LobbyId("two"), rating=1300, opened_at=NOW + SECOND, parties=(Party((DAN,), -5),)),
    ),
)

FULL_TOURNAMENT = Tournament(
    id=TOURNAMENT,
    language="uk",
    entrants=(
        Entrant(ANN, "Ann", 1000, lives=2, back_by=NOW),
        Entrant(BOB, "Боб", 987, lives=0, left=True, place=3, change=-4, rating_after=983),
    ),
    started_at=NOW,
    round=4,
    phase=Phase.DUELS,
    pairing=Pairing(duels=((ANN, BOB), (DAN, CAT)), bye=EVE),
    words=("слово", "осінь"),
    intro_ends_at=NOW + 6 * SECOND,
    wake_at=NOW + 30 * SECOND,
    watchers={EVE: ConnectionId("line-of-eve")},
    version=17,
)

FULL_DUEL = Duel(
    id=DuelId("t1.12.3"),
    tournament=TOURNAMENT,
    round=12,
    language="uk",
    word="слово",
    players=(BOB, ANN),
    viewers={ANN: LINE, EVE: ConnectionId("line-of-eve")},
    phase=DuelPhase.RUNNING,
    version=3,
    rows=(Row("осінь", NOW), None, Row("слово", NOW + timedelta(milliseconds=1))),
    deadline=NOW + 30 * SECOND,
    ending=Ending(Outcome.SOLVED, winner=BOB),
)

BARE: tuple[Aggregate, ...] = (
    a_player(),
    Room("uk"),
    a_tournament(),
    a_duel(),
    a_group(),
    a_result(),
)

FULL: tuple[Aggregate, ...] = (
    FULL_PLAYER,
    FULL_ROOM,
    FULL_TOURNAMENT,
    FULL_DUEL,
    a_group(),
    a_result(),
)


def creation(aggregate: Any) -> Change:
    """The change that creates an aggregate of any kind."""
    return save(aggregate)


def in_a_lobby(player: Player) -> Player:
    """The player, seated in a lobby."""
    return replace(player, seat=LobbySeat(LobbyId("one"), "uk"))
