"""What happens in a game, in friendly English lines; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from wordle_tools.bots import report
from wordle_tools.client.errors import RefusedError
from wordle_tools.client.messages import (
    Duel,
    DuelEnded,
    DuelStarted,
    ErrorTold,
    Group,
    GroupLeft,
    GroupTold,
    GuessMade,
    Lobby,
    LobbyLeft,
    LobbyTold,
    Mark,
    Message,
    PlayerDisconnected,
    PlayerLeft,
    PlayerReconnected,
    ProfileTold,
    RoundEnded,
    RoundIntro,
    TournamentEnded,
    TournamentStarted,
    TurnSkipped,
    Welcome,
)
from wordle_tools.client.state import GameState

_BRACKETS: Mapping[Mark, str] = {"correct": "[{}]", "present": "({})", "absent": " {} "}


def narrate(state: GameState, message: Message) -> list[str]:
    """Tell what a message brought; `state` is the one after it."""
    teller = _TELLERS.get(type(message))
    return list(teller(state, message)) if teller else []


def explain(refusal: RefusedError) -> str:
    """Tell a player why something was refused and what to do."""
    known = _EXPLANATIONS.get(refusal.code)
    if known is None:
        return f"That did not work: {refusal.message}"
    try:
        return known.format_map(_Details(refusal.details))
    except (LookupError, TypeError, ValueError):
        return f"That did not work: {refusal.message}"


def marked(letters: tuple[str, ...], marks: tuple[Mark, ...]) -> str:
    """Write a guess so that its marks can be read without colour."""
    return "".join(
        _BRACKETS[mark].format(letter) for letter, mark in zip(letters, marks, strict=False)
    )


def name(state: GameState, player_id: str | None) -> str:
    """Give the nickname of a player of the tournament, or `you`."""
    if player_id is not None and player_id == state.me:
        return "you"
    player = state.player(player_id) if player_id else None
    return player.nickname if player else "somebody"


def hearts(lives: int) -> str:
    """Show how many of the three lives are left."""
    return "♥" * lives + "♡" * (3 - lives)


def waiting(lobby: Lobby) -> str:
    """Tell what a lobby waits for."""
    missing = lobby.seats - len(lobby.players)
    if missing == 0:
        return f"All {lobby.seats} are here: the tournament begins."
    return (
        f"Waiting for {missing} more of {lobby.seats} players "
        f"({lobby.language}, rated about {lobby.rating})."
    )


def members(group: Group) -> str:
    """Tell who is in a group and whether they are ready."""
    return ", ".join(
        member.nickname
        + (" (leads)" if member.player_id == group.leader else "")
        + ("" if member.connected else " (away)")
        + (" (playing)" if member.playing else "")
        for member in group.members
    )


class _Details(dict[str, Any]):
    """The details of a refusal, with who is not ready spelt out."""

    def __init__(self, details: Mapping[str, Any]) -> None:
        super().__init__(details)
        unready = details.get("members")
        if isinstance(unready, list):
            self["members"] = ", ".join(
                f"{one.get('nickname', 'somebody')} ({one.get('reason', 'not ready')})"
                for one in unready
                if isinstance(one, dict)
            )


_EXPLANATIONS = {
    "not_in_word_list": "That word is not in the list. Try another, the clock runs on.",
    "wrong_length": "The word has {expected} letters, yours has {got}.",
    "wrong_letters": "This language does not have all of these letters.",
    "not_your_turn": "It is not your turn yet.",
    "stale_turn": "Too late: that turn is over.",
    "deadline_passed": "Too late by {lateByMs} milliseconds.",
    "duel_over": "This duel has ended.",
    "not_started": "The duel has not begun yet.",
    "no_such_duel": "That duel is not there any more.",
    "not_your_duel": "That is a duel of others.",
    "still_playing": "You can watch the others when your own duel is over.",
    "already_playing": "You are in a game already: leave it first.",
    "not_playing": "You are not in a game.",
    "not_in_lobby": "You are not in a lobby.",
    "unknown_language": "The game is not played in that language.",
    "bad_nickname": "A name has 2 to 20 letters, digits, single spaces, - or _; no insults.",
    "player_erased": "This player has been erased.",
    "no_such_group": "There is no group with that code (any more).",
    "group_full": "That group is full.",
    "already_in_group": "You are in a group already: leave it first.",
    "not_in_group": "You are not in a group.",
    "not_leader": "Only the leader of the group can do that.",
    "members_not_ready": "Not everybody is ready: {members}.",
    "too_many_requests": "That was too fast. Wait a moment.",
    "try_again": "The server is busy. Try again.",
    "internal": "Something went wrong at the server. Try again.",
}


def _tell_welcome(state: GameState, message: Welcome) -> Iterator[str]:
    profile = message.profile
    yield f"You are {profile.nickname}, rated {profile.rating}."
    if state.tournament and state.tournament.phase != "ended":
        yield f"You are back in round {state.tournament.round} of your tournament."


def _tell_profile(_state: GameState, message: ProfileTold) -> Iterator[str]:
    yield f"You are called {message.profile.nickname} now."


def _tell_lobby(state: GameState, _message: LobbyTold) -> Iterator[str]:
    if state.lobby:
        yield waiting(state.lobby)


def _tell_lobby_left(_state: GameState, _message: LobbyLeft) -> Iterator[str]:
    yield "Your seat in the lobby was given back."


def _tell_group(_state: GameState, message: GroupTold) -> Iterator[str]:
    yield f"{report.invitation(message.group)} – {members(message.group)}"


def _tell_group_left(_state: GameState, message: GroupLeft) -> Iterator[str]:
    yield (
        "You were removed from the group." if message.reason == "removed" else "You left the group."
    )


def _tell_start(state: GameState, message: TournamentStarted) -> Iterator[str]:
    players = ", ".join(name(state, one.player_id) for one in message.tournament.players)
    yield f"The tournament begins: {players}."


def _tell_intro(state: GameState, message: RoundIntro) -> Iterator[str]:
    pairs = ", ".join(
        " – ".join(name(state, player) for player in pairing.players)
        for pairing in message.pairings
    )
    bye = f"; {name(state, message.bye)} sit{'' if message.bye == state.me else 's'} out"
    yield f"Round {message.round}: {pairs}{bye if message.bye else ''}."


def _tell_duel_started(state: GameState, message: DuelStarted) -> Iterator[str]:
    duel = message.duel
    begins = name(state, duel.players[0])
    verb = "begin" if begins == "you" else "begins"
    yield f"{_versus(state, duel)}: a word of {duel.length} letters, {begins} {verb}."


def _tell_guess(state: GameState, message: GuessMade) -> Iterator[str]:
    shown = marked(message.letters, message.marks)
    where = _place(state, message.duel_id, message.turn)
    yield f"{where} {shown} by {name(state, message.player_id)}"


def _tell_skip(state: GameState, message: TurnSkipped) -> Iterator[str]:
    who = name(state, message.player_id)
    verb = "let" if who == "you" else "lets"
    yield f"{_place(state, message.duel_id, message.turn)} {who} {verb} the turn pass"


def _tell_duel_ended(state: GameState, message: DuelEnded) -> Iterator[str]:
    duel = state.duels.get(message.duel_id)
    if duel is not None:
        yield ending(state, duel)


def ending(state: GameState, duel: Duel) -> str:
    """Tell how a duel ended."""
    if duel.ended is None:
        return ""
    word = f"The word was {duel.ended.word}."
    if duel.ended.winner is None:
        return f"{_versus(state, duel)}: nobody wins. {word}"
    winner = name(state, duel.ended.winner)
    loser = next(one for one in duel.players if one != duel.ended.winner)
    verb = "beat" if winner == "you" else "beats"
    how = ", who left" if duel.ended.outcome == "left" else ""
    return f"{winner} {verb} {name(state, loser)}{how}. {word}"


def _tell_disconnected(state: GameState, message: PlayerDisconnected) -> Iterator[str]:
    yield f"{name(state, message.player_id)} lost the connection."


def _tell_reconnected(state: GameState, message: PlayerReconnected) -> Iterator[str]:
    who = name(state, message.player_id)
    yield f"{who} {'are' if who == 'you' else 'is'} back."


def _tell_left(state: GameState, message: PlayerLeft) -> Iterator[str]:
    yield f"{name(state, message.player_id)} left."


def _tell_round_ended(state: GameState, message: RoundEnded) -> Iterator[str]:
    played = _players_of_round(state)
    still_in = [
        f"{name(state, one.player_id)} {hearts(one.lives)}"
        for one in message.standings
        if one.place is None
    ]
    yield f"Round {message.round} is over." + (f" In: {', '.join(still_in)}." if still_in else "")
    for one in message.standings:
        if one.player_id in played and one.place is not None and one.rating_change is not None:
            who = name(state, one.player_id)
            verb = "take" if who == "you" else "takes"
            yield f"{who} {verb} place {one.place} ({one.rating_change:+d}, now {one.rating})."


def _players_of_round(state: GameState) -> set[str]:
    if state.intro is None:
        return set()
    players = {player for pairing in state.intro.pairings for player in pairing.players}
    return players | {state.intro.bye} if state.intro.bye else players


def _tell_end(state: GameState, _message: TournamentEnded) -> Iterator[str]:
    if state.tournament:
        yield from report.standings(state.tournament)


def _tell_error(_state: GameState, message: ErrorTold) -> Iterator[str]:
    yield explain(RefusedError("", message.code, message.message, message.details or {}))


def _versus(state: GameState, duel: Duel) -> str:
    return " – ".join(name(state, player) for player in duel.players)


def _place(state: GameState, duel_id: str, turn: int) -> str:
    duel = state.duels.get(duel_id)
    where = _versus(state, duel) if duel else "a duel"
    return f"  {where}, turn {turn:2}:"


_TELLERS: Mapping[type[Message], Callable[[GameState, Any], Iterator[str]]] = {
    Welcome: _tell_welcome,
    ProfileTold: _tell_profile,
    LobbyTold: _tell_lobby,
    LobbyLeft: _tell_lobby_left,
    GroupTold: _tell_group,
    GroupLeft: _tell_group_left,
    TournamentStarted: _tell_start,
    RoundIntro: _tell_intro,
    DuelStarted: _tell_duel_started,
    GuessMade: _tell_guess,
    TurnSkipped: _tell_skip,
    DuelEnded: _tell_duel_ended,
    PlayerDisconnected: _tell_disconnected,
    PlayerReconnected: _tell_reconnected,
    PlayerLeft: _tell_left,
    RoundEnded: _tell_round_ended,
    TournamentEnded: _tell_end,
    ErrorTold: _tell_error,
}
