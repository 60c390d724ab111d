"""`hello`: coming on a connection, back into a running game, and being shown everything (R7)."""

from dataclasses import replace
from datetime import datetime, timedelta

from wordle_tournament.ports import messages
from wordle_tournament.ports.store import save
from wordle_tournament.rules import tournament as tournaments
from wordle_tournament.rules import views
from wordle_tournament.rules.languages import LANGUAGES
from wordle_tournament.rules.player import Player, TournamentSeat
from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.rules.tournament import PlayerLeft, Tournament, TournamentEvent
from wordle_tournament.usecases.announcing import announce_tournament
from wordle_tournament.usecases.delivery import answering, deliver
from wordle_tournament.usecases.game import Game, Sender, insist
from wordle_tournament.usecases.group_news import tell_groups
from wordle_tournament.usecases.presence import attend
from wordle_tournament.usecases.rounds import (
    leaving,
    load_tournament,
    tell_entrants,
    tick_if_free,
)
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
    player = attend(game, sender, greeted=True)
    if player.tournament is not None:
        player = _come_back(game, sender, player, player.tournament)
    told: list[messages.Message] = [_welcome(game, player, token_issued_at)]
    if player.lost_lobby is not None:
        if player.lobby is None or player.lobby.id != player.lost_lobby:
            told.append(messages.LobbyLeft(player.lost_lobby, "disconnected"))
        _forget_lost_lobby(game, player)
    deliver(game, [answering(sender, told)])


def _forget_lost_lobby(game: Game, player: Player) -> None:
    def attempt() -> None:
        current = game.store.player(player.id)
        if current is not None:
            game.store.commit(save(replace(current, lost_lobby=None), current))

    insist(game, attempt)


def _come_back(game: Game, sender: Sender, player: Player, seat: TournamentSeat) -> Player:
    """Return to a tournament: everything missed is in the snapshot, what follows is heard.

    A round that is already decided, and a grace that is over, come first.
    """
    tick_if_free(game, seat.id)

    def attempt() -> tuple[Player, Tournament | None, list[TournamentEvent]]:
        current = game.store.player(player.id) or player
        tournament = load_tournament(game, current)
        if tournament is None:
            return current, None, []
        events = tournaments.reconnect(tournament, current.id, game.clock.now())
        if events:
            too_late = any(isinstance(event, PlayerLeft) for event in events)
            game.store.commit(
                save(tournaments.apply_all(tournament, events), tournament),
                *(leaving(current, tournament.id) if too_late else []),
            )
        return current, tournament, events

    current, tournament, events = insist(game, attempt)
    if tournament is None:
        return current
    own = tournament.duel_of(current.id)
    if own is not None:
        game.store.show(own, current.id, sender.connection)
    if events:
        told = announce_tournament(tournament, events)
        current = tell_entrants(game, tournament, told, but=current.id).get(current.id, current)
        if current.tournament is None:
            tell_groups(game, [current])
        tick_if_free(game, tournament.id)
    return current


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
