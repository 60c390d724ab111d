"""Whatever breaks is answered, logged once, and tells nobody a word or a token."""

import json
import logging

import pytest

from tests.functions.conftest import Functions, Written, arriving
from tests.usecases.table import NEVER_HIDDEN, Client, Table
from wordle_tournament.entry.observability import write_as_lines
from wordle_tournament.ports import messages
from wordle_tournament.ports.messages import Frame
from wordle_tournament.ports.store import Conflict
from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.rules.refusals import Code
from wordle_tournament.usecases.game import ATTEMPTS

SECRET = "zaftig"


class BrokenError(Exception):
    """An error whose text holds what no log may hold."""


def code_of(frame: Frame) -> Code:
    assert isinstance(frame.message, messages.Error)
    return frame.message.code


@pytest.fixture
def client(table: Table) -> Client:
    return table.client("ann")


def test_an_error_of_ours_is_answered_and_logged_once_without_its_text(
    functions: Functions, client: Client, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    """The text of an error may hold what was being written."""

    def fail(_player: PlayerId) -> None:
        try:
            raise KeyError(SECRET)
        except KeyError as cause:
            raise BrokenError(f"{SECRET} is not stored") from cause

    monkeypatch.setattr(functions.table.store, "player", fail)
    assert code_of(functions.say(client, "rename", nickname="Ann")) == Code.INTERNAL
    text = written.read()
    assert SECRET not in text
    (failed,) = [
        line for line in map(json.loads, text.splitlines()) if line.get("level") == "ERROR"
    ]
    assert failed["error"]["kind"] == "BrokenError"
    assert failed["error"]["cause"]["kind"] == "KeyError"
    assert failed["error"]["place"][-1].startswith("test_failures.py:")


def test_what_adapters_warn_of_is_a_line_like_all_others(written: Written) -> None:
    root = logging.Logger("root")
    write_as_lines(root)

    root.warning("timer %s was not started: %s", "t1-r2", "AccessDeniedException")

    (line,) = written.lines()
    assert line["level"] == "WARNING"
    assert line["message"] == "timer t1-r2 was not started: AccessDeniedException"


def test_a_conflict_that_does_not_end_is_answered_with_try_again(
    functions: Functions, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was changed."""
    attempts: list[object] = []

    def lose(*changes: object) -> None:
        attempts.append(changes)
        raise Conflict

    monkeypatch.setattr(functions.table.store, "commit", lose)
    assert code_of(functions.say(client, "rename", nickname="Ann")) == Code.TRY_AGAIN
    assert len(attempts) == ATTEMPTS


def test_a_conflict_that_no_use_case_meets_is_answered_with_try_again(
    functions: Functions, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(_player: PlayerId) -> None:
        raise Conflict

    monkeypatch.setattr(functions.table.store, "player", lose)
    assert code_of(functions.say(client, "sync")) == Code.TRY_AGAIN


def test_an_older_connection_is_told_that_it_is_replaced_and_is_closed(
    functions: Functions, client: Client
) -> None:
    """R7.3: its client learns it with the request id of what it asked."""
    old = arriving(
        functions.event("message"), client, body='{"action": "sync", "requestId": "late"}'
    )
    old_connection = client.connection
    client.come_back()
    functions.call(client, "sync", old)
    (answer,) = functions.table.answers_on(old_connection, "late")
    assert answer.message == messages.Replaced()
    assert functions.table.push.closed == [old_connection]


def test_an_error_while_connections_found_gone_are_dealt_with_is_not_answered_twice(
    functions: Functions, client: Client, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    """The message has had its answer by then."""
    other = functions.table.client("bob")
    other.join()
    other.vanish()

    def fail(*_: object) -> None:
        raise BrokenError(SECRET)

    monkeypatch.setattr("wordle_tournament.entry.routes.drain_losses", fail)
    answer = functions.say(client, "join", language="en")
    assert isinstance(answer.message, messages.LobbyChanged)
    levels = [line.get("level") for line in written.lines()]
    assert levels.count("ERROR") == 1


def test_a_guess_writes_one_line_and_no_word(functions: Functions, written: Written) -> None:
    """R3.10: neither the hidden word nor a guess, whether it is played, refused or wins."""
    somebody, *_ = functions.table.eight()
    duel, *_ = functions.table.open_round(somebody)
    words = [NEVER_HIDDEN[len(duel.word)], "x" * 20, duel.word]
    text = ""
    for turn, word in zip((1, 2, 2), words, strict=True):
        player = functions.table.find(duel.player_of(turn))
        functions.say(player, "guess", duelId=duel.id, turn=turn, word=word)
        text += written.read()
    assert len([line for line in text.splitlines() if '"level"' in line]) == len(words)
    hidden = {one.word for one in functions.table.duels(somebody)}
    assert not [word for word in {*words, *hidden} if word in text.lower()]


def test_hello_writes_no_token(functions: Functions, written: Written) -> None:
    """Neither one that is shown nor one that is given."""
    client = functions.table.stranger("ann")
    welcome = functions.say(client, "hello", protocol=1).message
    assert isinstance(welcome, messages.Welcome)
    text = written.read()
    assert '"outcome":"done"' in text
    assert welcome.token not in text


def test_the_request_id_of_a_client_is_not_logged(
    functions: Functions, client: Client, written: Written
) -> None:
    """It may hold anything; what is logged is Lambda's."""
    functions.send(client, "ping", json.dumps({"action": "ping", "requestId": SECRET}))
    assert SECRET not in written.read()
