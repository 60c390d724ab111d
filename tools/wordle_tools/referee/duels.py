"""Is one duel right? Its events replayed in order of version (R3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from wordle_tools.client.messages import (
    Duel,
    DuelEnded,
    DuelEvent,
    GuessMade,
    Next,
    Row,
    TurnSkipped,
)
from wordle_tools.referee import oracle
from wordle_tools.referee.evidence import Breach, DuelFile

TURNS = 12
LENGTHS = (4, 5, 6)

Allows = Callable[[str, str], bool]
"""Whether a language allows a word, as told, as a guess."""


@dataclass(slots=True)
class _Board:
    """A duel as far as it has been replayed."""

    duel: Duel
    breaches: list[Breach] = field(default_factory=list)
    ending: DuelEnded | None = None

    def check(self, holds: bool, rule: str, what: str) -> None:
        if not holds:
            self.breaches.append(Breach(rule, f"duel {self.duel.duel_id}: {what}"))

    @property
    def turn(self) -> int:
        return len(self.duel.rows) + 1

    @property
    def solved(self) -> bool:
        last = self.duel.rows[-1] if self.duel.rows else None
        return last is not None and _is_solution(last)


def judge_duel(file: DuelFile, allows: Allows | None = None) -> list[Breach]:
    """Find what is wrong with a duel; one that nobody saw from the start tells too little."""
    if file.started is None:
        return []
    board = _Board(file.started)
    _check_start(board)
    _compare(board, file)
    version = file.started.version
    while (event := file.events.get(version + 1)) is not None:
        version += 1
        _replay(board, event)
        _compare(board, file)
    later = [one for one in file.events if one > version]
    board.check(not later, "versions", f"nobody heard version {version + 1}")
    if board.ending is not None:
        _check_ending(board, board.ending, allows)
    return board.breaches


def _check_start(board: _Board) -> None:
    duel = board.duel
    board.check(len(set(duel.players)) == 2, "R3.1", "does not have two players")
    board.check(duel.length in LENGTHS, "R9.2", f"a word of {duel.length} letters")
    board.check(duel.rows == () and duel.turn == 1, "R3.1", "does not start with turn 1")
    board.check(duel.player_id == duel.players[0], "R3.1", "the first of the players is not first")
    board.check(duel.deadline is not None, "R3.2", "the first turn has no deadline")
    board.check(duel.ended is None, "R3.10", "has ended when it starts")


def _replay(board: _Board, event: DuelEvent) -> None:
    if board.ending is not None:
        board.check(False, "R3.4", f"{event.type} after its end")
        return
    if isinstance(event, DuelEnded):
        board.ending = event
        board.duel = board.duel.model_copy(update={"version": event.version})
        return
    board.check(not board.solved, "R3.4", f"{event.type} after it was solved")
    if not isinstance(event, GuessMade | TurnSkipped):
        return
    _check_turn(board, event)
    row = Row(turn=event.turn, player_id=event.player_id, skipped=True)
    if isinstance(event, GuessMade):
        _check_guess(board, event)
        row = Row(
            turn=event.turn,
            player_id=event.player_id,
            skipped=False,
            word=event.word,
            letters=event.letters,
            marks=event.marks,
        )
    _check_next(board, event.next, goes_on=event.turn < TURNS and not _is_solution(row))
    board.duel = board.duel.model_copy(
        update={
            "version": event.version,
            "rows": (*board.duel.rows, row),
            "turn": event.next.turn if event.next else None,
            "player_id": event.next.player_id if event.next else None,
            "deadline": event.next.deadline if event.next else None,
        }
    )


def _check_turn(board: _Board, event: GuessMade | TurnSkipped) -> None:
    board.check(board.turn <= TURNS, "R3.2", f"a turn {board.turn}")
    board.check(event.turn == board.turn, "R3.1", f"turn {event.turn} instead of {board.turn}")
    expected = board.duel.players[(board.turn - 1) % 2]
    board.check(event.player_id == expected, "R3.1", f"turn {board.turn} of the wrong player")


def _check_guess(board: _Board, event: GuessMade) -> None:
    turn = f"turn {event.turn}"
    right_length = len(event.letters) == len(event.marks) == board.duel.length
    board.check(right_length, "R3.6", f"{turn} has {len(event.letters)} letters")
    board.check("".join(event.letters) == event.word, "R9.4", f"{turn}: letters are not the word's")
    deadline = board.duel.deadline
    in_time = deadline is None or event.received_at <= deadline
    board.check(in_time, "R3.8", f"{turn} was received after its deadline")


def _check_next(board: _Board, following: Next | None, *, goes_on: bool) -> None:
    board.check((following is not None) == goes_on, "R3.2", f"what follows turn {board.turn}")
    if following is None:
        return
    board.check(following.turn == board.turn + 1, "R3.1", f"turn {following.turn} is next")
    expected = board.duel.players[board.turn % 2]
    board.check(following.player_id == expected, "R3.1", "the next turn is of the wrong player")
    before = board.duel.deadline
    later = before is None or following.deadline >= before
    board.check(later, "R3.2", "the next deadline is before this one")


def _is_solution(row: Row) -> bool:
    return row.marks is not None and set(row.marks) == {"correct"}


def _compare(board: _Board, file: DuelFile) -> None:
    """Hold the snapshots against the events."""
    view = file.views.get(board.duel.version)
    if view is None:
        return
    if board.ending is not None:
        board.check(view.ended is not None, "snapshot", "does not tell the end")
        board.check(view.rows == board.duel.rows, "snapshot", "rows differ from the events")
        return
    board.check(view.ended is None, "R3.10", "a running duel is shown with an end")
    same = (
        view.rows == board.duel.rows
        and view.players == board.duel.players
        and view.length == board.duel.length
        and view.round == board.duel.round
    )
    board.check(same, "snapshot", f"at version {view.version} differs from the events")
    if board.duel.deadline is not None:
        turn = (view.turn, view.player_id, view.deadline)
        known = (board.duel.turn, board.duel.player_id, board.duel.deadline)
        board.check(turn == known, "snapshot", f"at version {view.version} tells another turn")


def _check_ending(board: _Board, ending: DuelEnded, allows: Allows | None) -> None:
    duel = board.duel
    match ending.outcome:
        case "solved":
            board.check(board.solved, "R3.4", "was not solved")
            winner = duel.rows[-1].player_id if duel.rows else None
            board.check(ending.winner == winner, "R3.4", "the winner is not the solver")
        case "draw":
            full = len(duel.rows) == TURNS and not board.solved
            board.check(full, "R3.5", f"drawn after {len(duel.rows)} turns")
            board.check(ending.winner is None, "R3.5", "a draw with a winner")
        case "left":
            open_still = not board.solved and len(duel.rows) < TURNS
            board.check(open_still, "R4.2", "lost by leaving though it was decided")
            known = ending.winner is None or ending.winner in duel.players
            board.check(known, "R4.2", "the winner did not play")
    board.check(len(ending.letters) == duel.length, "R9.2", "the word has another length")
    board.check("".join(ending.letters) == ending.word, "R9.4", "the letters are not the word's")
    if allows is not None:
        board.check(allows(duel.language, ending.word), "R9.5", "the word is no allowed guess")
    for row in duel.rows:
        _check_marks(board, row, ending)


def _check_marks(board: _Board, row: Row, ending: DuelEnded) -> None:
    if row.letters is None or row.marks is None or len(row.letters) != len(ending.letters):
        return
    right = row.marks == oracle.marks(ending.letters, row.letters)
    board.check(right, "R3.7", f"marks of turn {row.turn} ({row.word} against {ending.word})")
