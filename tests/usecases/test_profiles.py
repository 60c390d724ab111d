"""Names, history and the leaderboard, as players ask for them."""

from datetime import timedelta

import pytest

from tests.usecases.table import Client, Table, code_of
from wordle_tournament.ports import messages
from wordle_tournament.ports.store import save
from wordle_tournament.rules.duel import Outcome
from wordle_tournament.rules.ids import PlayerId, TournamentId
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.result import Result
from wordle_tournament.usecases.grouping import create_group, join_group
from wordle_tournament.usecases.profiles import HEAVIEST_PAGE, rename, show_history
from wordle_tournament.usecases.ranking import show_leaderboard


def name(client: Client, nickname: str) -> None:
    client.do(lambda game, sender: rename(game, sender, nickname=nickname))


def history(
    client: Client, before: TournamentId | None = None, limit: int = 20
) -> messages.History:
    client.do(lambda game, sender: show_history(game, sender, before=before, limit=limit))
    return client.answer(messages.History)


def leaderboard(client: Client, limit: int = 100) -> messages.Leaderboard:
    client.do(lambda game, sender: show_leaderboard(game, sender, limit=limit))
    return client.answer(messages.Leaderboard)


def play_out(table: Table, clients: list[Client]) -> None:
    """Let whoever begins a duel solve it, until the tournament is over."""
    by_player = {client.player: client for client in clients}
    tournament = table.tournament(clients[0])
    while not tournament.over:
        table.pass_time(timedelta(seconds=6))
        for duel in table.store.duels(tournament.id, tournament.round):
            if not duel.over:
                by_player[duel.players[0]].guess(duel.id, 1, duel.word)
        tournament = table.tournament(clients[0])


def enter(table: Table, player: str, rating: int, games: int = 1) -> None:
    table.store.commit(save(Player(PlayerId(player), player, rating=rating, games=games)))


def test_a_nickname_is_kept_in_its_normal_form() -> None:
    """R10.2."""
    ann = Table().client("ann")

    name(ann, " Zoe\u0308 ")

    assert ann.stored().nickname == ann.answer(messages.Profile).profile.nickname == "Zoë"


@pytest.mark.parametrize("nickname", ["x", "Otter\u200b7", "\u202eretto", "Аnn", "great Oaf"])
def test_a_nickname_that_breaks_the_rules_or_insults_is_refused(nickname: str) -> None:
    """R10.2: too short, invisible, reversed, of two scripts, an insult."""
    ann = Table().client("ann")
    before = ann.stored()

    assert code_of(lambda: name(ann, nickname)) == "bad_nickname"
    assert ann.stored() == before


def test_a_lobby_shows_the_new_name_with_its_next_event() -> None:
    table = Table()
    ann, bob = table.client("ann"), table.client("bob")
    ann.join()
    name(ann, "Otter")
    ann.take()

    bob.join()

    (lobby,) = [one.lobby for one in ann.take() if isinstance(one, messages.LobbyChanged)]
    assert lobby.players[0].nickname == "Otter"


def test_a_group_hears_of_the_new_name_at_once() -> None:
    table = Table()
    ann, bob = table.client("ann"), table.client("bob")
    ann.do(lambda game, sender: create_group(game, sender, language="en"))
    code = ann.answer(messages.GroupChanged).group.code
    bob.do(lambda game, sender: join_group(game, sender, typed=code))
    bob.take()

    name(ann, "Otter")

    (group,) = [one.group for one in bob.take() if isinstance(one, messages.GroupChanged)]
    assert group.members[0].nickname == "Otter"


def test_a_tournament_keeps_the_names_it_began_with_and_the_next_one_has_the_new_ones() -> None:
    table = Table()
    clients = table.eight()
    name(clients[0], "Otter")
    assert clients[0].hello().tournament is not None
    shown = clients[0].answer(messages.Welcome).tournament
    assert shown is not None
    assert "Otter" not in {player.nickname for player in shown.players}

    for client in clients:
        client.leave()
    for client in clients:
        client.join()

    assert "Otter" in {entrant.nickname for entrant in table.tournament(clients[0]).entrants}


def test_history_tells_each_duel_turn_by_turn() -> None:
    table = Table()
    clients = table.eight()
    play_out(table, clients)

    for client in clients:
        (game,) = history(client).games
        assert [duel.round for duel in game.duels] == sorted({duel.round for duel in game.duels})
        assert all(client.player in duel.players for duel in game.duels)
        for duel in game.duels:
            assert duel.outcome is Outcome.SOLVED
            assert duel.winner == duel.players[0]
            (row,) = duel.rows
            assert (row.player_id, row.word) == (duel.winner, duel.word)
        lost = sum(duel.winner != client.player for duel in game.duels)
        assert (lost == 3) == (game.place != 1)


def test_history_has_no_duels_of_a_tournament_that_are_kept_no_longer() -> None:
    table = Table()
    ann = table.client("ann")
    journal(table, 1)

    (game,) = history(ann).games

    assert (game.rating_change, game.duels) == (1, ())


def journal(table: Table, number: int) -> None:
    """Enter a tournament of the past for Ann."""
    result = Result(
        player=PlayerId("ann"),
        tournament=TournamentId(f"t{number:03d}"),
        placed_at=table.clock.now(),
        language="en",
        rounds=9,
        place=4,
        change=1,
        rating=1000 + number,
    )
    table.store.commit(save(result))


def test_pages_of_history_stay_as_they_are_while_new_games_arrive() -> None:
    table = Table()
    ann = table.client("ann")
    for number in range(10):
        journal(table, number)

    first = history(ann, limit=4)
    journal(table, 10)
    journal(table, 11)
    second = history(ann, TournamentId(first.before or ""), limit=4)
    third = history(ann, TournamentId(second.before or ""), limit=4)

    pages = [[game.tournament_id for game in page.games] for page in (first, second, third)]
    assert pages == [
        ["t009", "t008", "t007", "t006"],
        ["t005", "t004", "t003", "t002"],
        ["t001", "t000"],
    ]
    assert third.before is None


def test_a_page_of_history_holds_no_more_than_fits_into_a_frame() -> None:
    """What does not fit comes with the next page: nothing is left out, nothing comes twice."""
    table = Table()
    clients = table.eight()
    for number in range(40):
        for client in clients if number else ():
            client.leave()
        for client in clients if number else ():
            client.join()
        play_out(table, clients)

    shown: list[TournamentId] = []
    pages = 0
    before = None
    while pages == 0 or before is not None:
        page = history(clients[0], before, limit=50)
        assert sum(game.weight for game in page.games) <= HEAVIEST_PAGE
        shown += [game.tournament_id for game in page.games]
        before = None if page.before is None else TournamentId(page.before)
        pages += 1

    results = table.store.results(clients[0].player, before=None, limit=50)
    assert shown == [result.tournament for result in results]
    assert len(shown) == 40
    assert pages > 1


def test_the_leaderboard_is_right_as_soon_as_a_tournament_has_ended() -> None:
    """Only players with a rated game have a rank."""
    table = Table()
    stranger = table.client("stranger")
    clients = table.eight()
    play_out(table, clients)

    board = leaderboard(stranger)

    assert board.you is None
    assert {one.player_id for one in board.players} == {client.player for client in clients}
    assert [one.rating for one in board.players] == sorted(
        (client.stored().rating for client in clients), reverse=True
    )
    assert {one.games for one in board.players} == {1}
    for client in clients:
        assert leaderboard(client).you in board.players


def test_equal_ratings_share_a_rank() -> None:
    table = Table()
    ann = table.client("ann")
    for player, rating in (("a", 1100), ("b", 1100), ("c", 1050), ("d", 1050), ("e", 900)):
        enter(table, player, rating)

    board = leaderboard(ann)

    assert [(one.rank, one.rating) for one in board.players] == [
        (1, 1100),
        (1, 1100),
        (3, 1050),
        (3, 1050),
        (5, 900),
    ]


def test_who_is_not_among_those_shown_is_told_their_rank_too() -> None:
    table = Table()
    for number in range(5):
        enter(table, f"p{number}", 1100 - 10 * (number // 2))
    enter(table, "novice", 2000, games=0)

    board = leaderboard(Client(table, PlayerId("p4")), limit=2)

    assert [one.player_id for one in board.players] == ["p0", "p1"]
    assert board.you is not None
    assert (board.you.rank, board.you.rating, board.you.nickname) == (5, 1080, "p4")
