"""Groups of friends: forming one, coming and going, starting together (R8)."""

from collections.abc import Iterable
from dataclasses import replace

from wordle_tournament.ports import messages
from wordle_tournament.ports.store import Change, Delete, save
from wordle_tournament.rules import group as groups
from wordle_tournament.rules.group import Group
from wordle_tournament.rules.ids import GroupCode, PlayerId, draw_id
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.usecases.delivery import answer, deliver, letters_to
from wordle_tournament.usecases.game import Game, Sender, insist
from wordle_tournament.usecases.group_news import announce_group, view_group
from wordle_tournament.usecases.languages import require_language
from wordle_tournament.usecases.presence import attend, back_by
from wordle_tournament.usecases.seating import Seated, take_seats, tell_seated
from wordle_tournament.usecases.watching import find_watched, hide_duels, unwatching

CODE_LENGTH = 10
"""Characters of a group's code: 47 bits, too many to guess, few enough to read aloud."""


def create_group(game: Game, sender: Sender, *, language: str) -> None:
    """Form a group led by the sender (R8.1); raises Refusal."""
    require_language(language)

    def attempt() -> Group:
        founder = attend(game, sender)
        if group_of(game, founder) is not None:
            raise Refusal(Code.ALREADY_IN_GROUP, "You are already in a group.")
        group = Group(
            code=GroupCode(draw_id(game.chance, CODE_LENGTH)),
            language=language,
            leader=founder.id,
            members=(founder.id,),
        )
        game.store.commit(save(group), save(replace(founder, group=group.code), founder))
        return group

    announce_group(game, insist(game, attempt), sender)


def join_group(game: Game, sender: Sender, *, typed: str) -> None:
    """Come into the group with a code as `typed` (R8.1); a repeat is answered like the first."""
    code = groups.read_code(typed)

    def attempt() -> tuple[Group, bool]:
        guest = attend(game, sender)
        group = _without_overdue(game, game.store.group(code))
        if group is None:
            raise Refusal(Code.NO_SUCH_GROUP, "There is no group with this code.")
        if guest.group == code:
            return group, False
        if group_of(game, guest) is not None:
            raise Refusal(Code.ALREADY_IN_GROUP, "You are already in another group.")
        joined = groups.admit(group, guest.id)
        game.store.commit(save(joined, group), save(replace(guest, group=code), guest))
        return joined, True

    group, is_new = insist(game, attempt)
    if is_new:
        announce_group(game, group, sender)
    else:
        answer(game, sender, messages.GroupChanged(view_group(game, group)))


def leave_group(game: Game, sender: Sender) -> None:
    """Go out of the sender's group; raises Refusal when in none."""

    def attempt() -> tuple[GroupCode, Group | None]:
        player, group = _membership(game, sender)
        return group.code, _part(game, player, group)

    code, remaining = insist(game, attempt)
    answer(game, sender, messages.GroupLeft(code, "left"))
    if remaining is not None:
        announce_group(game, remaining)


def drop_member(game: Game, player_id: PlayerId, loss: int) -> None:
    """Take a member out who has not come back since their `loss`-th loss (R8.5)."""
    player = game.store.player(player_id)
    if player is None or player.connection is not None or player.losses != loss:
        return
    group = group_of(game, player)
    if group is None:
        return
    remaining = _part(game, player, group)
    if remaining is not None:
        announce_group(game, remaining)


def remove_member(game: Game, sender: Sender, *, member: PlayerId) -> None:
    """Take another member out, as the leader (R8.6); raises Refusal."""
    if member == sender.player:
        raise Refusal(Code.BAD_MESSAGE, "To go out of your own group, send leaveGroup.")

    def attempt() -> tuple[GroupCode, Group | None, Player]:
        _, group = _membership(game, sender)
        groups.check_leader(group, sender.player)
        removed = game.store.player(member)
        if removed is None or member not in group.members:
            raise Refusal(Code.NOT_IN_GROUP, "This player is not in your group.")
        return group.code, _part(game, removed, group), removed

    code, remaining, removed = insist(game, attempt)
    if remaining is not None:
        announce_group(game, remaining, sender)
    deliver(game, letters_to([removed], [messages.GroupLeft(code, "removed")]))


def set_group_language(game: Game, sender: Sender, *, language: str) -> None:
    """Choose the language of the next games, as the leader; raises Refusal."""
    require_language(language)

    def attempt() -> Group:
        _, group = _membership(game, sender)
        groups.check_leader(group, sender.player)
        changed = groups.choose_language(group, language)
        game.store.commit(save(changed, group))
        return changed

    announce_group(game, insist(game, attempt), sender)


def start_group(game: Game, sender: Sender) -> None:
    """Seat the whole group in one lobby, as the leader (R8.1–R8.4, R8.6); raises Refusal."""

    def attempt() -> tuple[Group, Seated]:
        _, group = _membership(game, sender)
        groups.check_leader(group, sender.player)
        members = game.store.players(group.members)
        _check_ready(members[member] for member in group.members)
        touched = groups.touch(group)
        party = [members[member] for member in group.members]
        watched = find_watched(game, party)
        together_with = [save(touched, group), *map(unwatching, watched)]
        seated = take_seats(game, party, group.language, *together_with)
        hide_duels(game, watched)
        return touched, seated

    group, seated = insist(game, attempt)
    tell_seated(game, seated, sender)
    announce_group(game, group)


def _check_ready(members: Iterable[Player]) -> None:
    """Raise Refusal, naming them, unless all are connected and free (R8.6)."""
    unready = [
        {
            "playerId": member.id,
            "nickname": member.nickname,
            "reason": "playing" if member.playing else "disconnected",
        }
        for member in members
        if member.playing or member.connection is None
    ]
    if unready:
        raise Refusal(
            Code.MEMBERS_NOT_READY,
            "Every member of the group must be connected and free.",
            {"members": unready},
        )


def _membership(game: Game, sender: Sender) -> tuple[Player, Group]:
    player = attend(game, sender)
    group = _without_overdue(game, group_of(game, player))
    if group is None:
        raise Refusal(Code.NOT_IN_GROUP, "You are not in a group.")
    return player, group


def _without_overdue(game: Game, group: Group | None) -> Group | None:
    """Let members go whose timer was lost, so that nobody waits for them for ever (R8.5)."""
    if group is None:
        return None
    now = game.clock.now()
    overdue = [
        member
        for member in game.store.players(group.members).values()
        if member.connection is None and back_by(game, member) <= now
    ]
    for member in overdue:
        drop_member(game, member.id, member.losses)
    return game.store.group(group.code) if overdue else group


def group_of(game: Game, player: Player) -> Group | None:
    """Load the group of a player; a group that has expired is none."""
    return None if player.group is None else game.store.group(player.group)


def dismissal(game: Game, player: Player, group: Group) -> tuple[Change, Group | None]:
    """The change that takes a member out of their group, and what is left of it."""
    members = game.store.players(group.members)
    connected = {member.id for member in members.values() if member.connection is not None}
    remaining = groups.dismiss(group, player.id, connected)
    return Delete(group) if remaining is None else save(remaining, group), remaining


def _part(game: Game, player: Player, group: Group) -> Group | None:
    """Take a member out of their group and tell what is left of it; raises Conflict."""
    change, remaining = dismissal(game, player, group)
    game.store.commit(change, save(replace(player, group=None), player))
    return remaining
