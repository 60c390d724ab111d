"""A player who is erased: nothing is left but the id, and everybody else plays on."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.usecases.table import Client, Table, code_of
from tests.usecases.test_profiles import history, leaderboard, play_out
from wordle_tournament.ports import messages
from wordle_tournament.ports.store import Change, Delete
from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.rules.player import ERASED_NICKNAME, Player
from wordle_tournament.usecases.erasing import erase_player
from wordle_tournament.usecases.grouping import create_group, join_group
from wordle_tournament.usecases.records import find_record, find_tournaments
from wordle_tournament.usecases.watching import watch


def erase(table: Table, client: Client) -> None:
    assert erase_player(table.game, client.player)


def nothing_but_the_id(client: Client) -> bool:
    player = client.stored()
    blank = Player(client.player, ERASED_NICKNAME, erased=True, revision=player.revision)
    return player == blank and find_results(client) == ()


def find_results(client: Client) -> tuple[object, ...]:
    record = find_record(client.table.game, client.player)
    assert record is not None
    return record.results


def names_of(table: Table, client: Client) -> set[str]:
    """What the client is called in the tournaments that know them."""
    return {
        tournament.entrant(client.player).nickname
        for tournament in find_tournaments(table.game, client.player)
    }


def test_nobody_is_erased_who_does_not_exist() -> None:
    assert not erase_player(Table().game, PlayerId("nobody"))


def test_an_erased_player_is_refused_whatever_they_ask_for() -> None:
    """The token is still signed: it names nobody any more, and makes no new player."""
    table = Table()
    ann = table.client("ann")

    erase(table, ann)

    assert nothing_but_the_id(ann)
    assert ann.connection in table.push.closed
    ann.connect()
    assert code_of(ann.hello) == "player_erased"
    assert code_of(ann.join) == "player_erased"
    assert code_of(ann.leave) == "player_erased"
    assert nothing_but_the_id(ann)
    assert history(ann).games == ()
    assert leaderboard(ann).you is None


def test_an_erased_player_has_left_the_lobby() -> None:
    """R6.5."""
    table = Table()
    ann, bob = table.client("ann"), table.client("bob")
    ann.join()
    bob.join()
    bob.take()

    erase(table, ann)

    (lobby,) = [one.lobby for one in bob.take() if isinstance(one, messages.LobbyChanged)]
    assert [player.player_id for player in lobby.players] == [bob.player]
    assert nothing_but_the_id(ann)


def test_an_erased_player_has_left_the_group_and_another_leads_it() -> None:
    """R8.5."""
    table = Table()
    ann, bob = table.client("ann"), table.client("bob")
    ann.do(lambda game, sender: create_group(game, sender, language="en"))
    code = ann.answer(messages.GroupChanged).group.code
    bob.do(lambda game, sender: join_group(game, sender, typed=code))
    bob.take()

    erase(table, ann)

    (group,) = [one.group for one in bob.take() if isinstance(one, messages.GroupChanged)]
    assert (group.leader, [member.player_id for member in group.members]) == (
        bob.player,
        [bob.player],
    )
    assert nothing_but_the_id(ann)
    erase(table, bob)
    assert table.store.group(code) is None


def test_an_erased_player_counts_as_having_left_the_tournament() -> None:
    """R4.2: the opponent wins the running duel, the place is the last one."""
    table = Table()
    clients = table.eight()
    ann, others = clients[0], clients[1:]
    table.pass_time(timedelta(seconds=6))
    opponent = table.duel(ann).opponent_of(ann.player)
    tournament_id = table.tournament(ann).id

    erase(table, ann)

    heard = [message for client in others for message in client.heard()]
    assert sum(isinstance(message, messages.PlayerLeft) for message in heard) == len(others)
    tournament = table.store.tournament(tournament_id)
    assert tournament is not None
    assert tournament.entrant(ann.player).nickname == ERASED_NICKNAME
    ended = next(duel for duel in table.duels(others[0]) if ann.player in duel.players)
    assert ended.ending is not None
    assert ended.ending.winner == opponent

    play_out(table, others)
    for client in others:
        (final,) = [one for one in client.heard() if isinstance(one, messages.TournamentEnded)]
        places = {standing.player_id: standing.place for standing in final.standings}
        assert places[ann.player] == 8
        assert all(standing.rating is not None for standing in final.standings)
        assert client.stored().games == 1
    assert nothing_but_the_id(ann)


def test_a_result_that_was_decided_before_is_told_to_the_others() -> None:
    """R4: the winner of the last duel who is erased right after it has won."""
    table = Table()
    clients = table.eight()
    ann, bob = clients[:2]
    for client in clients[2:]:
        client.leave()
    table.pass_time(timedelta(seconds=6))
    while not table.tournament(bob).over:
        duel = table.duel(bob)
        if duel.players[0] != bob.player:
            break
        bob.guess(duel.id, 1, duel.word)
        table.pass_time(timedelta(seconds=6))
    tournament_id = table.tournament(bob).id

    erase(table, ann)

    tournament = table.store.tournament(tournament_id)
    assert tournament is not None
    assert tournament.over
    assert tournament.entrant(bob.player).place == 1
    assert nothing_but_the_id(ann)


def test_who_has_left_a_tournament_that_runs_on_is_forgotten_there_too() -> None:
    """Neither seat nor journal leads there: the place is not fixed yet (R4.1)."""
    table = Table()
    clients = table.eight()
    ann, others = clients[0], clients[1:]
    table.pass_time(timedelta(seconds=6))
    ann.leave()
    assert ann.stored().seat is None
    assert table.store.results(ann.player, before=None, limit=1) == []

    erase(table, ann)

    assert names_of(table, ann) == {ERASED_NICKNAME}
    play_out(table, others)
    assert nothing_but_the_id(ann)


def test_finished_tournaments_of_others_keep_everything_but_the_name() -> None:
    table = Table()
    clients = table.eight()
    ann, others = clients[0], clients[1:]
    play_out(table, clients)
    before = table.tournament(ann)
    results = [table.store.results(one.player, before=None, limit=5) for one in others]

    erase(table, ann)

    after = table.tournament(others[0])
    entrant = replace(before.entrant(ann.player), nickname=ERASED_NICKNAME)
    assert after.entrant(ann.player) == entrant
    assert [one for one in after.entrants if one != entrant] == [
        one for one in before.entrants if one.player != ann.player
    ]
    assert [table.store.results(one.player, before=None, limit=5) for one in others] == results
    assert ann.player not in {one.player_id for one in leaderboard(others[0]).players}
    assert nothing_but_the_id(ann)


def test_an_erased_spectator_is_shown_nothing_more() -> None:
    table = Table()
    clients = table.eight()
    ann = clients[0]
    table.pass_time(timedelta(seconds=6))
    own = table.duel(ann)
    solver = next(client for client in clients if client.player == own.players[0])
    solver.guess(own.id, 1, own.word)
    ann.do(watch)
    tournament_id = table.tournament(ann).id

    erase(table, ann)

    tournament = table.store.tournament(tournament_id)
    assert tournament is not None
    assert ann.player not in tournament.watchers
    running = table.store.duels(tournament_id, tournament.round)
    assert all(ann.player not in duel.viewers for duel in running if ann.player not in duel.players)


class CrashError(Exception):
    """The operator's machine goes down."""


@pytest.mark.parametrize("writes", range(4))
def test_an_erasure_that_was_cut_off_is_finished_by_the_next(writes: int) -> None:
    table = Table()
    clients = table.eight()
    ann = clients[0]
    play_out(table, clients)
    for client in clients:
        client.leave()
    for client in clients:
        client.join()
    table.pass_time(timedelta(seconds=6))
    left = writes

    def crash(_changes: tuple[Change, ...]) -> None:
        nonlocal left
        if left == 0:
            raise CrashError
        left -= 1

    table.store.before_commit = crash
    with pytest.raises(CrashError):
        erase(table, ann)
    table.store.before_commit = None

    erase(table, ann)
    erase(table, ann)

    assert nothing_but_the_id(ann)
    assert ERASED_NICKNAME in names_of(table, ann)
    assert len(names_of(table, ann)) == 1


def test_a_tournament_that_is_settled_meanwhile_gives_an_erased_player_no_rating() -> None:
    """The rating changes with the revision that was read, or not at all (R5.5)."""
    table = Table()
    clients = table.eight()
    ann = clients[0]
    table.pass_time(timedelta(seconds=6))
    ann.leave()

    def erase_first(changes: tuple[Change, ...]) -> None:
        rated = [one.after for one in changes if not isinstance(one, Delete)]
        if any(isinstance(one, Player) and one.id == ann.player for one in rated):
            table.store.before_commit = None
            erase(table, ann)

    table.store.before_commit = erase_first
    play_out(table, clients[1:])

    assert table.store.before_commit is None
    assert nothing_but_the_id(ann)


def test_a_player_whose_item_is_gone_keeps_a_place_and_nobody_waits_for_them() -> None:
    """Items expire; what the others are told is whole all the same (R4, R5)."""
    table = Table()
    clients = table.eight()
    ann, others = clients[0], clients[1:]
    table.pass_time(timedelta(seconds=6))
    ann.leave()
    table.store.commit(Delete(ann.stored()))

    play_out(table, others)

    (final,) = [one for one in others[0].heard() if isinstance(one, messages.TournamentEnded)]
    gone = next(one for one in final.standings if one.player_id == ann.player)
    assert gone.place == 8
    assert gone.rating_change is not None
    assert gone.rating == 1000 + gone.rating_change
    assert table.store.player(ann.player) is None
    assert table.store.results(ann.player, before=None, limit=1) == []
    assert {client.stored().games for client in others} == {1}


def test_a_record_holds_everything_and_no_word_of_a_running_duel() -> None:
    table = Table()
    clients = table.eight()
    ann = clients[0]
    play_out(table, clients)
    finished = table.tournament(ann)
    for client in clients:
        client.leave()
    for client in clients:
        client.join()
    table.pass_time(timedelta(seconds=6))
    running = table.tournament(ann)

    record = find_record(table.game, ann.player)

    assert record is not None
    assert record.player == ann.stored()
    assert [result.tournament for result in record.results] == [finished.id]
    entries = {entry.tournament: entry for entry in record.entries}
    assert entries.keys() == {finished.id, running.id}
    assert entries[finished.id].entrant == finished.entrant(ann.player)
    assert all(duel.ended is not None for duel in entries[finished.id].duels)
    (duel,) = entries[running.id].duels
    assert duel.ended is None
    assert table.duel(ann).word not in repr(record)


def test_of_a_stranger_there_is_no_record() -> None:
    assert find_record(Table().game, PlayerId("nobody")) is None
