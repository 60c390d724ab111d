"""`hello`: coming on a connection, back into a running game, and being shown everything (R7)."""

from dataclasses import replace
from datetime import datetime, timedelta

from wordle_tournament.ports import messages
from wordle_tournament.ports.store import save
from wordle_tournament.rules import views
from wordle_tournament.rules.languages import LANGUAGES
from wordle_tournament.rules.player import Player, Seat, TournamentSeat
from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.rules.tournament import Tournament
from wordle_tournament.usecases.delivery import answering, deliver
from wordle_tournament.usecases.game import Game, Sender, insist
from wordle_tournament.usecases.presence import attend, come_back
from wordle_tournament.usecases.snapshots import take_snapshot

PROTOCOL = 1
"""The version of the protocol that this server speaks."""

TOKEN_RENEWAL = timedelta(days=30)
"""A token older than this is renewed."""


def greet(game: Game, sender: Sender, *, protocol: int, token_issued_at: datetime) -> None:
    """Take the connection, come back to a running game and answer `welcome`; events begin.

    Each step may be repeated. Raises Refusal for another protocol, Superseded on an older
    connection.
    """
    if protocol != PROTOCOL:
        raise Refusal(
            Code.UNSUPPORTED_PROTOCOL,
            f"This server speaks version {PROTOCOL} of the protocol.",
            {"supported": [PROTOCOL]},
        )
    player = _free_from_what_is_gone(game, attend(game, sender, greeted=True))
    if player.tournament is not None:
        player, tournament = come_back(game, player, player.tournament)
        if tournament is not None:
            _show_own_duel(game, sender, tournament)
    told: list[messages.Message] = [_welcome(game, player, token_issued_at)]
    if player.lost_lobby is not None:
        if player.lobby is None or player.lobby.id != player.lost_lobby:
            told.append(messages.LobbyLeft(player.lost_lobby, "disconnected"))
        _forget_lost_lobby(game, player)
    deliver(game, [answering(sender, told)])


def _free_from_what_is_gone(game: Game, player: Player) -> Player:
    """Free a player from a lobby or tournament that exists no longer.

    Nobody could end it for them where tables were lost, or restored without the others.
    """
    if player.seat is None or _exists(game, player.seat):
        return player

    def attempt() -> Player:
        current = game.store.player(player.id) or player
        if current.seat == player.seat:
            game.store.commit(save(replace(current, seat=None), current))
        return game.store.player(player.id) or current

    return insist(game, attempt)


def _exists(game: Game, seat: Seat) -> bool:
    if isinstance(seat, TournamentSeat):
        return game.store.tournament(seat.id) is not None
    return game.store.room(seat.language).lobby(seat.id) is not None


def _forget_lost_lobby(game: Game, player: Player) -> None:
    def attempt() -> None:
        current = game.store.player(player.id)
        if current is not None:
            game.store.commit(save(replace(current, lost_lobby=None), current))

    insist(game, attempt)


def _show_own_duel(game: Game, sender: Sender, tournament: Tournament) -> None:
    own = tournament.duel_of(sender.player)
    if own is not None:
        game.store.show(own, sender.player, sender.connection)


def _welcome(game: Game, player: Player, token_issued_at: datetime) -> messages.Welcome:
    now = game.clock.now()
    issued_at = token_issued_at if now - token_issued_at <= TOKEN_RENEWAL else now
    snapshot = take_snapshot(game, player)
    return messages.Welcome(
        protocol=PROTOCOL,
        token=game.tokens.mint(player.id, issued_at),
        languages=tuple(map(views.view_language, LANGUAGES)),
        server_time=snapshot.server_time,
        profile=snapshot.profile,
        lobby=snapshot.lobby,
        group=snapshot.group,
        tournament=snapshot.tournament,
        duels=snapshot.duels,
    )
