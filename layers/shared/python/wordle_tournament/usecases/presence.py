"""Which connection a player has: taking one, replacing it, losing it (R7)."""

from dataclasses import replace
from datetime import datetime

from wordle_tournament.ports import messages
from wordle_tournament.ports.messages import Frame
from wordle_tournament.ports.store import save
from wordle_tournament.rules import tournament as tournaments
from wordle_tournament.rules.ids import ConnectionId, PlayerId
from wordle_tournament.rules.nicknames import make_nickname
from wordle_tournament.rules.player import (
    Connection,
    Player,
    TournamentSeat,
    lose_connection,
    take_connection,
)
from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.rules.tournament import PlayerLeft, Tournament, TournamentEvent
from wordle_tournament.usecases.announcing import announce_tournament
from wordle_tournament.usecases.game import Game, Sender, Superseded, insist
from wordle_tournament.usecases.group_news import tell_groups
from wordle_tournament.usecases.rounds import (
    leaving,
    load_tournament,
    tell_entrants,
    tick_if_free,
)
from wordle_tournament.usecases.seating import give_seat_back, tell_seated


def attend(game: Game, sender: Sender, *, greeted: bool = False) -> Player:
    """Load the sender, new players included, and make their connection the current one.

    With `greeted` events begin. The connection it replaces is told so and closed (R7.3); raises
    Superseded when the sender's is the older one, and Refusal when the player has been erased.
    """
    arriving = Connection(sender.connection, sender.connected_at, greeted)

    def attempt() -> tuple[Player | None, Player]:
        before = game.store.player(sender.player)
        if before is not None and before.erased:
            raise Refusal(Code.PLAYER_ERASED, "This player has been erased; come without a token.")
        known = before or Player(id=sender.player, nickname=make_nickname(game.chance))
        after = take_connection(known, arriving)
        if after is None:
            raise Superseded
        if after != before:
            game.store.commit(save(after, before))
            return before, replace(after, revision=after.revision + 1)
        return before, after

    before, after = insist(game, attempt)
    if before is not None and before.connection is not None:
        _replace(game, before.connection.id, sender.connection)
    if before is not None and before.connection is None:
        tell_groups(game, [after])
        if after.tournament is not None and not greeted:
            after, _ = come_back(game, after, after.tournament)
    return after


def come_back(game: Game, player: Player, seat: TournamentSeat) -> tuple[Player, Tournament | None]:
    """Return to a tournament on a connection just taken (R7.2), and tell it and the player.

    A round that is already decided, and a grace that is over, come first. May be repeated.
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
    if tournament is not None and events:
        told = announce_tournament(tournament, events)
        current = tell_entrants(game, tournament, told, but=current.id).get(current.id, current)
        if current.tournament is None:
            tell_groups(game, [current])
        tick_if_free(game, tournament.id)
    return current, tournament


def lose(game: Game, player_id: PlayerId, connection: ConnectionId) -> None:
    """Note the loss of a player's connection; a late goodbye of an older one changes nothing.

    A seat in a lobby is given back at once (R6.5); in a tournament, and in a group, the player
    has the grace period to come back (R7.2).
    """

    def attempt() -> Player | None:
        player = game.store.player(player_id)
        after = player and lose_connection(player, connection, game.clock.now())
        if player is None or after is None:
            return None
        if player.lobby is not None:
            tell_seated(game, give_seat_back(game, player, after, player.lobby))
            after = replace(after, seat=None)
        elif player.playing:
            _lose_in_tournament(game, player, after)
        else:
            game.store.commit(save(after, player))
        return after

    lost = insist(game, attempt)
    if lost is None:
        return
    if lost.group is not None or lost.playing:
        game.timers.start_grace(lost.id, lost.losses, back_by(game, lost))
    tell_groups(game, [lost])


def back_by(game: Game, player: Player) -> datetime:
    """Tell until when a player who lost the connection may come back (R7.2)."""
    return (player.lost_at or game.clock.now()) + game.pace.grace


def drain_losses(game: Game) -> None:
    """Deal with the connections that pushes have found gone, and with those found meanwhile."""
    while game.lost:
        lose(game, *game.lost.popleft())


def _lose_in_tournament(game: Game, before: Player, after: Player) -> None:
    tournament = load_tournament(game, before)
    if tournament is None:
        game.store.commit(save(after, before))
        return
    events = tournaments.disconnect(tournament, before.id, back_by(game, after))
    lost = tournaments.apply_all(tournament, events)
    game.store.commit(save(after, before), save(lost, tournament))
    tell_entrants(game, tournament, announce_tournament(tournament, events), but=before.id)


def _replace(game: Game, older: ConnectionId, newer: ConnectionId) -> None:
    if older != newer:
        game.push.send({older: [Frame(messages.Replaced())]})
        game.push.close(older)
