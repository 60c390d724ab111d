"""Coming into a lobby and going out of it; a lobby that fills up is a tournament (R6, R8.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from wordle_tournament.ports import messages
from wordle_tournament.ports.messages import Message
from wordle_tournament.ports.store import Change, save
from wordle_tournament.rules import tournament as tournaments
from wordle_tournament.rules import views
from wordle_tournament.rules.ids import PlayerId, draw_tournament_id
from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.lobby import Lobby, Party, Room, Seating, seat, unseat
from wordle_tournament.rules.player import LobbySeat, Player, TournamentSeat
from wordle_tournament.rules.rating import mean_rating
from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.rules.tournament import Deal, Entrant, Tournament
from wordle_tournament.rules.watching import with_viewers
from wordle_tournament.usecases.announcing import announce_tournament
from wordle_tournament.usecases.delivery import Letter, deliver, letters_to
from wordle_tournament.usecases.game import Game, Happening, Sender
from wordle_tournament.usecases.rounds import start_clock

DRAINING = {"reason": "draining", "retryAfterMs": 60_000}
"""What a client is told that asks for a game while the stage is drained."""


@immutable
class Seated:
    """A committed change of a room: everybody it concerns, and the tournaments that began."""

    room: Room
    players: Mapping[PlayerId, Player]
    changed: Sequence[Lobby]
    started: Sequence[tuple[Lobby, Deal]]


def take_seats(
    game: Game, party: Sequence[Player], language: str, *together_with: Change
) -> Seated:
    """Seat players together (R6.3, R8.2), `together_with` other changes; raises Conflict.

    One transaction holds the room, every player whose seat changes and the tournaments begun.
    Raises Refusal while the stage is drained.
    """
    if game.draining:
        raise Refusal(Code.TRY_AGAIN, "No new games are opened for a while.", DRAINING)
    room = game.store.room(language)
    seating = seat(
        room,
        Party(
            players=tuple(player.id for player in party),
            rating=mean_rating(player.rating for player in party),
        ),
        now=game.clock.now(),
        chance=game.chance,
    )
    return _commit(game, room, seating, party, party, together_with)


def give_seat_back(
    game: Game, before: Player, after: Player, lobby: LobbySeat, *together_with: Change
) -> Seated:
    """Take a player out of a lobby, writing `after` with an empty seat (R6.5); raises Conflict.

    One transaction holds this and `together_with`, other changes. While the stage is drained
    those who are left do not start, even if they could.
    """
    room = game.store.room(lobby.language)
    seating = unseat(room, before.id, chance=game.chance, starting=not game.draining)
    return _commit(game, room, seating, [before], [replace(after, seat=None)], together_with)


def tell_seated(game: Game, seated: Seated, sender: Sender | None = None) -> None:
    """Start the clocks of the tournaments begun, then tell everybody seated."""
    for _, deal in seated.started:
        start_clock(game, deal.tournament)
    letters: list[Letter] = []
    for lobby in seated.changed:
        players = [seated.players[one] for one in lobby.players]
        waiting = [one for one in players if one.lobby is not None and one.lobby.id == lobby.id]
        letters += _letters(seated, lobby, waiting, [], sender)
    for lobby, deal in seated.started:
        players = [seated.players[one] for one in lobby.players]
        told = announce_tournament(deal.before, deal.events)
        letters += _letters(seated, lobby, players, told, sender)
    deliver(game, letters)


def show_lobby(game: Game, seat: LobbySeat) -> views.LobbyView | None:
    """Show the lobby of a seat; None when it has just filled up."""
    lobby = game.store.room(seat.language).lobby(seat.id)
    if lobby is None:
        return None
    return views.view_lobby(lobby, seat.language, game.store.players(lobby.players))


def _letters(
    seated: Seated,
    lobby: Lobby,
    players: Sequence[Player],
    events: Sequence[Message],
    sender: Sender | None,
) -> list[Letter]:
    shown = messages.LobbyChanged(views.view_lobby(lobby, seated.room.language, seated.players))
    told = [shown, *events]
    if sender is not None and sender.player not in lobby.players:
        sender = None
    return letters_to(players, told, sender)


def _commit(
    game: Game,
    room: Room,
    seating: Seating,
    movers_before: Sequence[Player],
    movers_after: Sequence[Player],
    together_with: Sequence[Change] = (),
) -> Seated:
    loaded = {player.id: player for player in movers_before}
    others = {one for lobby in seating.filled for one in lobby.players} - loaded.keys()
    before = {**game.store.players(others), **loaded}
    after = before | {player.id: player for player in movers_after}
    for lobby in seating.changed:
        taken = LobbySeat(lobby.id, room.language)
        coming = loaded.keys() & set(lobby.players)
        after |= {player: replace(after[player], seat=taken) for player in coming}
    started = [(lobby, _begin(game, lobby, room.language, before)) for lobby in seating.filled]
    for lobby, deal in started:
        taken_place = TournamentSeat(deal.tournament.id)
        after |= {player: replace(after[player], seat=taken_place) for player in lobby.players}
    changes: list[Change] = [*together_with]
    changes += [
        save(after[player], before[player]) for player in after if after[player] != before[player]
    ]
    if seating.room != room:
        changes.append(save(seating.room, room))
    for _, deal in started:
        changes += [save(deal.tournament), *map(save, deal.duels)]
    game.store.commit(*changes)
    game.happened[Happening.TOURNAMENT_STARTED] += len(started)
    # Only now: who comes on a connection later than this reads of the change in the snapshot.
    waiting = game.store.players(one for lobby in seating.changed for one in lobby.players)
    return Seated(
        room=seating.room, players={**after, **waiting}, changed=seating.changed, started=started
    )


def _begin(game: Game, lobby: Lobby, language: str, players: Mapping[PlayerId, Player]) -> Deal:
    now = game.clock.now()
    tournament = Tournament(
        id=draw_tournament_id(game.chance, now),
        language=language,
        entrants=tuple(
            Entrant(player=one, nickname=players[one].nickname, rating=players[one].rating)
            for one in lobby.players
        ),
        started_at=now,
    )
    deal = tournaments.begin(
        tournament,
        now,
        pace=game.pace,
        chance=game.chance,
        answers=lambda length: game.lexicon.answers(language, length),
    )
    return replace(deal, duels=tuple(with_viewers(duel, players) for duel in deal.duels))
