"""What every store promises of the leaderboard and of duels that are over."""

from dataclasses import replace

from tests.contracts.conftest import Dynamo
from tests.contracts.examples import ANN, BOB, CAT, TOURNAMENT, a_duel, a_player
from wordle_tournament.adapters.dynamodb.players import BOARD_SHARDS, board_shard
from wordle_tournament.ports.store import Delete, Store, save
from wordle_tournament.rules.ids import PlayerId, TournamentId
from wordle_tournament.rules.leaderboard import Leader
from wordle_tournament.rules.player import Player


def rated(player: PlayerId, rating: int, games: int = 1) -> Player:
    return replace(a_player(player), rating=rating, games=games)


def test_the_leaders_come_best_first_whichever_part_they_stand_in(store: Store) -> None:
    players = [rated(PlayerId(f"p{number}"), 1000 + number * 7 % 50) for number in range(50)]
    assert {board_shard(player.id) for player in players} == set(BOARD_SHARDS)
    for player in players:
        store.commit(save(player))

    found = store.leaders(20)

    assert [leader.rating for leader in found] == list(range(1049, 1029, -1))
    assert found[0] == Leader(PlayerId("p7"), a_player().nickname, 1049, 1)
    assert len(store.leaders(100)) == 50


def test_only_who_has_finished_a_rated_game_is_on_the_board(store: Store) -> None:
    novice = a_player(BOB)
    store.commit(save(rated(ANN, 1100)))
    store.commit(save(novice))
    assert [leader.player for leader in store.leaders(10)] == [ANN]
    assert store.count_better(900) == 1

    store.commit(save(rated(BOB, 1200), replace(novice, revision=1)))

    assert [leader.player for leader in store.leaders(10)] == [BOB, ANN]
    assert store.count_better(900) == 2


def test_the_board_follows_ratings_names_and_removals(store: Store) -> None:
    store.commit(save(rated(ANN, 1100)))
    before = replace(rated(ANN, 1100), revision=1)
    after = replace(rated(ANN, 1089, games=2), nickname="Otter")

    store.commit(save(after, before))
    assert store.leaders(10) == [Leader(ANN, "Otter", 1089, 2)]

    store.commit(Delete(replace(after, revision=2)))
    assert store.leaders(10) == []
    assert store.count_better(0) == 0


def test_those_of_the_same_rating_are_not_better(store: Store) -> None:
    for player, rating in ((ANN, 1100), (BOB, 1000), (CAT, 1000)):
        store.commit(save(rated(player, rating)))

    assert [store.count_better(rating) for rating in (999, 1000, 1099, 1100)] == [3, 1, 1, 0]


def test_what_a_command_changes_of_a_player_is_not_written_to_the_board(dynamo: Dynamo) -> None:
    """Each attribute of the index costs a write of it whenever it changes."""
    player = replace(rated(ANN, 1100), revision=1)
    dynamo.store.commit(save(rated(ANN, 1100)))
    dynamo.requests.clear()

    dynamo.store.commit(save(replace(player, losses=1), player))

    (request,) = dynamo.requests
    written = set(request.arguments["ExpressionAttributeNames"].values())
    assert written.isdisjoint({"board_shard", "rating", "games", "nickname"})


def test_the_duels_that_a_player_has_played_come_in_their_order(store: Store) -> None:
    played = [
        replace(a_duel(round_number=number, number=number % 4), players=(ANN, BOB))
        for number in (10, 2, 1, 12)
    ]
    others = replace(a_duel(round_number=2, number=3), players=(BOB, CAT))
    elsewhere = replace(a_duel(TournamentId("t2")), players=(ANN, BOB))
    for duel in (*played, others, elsewhere):
        store.commit(save(duel))

    assert [duel.round for duel in store.played(TOURNAMENT, ANN)] == [1, 2, 10, 12]
    assert [duel.round for duel in store.played(TOURNAMENT, BOB)] == [1, 2, 2, 10, 12]
    assert store.played(TournamentId("t3"), ANN) == []
