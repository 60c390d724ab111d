"""What players see; the word of a running duel is in none of it (R3.10)."""

from dataclasses import asdict, replace

import pytest

from tests.rules.examples import ANNE, BEN, CLEO, DORA, NOW, TURN, running_duel, waiting_duel
from wordle_tournament.rules import views
from wordle_tournament.rules.duel import Duel, DuelEnded, Ending, Outcome, apply
from wordle_tournament.rules.group import Group
from wordle_tournament.rules.ids import (
    ConnectionId,
    DuelId,
    GroupCode,
    LobbyId,
    PlayerId,
    TournamentId,
)
from wordle_tournament.rules.leaderboard import Leader
from wordle_tournament.rules.lobby import Lobby, Party
from wordle_tournament.rules.pairing import Pairing
from wordle_tournament.rules.player import Connection, LobbySeat, Player
from wordle_tournament.rules.result import Result
from wordle_tournament.rules.tournament import Entrant, Phase, Tournament
from wordle_tournament.rules.words import Mark

C, P, A = Mark.CORRECT, Mark.PRESENT, Mark.ABSENT


def _player(player: PlayerId, nickname: str) -> Player:
    return Player(player, nickname, rating=1234, games=7)


PLAYERS = {ANNE: _player(ANNE, "Anne"), BEN: _player(BEN, "Ben")}


@pytest.mark.parametrize("duel", [waiting_duel(), running_duel(), running_duel(["slate", None])])
def test_a_duel_that_has_not_ended_shows_the_length_of_its_word_and_no_more(duel: Duel) -> None:
    """R3.10"""
    view = views.view_duel(duel)

    assert (view.length, view.ended) == (5, None)
    assert "crane" not in repr(view)
    assert "crane" not in repr(asdict(view))


def test_a_waiting_duel_has_nobody_on_turn() -> None:
    """R1.3"""
    view = views.view_duel(waiting_duel())

    assert (view.turn, view.player_id, view.deadline, view.rows) == (None, None, None, ())


def test_a_running_duel_shows_board_turn_and_deadline() -> None:
    """R7.4"""
    view = views.view_duel(running_duel(["caner", None, "slate"]))

    assert (view.duel_id, view.tournament_id, view.round) == ("cup.1.0", "cup", 1)
    assert (view.version, view.language, view.players) == (4, "en", (ANNE, BEN))
    assert (view.turn, view.player_id, view.deadline) == (4, BEN, NOW + TURN)
    assert view.rows == (
        views.RowView(1, ANNE, False, "caner", tuple("caner"), (C, P, P, P, P), NOW),
        views.RowView(2, BEN, skipped=True),
        views.RowView(3, ANNE, False, "slate", tuple("slate"), (A, A, C, A, C), NOW),
    )


def test_an_ended_duel_shows_its_word_to_everybody_who_sees_it() -> None:
    """R3.10"""
    duel = apply(running_duel(["slate"]), DuelEnded(Ending(Outcome.LEFT, BEN)))

    view = views.view_duel(duel)

    assert view.ended == views.EndingView(Outcome.LEFT, BEN, "crane", tuple("crane"))
    assert (view.turn, view.player_id, view.deadline) == (None, None, None)
    assert len(view.rows) == 1


def test_letters_are_shown_as_the_language_writes_them() -> None:
    """R9.4: one tile is one letter, however many characters it takes."""
    duel = replace(running_duel(), language="uz", word="öğil")

    assert views.view_word(duel, "öğil") == "oʻgʻil"
    assert views.view_letters(duel, "öğil") == ("oʻ", "gʻ", "i", "l")
    assert views.view_duel(duel).length == 4


def test_the_next_turn_is_shown_only_if_there_is_one() -> None:
    """R3.2"""
    assert views.view_turn(running_duel(), 2, NOW) == views.TurnView(2, BEN, NOW)
    assert views.view_turn(running_duel(), 13, None) is None


def _tournament() -> Tournament:
    return Tournament(
        id=TournamentId("cup"),
        language="en",
        entrants=(
            Entrant(ANNE, "Anne", 1000, lives=2),
            Entrant(BEN, "Ben", 1100, back_by=NOW),
            Entrant(CLEO, "Cleo", 900, lives=1, left=True, place=4, change=-25, rating_after=870),
            Entrant(DORA, "Dora", 1200, lives=0, place=3, change=-3, rating_after=1190),
        ),
        started_at=NOW,
        round=2,
        phase=Phase.DUELS,
        pairing=Pairing(((BEN, ANNE),), bye=None),
        words=("secret",),
        intro_ends_at=NOW,
        watchers={DORA: ConnectionId("line")},
        version=9,
    )


def test_a_tournament_shows_its_players_and_its_round() -> None:
    """R1.3, R4.6, R7.2"""
    view = views.view_tournament(_tournament())

    assert (view.tournament_id, view.version, view.language) == ("cup", 9, "en")
    assert (view.round, view.phase, view.bye) == (2, Phase.DUELS, None)
    assert view.intro_ends_at == NOW
    assert view.pairings == (views.PairView(DuelId("cup.2.0"), (BEN, ANNE)),)
    assert view.players == (
        views.EntrantView(ANNE, "Anne", 1000, 2, True, False, None, None, None),
        views.EntrantView(BEN, "Ben", 1100, 3, False, False, NOW, None, None),
        views.EntrantView(CLEO, "Cleo", 900, 1, False, True, None, 4, -25),
        views.EntrantView(DORA, "Dora", 1200, 0, True, False, None, 3, -3),
    )
    assert "secret" not in repr(view)


@pytest.mark.parametrize(("viewer", "watching"), [(None, None), (DORA, True), (ANNE, False)])
def test_only_to_one_viewer_is_told_whether_they_watch(
    viewer: PlayerId | None, watching: bool | None
) -> None:
    """R4.6"""
    assert views.view_tournament(_tournament(), viewer).watching is watching


def test_a_standing_shows_the_new_rating() -> None:
    """R4.6, R5.5"""
    anne, _, cleo, _ = map(views.view_standing, _tournament().entrants)

    assert anne == views.StandingView(ANNE, 2, None, None, None)
    assert cleo == views.StandingView(CLEO, 1, 4, -25, 870)


def test_a_lobby_tells_what_it_waits_for() -> None:
    """R6.1, R6.2"""
    parties = (Party((BEN, CLEO), 1100), Party((ANNE,), 1000))
    lobby = Lobby(LobbyId("lobby"), 1050, NOW, parties, version=3)

    view = views.view_lobby(lobby, "ru", PLAYERS)

    assert (view.lobby_id, view.version, view.language) == ("lobby", 3, "ru")
    assert (view.rating, view.rating_window, view.seats) == (1050, 200, 8)
    assert view.players == (views.PlayerView(BEN, "Ben"), views.PlayerView(ANNE, "Anne"))
    assert view.alphabet == views.view_language("ru")


def test_a_language_is_shown_with_letters_as_they_are_typed() -> None:
    """R9.1, R9.4"""
    view = views.view_language("uz")

    assert (view.code, view.name, view.endonym) == ("uz", "Uzbek", "Oʻzbekcha")
    assert {"oʻ", "gʻ"} <= set(view.letters)
    assert {letter for row in view.keyboard for letter in row} <= set(view.letters)


def test_others_see_a_player_by_name_and_they_themselves_see_more() -> None:
    """R10.1"""
    assert views.view_player(PLAYERS[ANNE]) == views.PlayerView(ANNE, "Anne")
    assert views.view_profile(PLAYERS[ANNE]) == views.ProfileView(ANNE, "Anne", 1234, 7)


def test_a_group_shows_who_is_there_and_who_is_playing() -> None:
    """R8.4"""
    line = Connection(ConnectionId("line"), NOW)
    members = {
        ANNE: replace(PLAYERS[ANNE], connection=line),
        BEN: replace(PLAYERS[BEN], seat=LobbySeat(LobbyId("lobby"), "en")),
    }
    group = Group(GroupCode("bcd"), "en", leader=BEN, members=(BEN, CLEO, ANNE), version=5)

    view = views.view_group(group, members, "https://play.example/join/")

    assert (view.code, view.invite_url) == ("bcd", "https://play.example/join/bcd")
    assert (view.version, view.language, view.leader) == (5, "en", BEN)
    assert view.members == (
        views.MemberView(BEN, "Ben", connected=False, playing=True),
        views.MemberView(ANNE, "Anne", connected=True, playing=False),
    )


def test_a_result_shows_what_a_tournament_came_to_and_the_duels_that_are_over() -> None:
    """R3.10, R5.5: not one that still runs."""
    result = Result(ANNE, TournamentId("cup"), NOW, "pl", rounds=9, place=2, change=18, rating=1018)
    over = apply(running_duel(["slate", None]), DuelEnded(Ending(Outcome.LEFT, BEN)))

    view = views.view_result(result, [over, running_duel(["slate"], word="plumb")])

    assert (view.tournament_id, view.ended_at, view.language) == ("cup", NOW, "pl")
    assert (view.rounds, view.place, view.rating_change, view.rating) == (9, 2, 18, 1018)
    (replay,) = view.duels
    assert (replay.duel_id, replay.round, replay.players) == ("cup.1.0", 1, (ANNE, BEN))
    assert (replay.outcome, replay.winner, replay.word) == (Outcome.LEFT, BEN, "crane")
    assert replay.letters == tuple("crane")
    assert replay.rows == (
        views.ReplayRowView(ANNE, "slate", tuple("slate"), (A, A, C, A, C)),
        views.ReplayRowView(BEN, None, None, None),
    )
    assert "plumb" not in repr(view)


@pytest.mark.parametrize(
    ("ratings", "ranks"),
    [
        ([], []),
        ([1100, 1050, 1000], [1, 2, 3]),
        ([1100, 1100, 1000], [1, 1, 3]),
        ([1200, 1100, 1100, 1100, 900, 900], [1, 2, 2, 2, 5, 5]),
    ],
)
def test_equal_ratings_share_a_rank_and_the_next_one_is_left_out(
    ratings: list[int], ranks: list[int]
) -> None:
    """R5"""
    leaders = [
        Leader(PlayerId(str(at)), f"L {at}", rating, at) for at, rating in enumerate(ratings)
    ]

    assert views.view_leaders(leaders) == tuple(
        views.RankView(rank, one.player, one.nickname, one.rating, one.games)
        for rank, one in zip(ranks, leaders, strict=True)
    )
