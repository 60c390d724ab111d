"""The terminal: what is drawn, told and understood, and how keys come in."""

from __future__ import annotations

import io
import json
import os
import pty
import termios
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console, RenderableType

from tests.tools import sample
from tests.tools.made_up import MadeUpTournament
from wordle_tools.client.errors import ERROR_CODES, RefusedError
from wordle_tools.client.messages import parse
from wordle_tools.client.state import GameState, fold
from wordle_tools.terminal import wishes
from wordle_tools.terminal.draft import MOST_CHARACTERS, Draft, press
from wordle_tools.terminal.drawing import Scene, draw
from wordle_tools.terminal.keys import keyboard, without_escapes
from wordle_tools.terminal.phrases import explain, narrate

Content = dict[str, Any]
DEADLINE = 50_000


def _drawn(thing: RenderableType) -> str:
    """What is seen of a renderable on a terminal without colours."""
    console = Console(file=io.StringIO(), width=90, color_system=None)
    console.print(thing)
    output = console.file
    assert isinstance(output, io.StringIO)
    return output.getvalue()


def _tournament(**fields: object) -> Content:
    return sample.tournament(**{"introEndsAt": DEADLINE, **fields})


def _duel(**fields: object) -> Content:
    rows = [
        {
            "turn": 1,
            "playerId": "p1",
            "skipped": False,
            "word": "lamb",
            "letters": list("lamb"),
            "marks": ["correct", "present", "absent", "absent"],
        },
        {"turn": 2, "playerId": "p0", "skipped": True},
    ]
    on_turn = {"players": ["p1", "p0"], "playerId": "p1", "turn": 3, "rows": rows}
    return sample.duel(**{**on_turn, "deadline": DEADLINE, **fields})


def _my_turn(**fields: object) -> GameState:
    rows = [*_duel()["rows"], {"turn": 3, "playerId": "p1", "skipped": True}]
    duel = _duel(turn=4, playerId="p0", rows=rows, **fields)
    return sample.state(tournament=_tournament(), duels=[duel])


def test_the_board_can_be_read_without_colour() -> None:
    """`[l]` is in place, `(a)` elsewhere, a bare letter absent."""
    seen = _drawn(draw(Scene(sample.state(tournament=_tournament(), duels=[_duel()]), now=0)))
    assert " 1 Np1 [l](a) m  b " in seen
    assert " 2 you  —  —  —  — " in seen
    assert "12 you  ·  ·  ·  · " in seen


def test_the_keyboard_tells_the_best_known_of_each_letter() -> None:
    """In place, elsewhere, absent or not tried."""
    seen = _drawn(draw(Scene(sample.state(tournament=_tournament(), duels=[_duel()]), now=0)))
    assert " q  w  e  r  t  y  u  i  o  p " in seen
    assert "(a) s  d  f  g  h  j  k [l]" in seen
    assert " z  x  c  v  ·  n  · " in seen


def test_the_clock_counts_down_for_whose_turn_it_is() -> None:
    """R3.2; the last second is shown until it is over."""
    theirs = sample.state(tournament=_tournament(), duels=[_duel()])
    assert "Np1's turn: 30 s" in _drawn(draw(Scene(theirs, now=DEADLINE - 29_001)))
    assert "Your turn: 1 s" in _drawn(draw(Scene(_my_turn(), now=DEADLINE - 1)))
    assert "Your turn: 0 s" in _drawn(draw(Scene(_my_turn(), now=DEADLINE + 400)))


def test_what_is_typed_stands_in_the_row_of_the_turn() -> None:
    """The draft is counted in letters of the language (R9.4)."""
    seen = _drawn(draw(Scene(_my_turn(), now=0, draft="CÂ")))
    assert " 4 you  c  a  _  _ " in seen
    assert "> CÂ" in seen
    too_long = _drawn(draw(Scene(_my_turn(), now=0, draft="cakes")))
    assert "1 too many" in too_long


def test_pairings_and_bye_are_shown_in_the_intro() -> None:
    """R1.3, R2.2"""
    tournament = _tournament(phase="intro", bye="p7")
    tournament["pairings"].pop()
    seen = _drawn(draw(Scene(sample.state(tournament=tournament), now=DEADLINE - 4000)))
    assert "you  –  Np1" in seen
    assert "Np7 sits this round out" in seen
    assert "The round begins in 4 s" in seen


def test_the_roster_shows_lives_places_and_who_is_away() -> None:
    """R1.1, R4.6, R7.2"""
    tournament = _tournament()
    tournament["players"][2] |= {"place": 8, "ratingChange": -25, "lives": 0}
    tournament["players"][3] |= {"connected": False, "backBy": 9}
    tournament["players"][4] |= {"left": True}
    seen = _drawn(draw(Scene(sample.state(tournament=tournament, duels=[_duel()]), now=0)))
    assert "Np1 ♥♥♡" in seen
    assert "Np2 place 8, -25" in seen
    assert "Np3 ♥♥♡ away" in seen
    assert "Np4 left" in seen


def test_a_player_without_a_duel_sees_the_others() -> None:
    """R4.6"""
    other = _duel(duelId="d1", players=["p2", "p3"], playerId="p2")
    seen = _drawn(draw(Scene(sample.state(tournament=_tournament(), duels=[other]), now=0)))
    assert "Np2 – Np3, turn 3" in seen


def test_a_player_who_is_out_is_told_the_place() -> None:
    """R4.6"""
    tournament = _tournament()
    tournament["players"][0] |= {"place": 8, "ratingChange": -25, "lives": 0}
    seen = _drawn(draw(Scene(sample.state(tournament=tournament), now=0)))
    assert "You are out: place 8, -25." in seen


def test_a_lobby_says_what_it_waits_for() -> None:
    """Seats taken and rating."""
    seen = _drawn(
        draw(
            Scene(
                sample.state(lobby=sample.lobby(language="uk", rating=1010, players=("p0", "p1"))),
                now=0,
            )
        )
    )
    assert "Ukrainian" in seen
    assert "Waiting for 6 more of 8 players (uk, rated about 1010)." in seen


def test_a_group_shows_its_link_and_members() -> None:
    """R8.1"""
    leading = _drawn(draw(Scene(sample.state(group=sample.group(connected=False)), now=0)))
    assert "https://example.org/bcdf" in leading
    assert "Zero (leads), One (away)" in leading
    assert "/start" in leading
    assert "/start" not in _drawn(draw(Scene(sample.state(group=sample.group("p1")), now=0)))


def test_a_lost_connection_is_shown() -> None:
    """R7.2"""
    assert "coming back" in _drawn(draw(Scene(sample.state(), now=0, connected=False)))


@pytest.mark.parametrize("language", ["de", "uz", "kk"])
def test_every_language_has_its_keyboard(language: str) -> None:
    """R9.1"""
    duel = _duel(language=language, rows=[], turn=1)
    seen = _drawn(draw(Scene(sample.state(tournament=_tournament(), duels=[duel]), now=0)))
    letter = {"de": "ß", "uz": "oʻ", "kk": "қ"}[language]
    assert f" {letter} " in seen


def test_a_whole_tournament_can_be_drawn_and_told() -> None:
    """Whatever happens there are lines for it, and they end with the standings."""
    state = GameState()
    lines = []
    for frame in MadeUpTournament(draws=(3,), leaver="p5").frames:
        if frame.player == "p0" and not frame.sent:
            step = fold(state, parse(json.dumps(frame.content)))
            state = step.state
            assert _drawn(draw(Scene(state, now=0)))
            for message in step.effective:
                lines += narrate(state, message)
    assert lines[0] == "You are Player p0, rated 1000."
    assert any(line.startswith("Round 1: ") for line in lines)
    assert any("lets the turn pass" in line or "let the turn pass" in line for line in lines)
    assert any(line.endswith(" left.") for line in lines)
    assert sum("take place" in line or "takes place" in line for line in lines) == 8
    assert lines[-9].startswith("tournament t1: over after")
    assert len({line.split()[1] for line in lines[-8:]}) == 1


@pytest.mark.parametrize("code", sorted(ERROR_CODES))
def test_every_error_has_friendly_words(code: str) -> None:
    """Even without the details that it should have."""
    told = explain(RefusedError("guess", code, "In a developer's words.", {}))
    assert told
    assert code not in told


def test_details_of_an_error_are_told() -> None:
    """R3.6, R8.6"""
    too_long = RefusedError("guess", "wrong_length", "-", {"expected": 4, "got": 5})
    assert explain(too_long) == "The word has 4 letters, yours has 5."
    unready = {"members": [{"playerId": "p1", "nickname": "One", "reason": "playing"}]}
    told = explain(RefusedError("startGroup", "members_not_ready", "-", unready))
    assert told == "Not everybody is ready: One (playing)."


def test_a_word_on_ones_turn_is_a_guess() -> None:
    """R3.1"""
    assert wishes.understand(_my_turn(), "cake") == wishes.Guess("d0", 4, "cake")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("cakes", "The word has 4 letters, yours has 5."),
        ("щука", "This language does not have all of these letters."),
        ("/what", "Commands:"),
    ],
)
def test_a_word_that_cannot_be_is_not_sent(typed: str, told: str) -> None:
    """R3.6: refusing at once saves the player time."""
    wish = wishes.understand(_my_turn(), typed)
    assert isinstance(wish, wishes.Hint)
    assert wish.text.startswith(told)


def test_nothing_is_guessed_out_of_turn() -> None:
    """R3.1"""
    theirs = sample.state(tournament=_tournament(), duels=[_duel()])
    assert wishes.understand(theirs, "cake") == wishes.Hint("It is not your turn yet.")
    assert isinstance(wishes.understand(sample.state(), "cake"), wishes.Hint)


def test_commands_are_understood() -> None:
    """Everything that is no word starts with a slash."""
    state = sample.state()
    assert wishes.understand(state, "/leave") == wishes.Leave()
    assert wishes.understand(state, "/start") == wishes.StartGroup()
    assert wishes.understand(state, "/name Ann Lee") == wishes.Rename("Ann Lee")
    assert wishes.understand(state, "/quit") == wishes.Quit()


def test_enter_plays_again_once_nothing_holds_the_player() -> None:
    """R6.6"""
    over = _tournament(phase="ended")
    assert wishes.understand(sample.state(tournament=over), "") == wishes.PlayAgain()
    assert wishes.understand(
        sample.state(lobby=sample.lobby(language="uk", rating=1010, players=("p0", "p1"))), ""
    ) == wishes.Hint("")
    assert wishes.understand(_my_turn(), "") == wishes.Hint("")


def _typed(*keys: str) -> Draft:
    draft = Draft()
    for key in keys:
        draft = press(draft, key)
    return draft


def test_typing_builds_a_line_and_enter_hands_it_over() -> None:
    """A line is handed over once."""
    assert _typed(*"cake").text == "cake"
    entered = _typed(*" cake ", "\r")
    assert entered == Draft(text="", entered="cake")
    assert press(entered, "x") == Draft(text="x")


def test_typing_can_be_corrected() -> None:
    """Backspace, Ctrl-U and Ctrl-W; a letter goes with its accents."""
    assert _typed(*"cak", "\x7f").text == "ca"
    assert _typed(*"ca\u0301", "\x7f").text == "c"
    assert _typed("\x7f").text == ""
    assert _typed(*"cake", "\x15").text == ""
    assert _typed(*"/name Ann", "\x17").text == "/name"


def test_a_line_has_an_end_and_no_control_characters() -> None:
    """What is pasted by mistake does no harm."""
    assert len(_typed(*"x" * 500).text) == MOST_CHARACTERS
    assert _typed("\x00", "\x1b", "a").text == "a"


def test_arrow_keys_are_left_out() -> None:
    """Escape sequences are no letters."""
    assert without_escapes("a\x1b[Ab\x1b[1;5Cc\x1bOPd") == "abcd"


@pytest.fixture
def terminal() -> Iterator[tuple[int, io.TextIOWrapper]]:
    """A terminal: the end at which one types, and the program's standard input."""
    typing_end, program_end = pty.openpty()
    with os.fdopen(program_end, "r", encoding="utf-8") as stdin:
        yield typing_end, stdin
        os.close(typing_end)


async def test_keys_come_one_by_one_without_enter(
    terminal: tuple[int, io.TextIOWrapper],
) -> None:
    """Letters of several bytes come whole."""
    typing_end, stdin = terminal
    with keyboard(stdin) as keys:
        os.write(typing_end, "aщ".encode())
        assert [await anext(keys), await anext(keys)] == ["a", "щ"]


async def test_the_terminal_is_put_back_as_it_was(
    terminal: tuple[int, io.TextIOWrapper],
) -> None:
    """Whatever ends the game."""
    _, stdin = terminal
    before = termios.tcgetattr(stdin.fileno())

    def interrupted_game() -> None:
        with keyboard(stdin):
            assert termios.tcgetattr(stdin.fileno()) != before
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted_game()
    assert termios.tcgetattr(stdin.fileno()) == before


async def test_without_a_terminal_lines_are_read() -> None:
    """Line mode: each character of a line, then the end of the line."""
    reading_end, typing_end = os.pipe()
    with os.fdopen(reading_end, "r", encoding="utf-8") as stdin, keyboard(stdin) as keys:
        os.write(typing_end, b"ab\n")
        os.close(typing_end)
        assert [key async for key in keys] == ["a", "b", "\n"]


def test_enter_does_not_start_a_group_that_has_not_played_yet() -> None:
    """R8.1: friends may still be on their way; /start is what begins the first game."""
    assert wishes.understand(sample.state(group=sample.group()), "") == wishes.Hint("")
    assert wishes.understand(sample.state(), "") == wishes.PlayAgain()
