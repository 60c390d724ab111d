"""What bots decide: they see only what a player sees."""

from __future__ import annotations

import argparse
import json
import random
from typing import Any

import pytest

from tests.tools import sample
from wordle_tools.bots import report
from wordle_tools.bots.mind import (
    Guess,
    Mind,
    StartGroup,
    Watch,
    intend,
    seen_rows,
)
from wordle_tools.bots.words import ListedWords, allows
from wordle_tools.client.messages import Duel, Row
from wordle_tools.client.state import GameState
from wordle_tools.commands.arguments import websocket_url

WORDS = ("bake", "cake", "lake", "lamb", "rake", "tape")


class FewWords:
    """A word book of a few words of four letters."""

    def guesses(self, _language: str, _length: int) -> tuple[str, ...]:
        """Words that may be guessed."""
        return WORDS

    answers = guesses


BOOK = FewWords()


def _row(word: str, marks: str, turn: int = 1) -> Row:
    names: Any = {"C": "correct", "P": "present", "A": "absent"}
    return Row(
        turn=turn,
        player_id="p0",
        skipped=False,
        word=word,
        letters=tuple(word),
        marks=tuple(names[mark] for mark in marks),
    )


def _seen(*rows: Row) -> Duel:
    return Duel.model_validate_json(json.dumps(sample.duel())).model_copy(update={"rows": rows})


def _decide(state: GameState, watches: bool = True, group_size: int | None = None) -> object:
    return intend(state, watches=watches, group_size=group_size)


def test_a_bot_guesses_on_its_own_turn() -> None:
    """R3.1"""
    intention = _decide(sample.state(tournament=sample.tournament(), duels=[sample.duel()]))
    assert isinstance(intention, Guess)
    assert (intention.duel.duel_id, intention.turn) == ("d0", 1)


def test_a_bot_waits_while_the_opponent_is_on_turn() -> None:
    """R3.1"""
    duel = sample.duel(turn=2, playerId="p1")
    assert _decide(sample.state(tournament=sample.tournament(), duels=[duel])) is None


def test_a_bot_with_a_bye_watches_if_it_likes_to() -> None:
    """R4.6"""
    state = sample.state(tournament=sample.with_a_bye())
    assert _decide(state) == Watch(round=2)
    assert _decide(state, watches=False) is None


def test_a_bot_whose_duel_is_over_watches() -> None:
    """R4.6"""
    ended = {"outcome": "solved", "winner": "p1", "word": "cake", "letters": list("cake")}
    state = sample.state(
        tournament=sample.tournament(), duels=[sample.duel(ended=ended, deadline=None)]
    )
    assert _decide(state) == Watch(round=2)


def test_a_bot_whose_duel_is_about_to_begin_does_not_watch() -> None:
    """The others' `duelStarted` may come before one's own."""
    assert _decide(sample.state(tournament=sample.tournament())) is None


def test_a_bot_that_sees_the_others_does_not_ask_again() -> None:
    """Watching lasts over the following rounds."""
    state = sample.state(tournament=sample.with_a_bye(), duels=[sample.others_duel()])
    assert _decide(state) is None


def test_nobody_watches_the_intro() -> None:
    """R1.3: there is nothing to see."""
    assert _decide(sample.state(tournament=sample.tournament(phase="intro"))) is None


def test_a_leader_starts_once_everybody_is_there_and_ready() -> None:
    """R8.6"""
    assert _decide(sample.state(group=sample.group()), group_size=2) == StartGroup()
    assert _decide(sample.state(group=sample.group()), group_size=3) is None
    assert _decide(sample.state(group=sample.group(connected=False)), group_size=2) is None
    assert _decide(sample.state(group=sample.group(playing=True)), group_size=2) is None
    assert _decide(sample.state(group=sample.group(leader="p1")), group_size=2) is None


def test_a_leader_starts_again_after_the_tournament() -> None:
    """R8.4"""
    state = sample.state(group=sample.group(), tournament=sample.tournament(phase="ended"))
    assert _decide(state, group_size=2) == StartGroup()


@pytest.mark.parametrize("level", ["easy", "good"])
def test_a_mind_narrows_down_to_the_word(level: Any) -> None:
    """Both levels look at every row."""
    mind = Mind(BOOK, level, random.Random(1))
    assert mind.choose(_seen()) in WORDS
    assert mind.choose(_seen(_row("cake", "ACCC"), _row("bulk", "AAPP", turn=2))) == "lake"


def test_a_skipped_turn_tells_nothing() -> None:
    """R3.3"""
    mind = Mind(BOOK, "easy", random.Random(1))
    skipped = Row(turn=1, player_id="p0", skipped=True)
    assert mind.choose(_seen(skipped)) in WORDS


def test_a_refused_word_is_not_tried_again() -> None:
    """R3.6: the clock runs on, so try another."""
    mind = Mind(BOOK, "easy", random.Random(1))
    for word in WORDS[1:]:
        mind.refuse(word)
    assert mind.choose(_seen()) == "bake"


def test_rows_are_read_in_canonical_spelling() -> None:
    """R9.4: what is shown as two characters may be one letter."""
    row = _row("toʻra", "CAAAA").model_copy(
        update={"letters": ("t", "oʻ", "r", "a"), "marks": ("correct", *["absent"] * 3)}
    )
    duel = _seen(row).model_copy(update={"language": "uz"})
    assert seen_rows(duel) == [("töra", ("correct", "absent", "absent", "absent"))]


def test_bots_know_the_word_lists() -> None:
    """R9.5: every likely answer may be guessed."""
    book = ListedWords()
    for length in (4, 5, 6):
        answers = book.answers("en", length)
        assert answers
        assert set(answers) <= set(book.guesses("en", length))
        assert all(allows("en", word) for word in answers[:50])
    assert not allows("en", "zzzzz")


def test_the_end_of_a_tournament_is_told_by_place() -> None:
    """Places, names, changes and new ratings."""
    players = [
        {**player, "place": place, "ratingChange": change, "lives": 0}
        for player, place, change in zip(
            sample.tournament()["players"],
            (2, 1, 3, 4, 5, 6, 7, 8),
            (18, 25, 11, 4, -4, -11, -18, -25),
            strict=True,
        )
    ]
    state = sample.state(tournament=sample.tournament(phase="ended", players=players, round=9))
    assert state.tournament is not None
    lines = list(report.standings(state.tournament))
    assert lines[0] == "tournament t1: over after 9 rounds"
    assert lines[1].split() == ["1.", "Np1", "+25", "1025"]
    assert lines[8].split() == ["8.", "Np7", "-25", "975"]


@pytest.mark.parametrize("address", ["", "http://127.0.0.1:1", "ws://", "127.0.0.1:1", "ws://a:b"])
def test_an_address_that_is_none_of_a_websocket_is_told_in_one_sentence(address: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is no WebSocket address"):
        websocket_url(address)
