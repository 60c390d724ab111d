"""What an entered line means in a state of the game; pure."""

from __future__ import annotations

from dataclasses import dataclass

from wordle_tools.client.state import GameState
from wordle_tournament.rules.languages import LANGUAGES, canonical

COMMANDS = "/leave, /start (your group), /name NICKNAME, /quit"


@dataclass(frozen=True, slots=True)
class Guess:
    """Play a turn."""

    duel_id: str
    turn: int
    word: str


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """Look for the next game."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the lobby or the tournament."""


@dataclass(frozen=True, slots=True)
class StartGroup:
    """Take the group into a lobby."""


@dataclass(frozen=True, slots=True)
class Rename:
    """Take another nickname."""

    nickname: str


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave and end."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Nothing to do but to tell the player something."""

    text: str


Wish = Guess | PlayAgain | Leave | StartGroup | Rename | Quit | Hint


def understand(state: GameState, line: str) -> Wish:
    """Find out what a player wants by an entered line."""
    if line.startswith("/"):
        return _command(line)
    if not line:
        return PlayAgain() if can_play_again(state) else Hint("")
    duel = state.my_duel
    if duel is None or duel.ended is not None or duel.deadline is None or duel.turn is None:
        return Hint("There is no turn to play now.")
    if not state.my_turn:
        return Hint("It is not your turn yet.")
    word = canonical(LANGUAGES[duel.language], line)
    if word is None:
        return Hint("This language does not have all of these letters.")
    if len(word) != duel.length:
        return Hint(f"The word has {duel.length} letters, yours has {len(word)}.")
    return Guess(duel.duel_id, duel.turn, line)


def can_play_again(state: GameState) -> bool:
    """Whether nothing keeps a player from another game; a group's first one is begun by /start."""
    if state.lobby is not None or (state.group is not None and state.tournament is None):
        return False
    return state.tournament is None or state.tournament.phase == "ended" or not state.still_in


def _command(line: str) -> Wish:
    command, _, rest = line.partition(" ")
    match command:
        case "/leave":
            return Leave()
        case "/start":
            return StartGroup()
        case "/name":
            return Rename(rest.strip())
        case "/quit":
            return Quit()
        case _:
            return Hint(f"Commands: {COMMANDS}")
