"""Telling a group that something about one of its members has changed (R8.4)."""

from collections.abc import Iterable

from wordle_tournament.ports import messages
from wordle_tournament.ports.store import Conflict, save
from wordle_tournament.rules import views
from wordle_tournament.rules.group import Group, touch
from wordle_tournament.rules.ids import GroupCode
from wordle_tournament.rules.player import Player
from wordle_tournament.usecases.delivery import deliver, letters_to
from wordle_tournament.usecases.game import Game, Sender


def tell_groups(game: Game, players: Iterable[Player]) -> None:
    """Tell the groups of `players` how their members now are."""
    for code in {player.group for player in players if player.group is not None}:
        _tell_group(game, code)


def show_group(game: Game, code: GroupCode) -> views.GroupView | None:
    """Show a group as it is; None when it is gone."""
    group = game.store.group(code)
    return None if group is None else view_group(game, group)


def view_group(game: Game, group: Group) -> views.GroupView:
    """View a group with its members as they are."""
    return views.view_group(group, game.store.players(group.members), game.invite_base_url)


def announce_group(game: Game, group: Group, sender: Sender | None = None) -> None:
    """Tell all members of a committed group, the sender as the direct answer."""
    players = game.store.players(group.members)
    told = [messages.GroupChanged(views.view_group(group, players, game.invite_base_url))]
    present = [player for player in players.values() if player.group == group.code]
    deliver(game, letters_to(present, told, sender))


def _tell_group(game: Game, code: GroupCode) -> None:
    group = game.store.group(code)
    if group is None:
        return
    touched = touch(group)
    try:
        game.store.commit(save(touched, group))
    except Conflict:
        return  # Whoever won tells the group now, and has the same members to tell of.
    announce_group(game, touched)
