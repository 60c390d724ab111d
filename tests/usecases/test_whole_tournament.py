"""A whole tournament in memory, through the use cases."""

from datetime import timedelta

from tests.usecases.table import Table
from wordle_tournament.ports import messages


def test_eight_players_play_until_one_is_left() -> None:
    """R1.4, R4, R5: solvers win, places and ratings are fixed, everybody is free again."""
    table = Table()
    clients = {client.player: client for client in table.eight()}
    somebody = next(iter(clients.values()))
    for _ in range(30):
        tournament = table.tournament(somebody)
        if tournament.over:
            break
        table.pass_time(timedelta(seconds=6))
        for duel in table.duels(somebody):
            clients[duel.player_of(1)].guess(duel.id, 1, duel.word)
    assert table.tournament(somebody).over
    ended = [
        message for message in somebody.heard() if isinstance(message, messages.TournamentEnded)
    ]
    assert len(ended) == 1
    assert sorted(standing.place or 0 for standing in ended[0].standings)[0] == 1
    for client in clients.values():
        player = client.stored()
        assert player.games == 1
        results = table.store.results(player.id, before=None, limit=10)
        assert player.rating == 1000 + sum(result.change for result in results) == results[0].rating
        assert not player.playing
