"""What holds of a game whenever nobody is in the middle of something."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tests.usecases.following import DuelEvent, Follower, TournamentEvent
from tests.usecases.table import MINUTE, Client, Table, spellings, texts
from wordle_tournament.ports import messages
from wordle_tournament.ports.messages import Frame, Message
from wordle_tournament.ports.store import Aggregate
from wordle_tournament.rules import views
from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.group import Group
from wordle_tournament.rules.ids import ConnectionId, PlayerId
from wordle_tournament.rules.lobby import SEATS, Room
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.rating import INITIAL_RATING
from wordle_tournament.rules.result import Result
from wordle_tournament.rules.tournament import Phase, Tournament
from wordle_tournament.rules.views import TournamentView


def check_everything(table: Table) -> None:
    """Hold players, rooms, tournaments, groups and journal against one another."""
    players = {player.id: player for player in table.store.all_of(Player)}
    check_seats(table, players)
    check_groups(table, players)
    check_ratings(table, players)


def check_seats(table: Table, players: Mapping[PlayerId, Player]) -> None:
    """R6.4: each seat is known to both sides, nobody has two, and no lobby is full or empty."""
    seated: list[PlayerId] = []
    for room in table.store.all_of(Room):
        for lobby in room.lobbies:
            assert 1 <= len(lobby.players) < SEATS
            seated += lobby.players
            for one in lobby.players:
                seat = players[one].lobby
                assert seat is not None
                assert (seat.id, seat.language) == (lobby.id, room.language)
    assert len(set(seated)) == len(seated)
    assert set(seated) == {one.id for one in players.values() if one.lobby is not None}
    still_in: list[PlayerId] = []
    for tournament in table.store.all_of(Tournament):
        assert len({entrant.player for entrant in tournament.entrants}) == SEATS
        for entrant in tournament.entrants:
            place = players[entrant.player].tournament
            is_here = place is not None and place.id == tournament.id
            if entrant.active:
                still_in.append(entrant.player)
                assert is_here
            if is_here:
                assert place is not None
                assert not entrant.left
                assert place.placed == (entrant.place is not None)
            if entrant.player in tournament.watchers:
                assert is_here
                assert not tournament.over
                own = tournament.duel_of(entrant.player)
                duel = None if own is None else table.store.duel(own)
                assert duel is None or duel.over
    assert len(set(still_in)) == len(still_in)
    assert not set(still_in) & set(seated)


def check_groups(table: Table, players: Mapping[PlayerId, Player]) -> None:
    """R8.1, R8.5: membership is known to both sides, and one of the members leads."""
    grouped: list[PlayerId] = []
    for group in table.store.all_of(Group):
        assert 1 <= len(group.members) <= SEATS
        assert group.leader in group.members
        grouped += group.members
        assert all(players[member].group == group.code for member in group.members)
    assert len(set(grouped)) == len(grouped)
    assert set(grouped) == {one.id for one in players.values() if one.group is not None}


def check_ratings(table: Table, players: Mapping[PlayerId, Player]) -> None:
    """R5.5: the journal holds each place fixed exactly once, and adds up to the rating."""
    results = table.store.all_of(Result)
    placed = {
        (entrant.player, tournament.id): (entrant.place, entrant.change, entrant.rating_after)
        for tournament in table.store.all_of(Tournament)
        for entrant in tournament.entrants
        if entrant.place is not None
    }
    assert placed == {
        (result.player, result.tournament): (result.place, result.change, result.rating)
        for result in results
    }
    for player in players.values():
        own = [result for result in results if result.player == player.id]
        started_at = table.ratings_at_start.get(player.id, INITIAL_RATING)
        assert player.rating == started_at + sum(result.change for result in own)
        assert player.games == len(own)


def check_ended(table: Table) -> None:
    """R4.1, R4.4: every tournament is over, and all eight have a place."""
    for tournament in table.store.all_of(Tournament):
        assert tournament.over
        places = sorted(entrant.place or 0 for entrant in tournament.entrants)
        assert all(places.count(place) + place - 1 <= SEATS for place in places)
        assert places[0] >= 1
    assert not any(player.tournament and player.playing for player in table.store.all_of(Player))


def play_out(table: Table) -> None:
    """Let time pass, with timers and sweep, until every tournament is over."""
    for _ in range(60):
        if all(tournament.over for tournament in table.store.all_of(Tournament)):
            break
        table.pass_time(10 * MINUTE, sweeping=True)
    check_ended(table)
    check_everything(table)


def check_followers(table: Table) -> None:
    """Whoever hears events knows everything as it is stored, with nothing missing between."""
    for client in table.clients:
        check_follower(table, client)


def check_follower(table: Table, client: Client) -> None:
    """R7.4: what a client folds is what the server shows, version by version."""
    player = table.store.player(client.player)
    if player is None or player.ear != client.connection or not table.hears(client):
        return
    follower = client.follow()
    if client.crossed:
        client.sync()
        follower = client.follow()
    if follower.doubtful:
        client.sync()
        follower = client.follow()
    assert follower.welcomed
    assert not follower.doubtful
    _check_lobby(table, player, follower)
    _check_group(table, player, follower)
    _check_tournament(table, player, follower)


def check_pushes(table: Table) -> None:
    """Check all frames from now on, to anybody, in the instant in which they are sent."""

    def witness(frames: Mapping[ConnectionId, Sequence[Frame]]) -> None:
        told = [frame for sent in frames.values() for frame in sent]
        _check_words(table, told)
        for frame in told:
            _check_stored(table, frame.message)

    table.push.witness = witness


def _check_words(table: Table, told: Sequence[Frame]) -> None:
    """R3.10: no frame holds the word of a running duel, as a word or letter by letter."""
    duels = table.store.all_of(Duel)
    known = {duel.word for duel in duels if duel.over}
    read = texts(told)
    for secret in {duel.word for duel in duels if not duel.over} - known:
        for spelling in spellings(secret):
            assert not any(spelling in text for text in read)


def _check_stored(table: Table, message: Message) -> None:
    """What is told of a tournament, a duel or a group has been committed."""
    find = table.everything().get
    stored: Aggregate | None
    match message:
        case messages.TournamentStarted(view):
            stored, version = find((Tournament, view.tournament_id)), view.version
        case messages.DuelStarted(view):
            stored, version = find((Duel, view.duel_id)), view.version
        case messages.GroupChanged(view):
            stored, version = find((Group, view.code)), view.version
            if stored is None:
                return  # It is gone since.
        case _ if isinstance(message, TournamentEvent):
            stored, version = find((Tournament, message.tournament_id)), message.version
        case _ if isinstance(message, DuelEvent):
            stored, version = find((Duel, message.duel_id)), message.version
        case _:
            return
    assert isinstance(stored, Tournament | Duel | Group)
    assert version <= stored.version


def _check_lobby(table: Table, player: Player, follower: Follower) -> None:
    if player.lobby is None:
        return
    lobby = table.store.room(player.lobby.language).lobby(player.lobby.id)
    assert lobby is not None
    known = follower.lobby
    assert known is not None
    assert (known.lobby_id, known.version, known.rating) == (lobby.id, lobby.version, lobby.rating)
    assert tuple(one.player_id for one in known.players) == lobby.players


def _check_group(table: Table, player: Player, follower: Follower) -> None:
    group = None if player.group is None else table.store.group(player.group)
    if group is None:
        assert follower.group is None
        return
    players = table.store.players(group.members)
    assert follower.group == views.view_group(group, players, table.game.invite_base_url)


def _check_tournament(table: Table, player: Player, follower: Follower) -> None:
    if player.tournament is None:
        assert follower.tournament is None
        return
    tournament = table.store.tournament(player.tournament.id)
    assert tournament is not None
    assert follower.tournament is not None
    assert _comparable(follower.tournament) == _comparable(views.view_tournament(tournament))
    seen = list(_seen(table, player, tournament))
    for event in follower.early:
        assert getattr(event, "tournament_id", None) != tournament.id
        assert getattr(event, "duel_id", None) not in {duel.id for duel in seen}
    for duel in seen:
        assert follower.duels[duel.id] == views.view_duel(duel)


def _seen(table: Table, player: Player, tournament: Tournament) -> Iterator[Duel]:
    watching = tournament.watchers.get(player.id) == player.ear
    for duel in table.store.duels(tournament.id, tournament.round):
        if duel.version > 0 and not duel.over and (watching or player.id in duel.players):
            yield duel


def _comparable(view: TournamentView) -> TournamentView:
    """Leave out what no event tells: clients see by the duels that the intro is over."""
    return replace(view, phase=Phase.ENDED, watching=None)
