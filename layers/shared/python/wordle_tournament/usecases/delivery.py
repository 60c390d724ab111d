"""Sending frames to players, after what they tell has been committed."""

from collections.abc import Iterable, Sequence

from wordle_tournament.ports.messages import Frame, Message
from wordle_tournament.rules.duel import Duel
from wordle_tournament.rules.ids import ConnectionId, PlayerId
from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.player import Player
from wordle_tournament.usecases.game import Game, Sender


@immutable
class Letter:
    """Frames for one player on one connection, in their order."""

    player: PlayerId
    connection: ConnectionId
    frames: tuple[Frame, ...]


def answer(game: Game, sender: Sender, message: Message) -> None:
    """Send the direct answer to the sender alone."""
    frame = Frame(message, sender.request_id)
    deliver(game, [Letter(sender.player, sender.connection, (frame,))])


def reply(game: Game, sender: Sender, message: Message) -> None:
    """Send the sender an answer to what changed nothing, without a look at whether it arrives."""
    game.push.send({sender.connection: [Frame(message, sender.request_id)]})


def letters_to(
    players: Iterable[Player], messages: Sequence[Message], sender: Sender | None = None
) -> list[Letter]:
    """Address events to those of `players` who hear events.

    The first message is the direct answer to the `sender`, who gets all of them on the
    connection that asked, too, if that is not the one where events are heard.
    """
    letters = [
        Letter(player.id, player.ear, tuple(map(Frame, messages)))
        for player in players
        if player.ear is not None and (sender is None or player.ear != sender.connection)
    ]
    return letters if sender is None else [*letters, answering(sender, messages)]


def letters_to_viewers(
    duel: Duel, messages: Sequence[Message], sender: Sender | None = None
) -> list[Letter]:
    """Address events to everybody who sees a duel, and to the sender as `letters_to` does."""
    letters = [
        Letter(viewer, connection, tuple(map(Frame, messages)))
        for viewer, connection in duel.viewers.items()
        if sender is None or connection != sender.connection
    ]
    return letters if sender is None else [*letters, answering(sender, messages)]


def answering(sender: Sender, messages: Sequence[Message]) -> Letter:
    """Address events to the sender, the first of them as the direct answer."""
    first, *rest = messages
    frames = (Frame(first, sender.request_id), *map(Frame, rest))
    return Letter(sender.player, sender.connection, frames)


def deliver(game: Game, letters: Sequence[Letter]) -> None:
    """Send all letters at once; a player who is gone is sent theirs where they are now.

    A connection that is gone and still the player's current one is a loss (R7.2).
    """
    for letter in _undelivered(game, letters):
        player = game.store.player(letter.player)
        if player is None or player.connection is None:
            continue
        if player.connection.id == letter.connection:
            game.lost.append((player.id, letter.connection))
        elif player.ear is not None:
            _resend(game, letters, letter, player.ear)


def deliver_duel(game: Game, duel: Duel, letters: Sequence[Letter]) -> None:
    """Send events of a duel as `deliver` does, and mend its viewers where one was gone.

    A player of the duel goes on seeing it on the new connection; watching ends with the old one.
    """
    for letter in _undelivered(game, letters):
        player = game.store.player(letter.player)
        current = None if player is None or player.connection is None else player.connection
        if current is not None and current.id == letter.connection:
            game.lost.append((letter.player, letter.connection))
        elif letter.player not in duel.players:
            _stop_showing(game, duel, letter)
        elif player is not None and player.ear is not None:
            game.store.show(duel.id, letter.player, player.ear)
            _resend(game, letters, letter, player.ear)


def _stop_showing(game: Game, duel: Duel, letter: Letter) -> None:
    """Let a watcher whose connection is gone see a duel no longer, unless they watch anew."""
    game.store.show(duel.id, letter.player, None)
    tournament = game.store.tournament(duel.tournament)
    watched_at = tournament and tournament.watchers.get(letter.player)
    if watched_at and watched_at != letter.connection:
        game.store.show(duel.id, letter.player, watched_at)


def _undelivered(game: Game, letters: Sequence[Letter]) -> list[Letter]:
    frames: dict[ConnectionId, tuple[Frame, ...]] = {}
    for letter in letters:
        frames[letter.connection] = (*frames.get(letter.connection, ()), *letter.frames)
    gone = game.push.send(frames) if frames else frozenset()
    return [letter for letter in letters if letter.connection in gone]


def _resend(
    game: Game, letters: Sequence[Letter], letter: Letter, connection: ConnectionId
) -> None:
    """Send a letter where its player is now, unless one of `letters` went there anyway.

    A second connection gone meanwhile is a loss, or tells itself.
    """
    if any(one.connection == connection for one in letters):
        return
    if connection in game.push.send({connection: letter.frames}):
        game.lost.append((letter.player, connection))
