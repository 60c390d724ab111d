"""Refusals: what the rules answer to a command that they do not allow."""

from collections.abc import Mapping
from enum import StrEnum


class Code(StrEnum):
    """The error codes of the protocol."""

    BAD_MESSAGE = "bad_message"
    UNKNOWN_ACTION = "unknown_action"
    MESSAGE_TOO_LARGE = "message_too_large"
    UNSUPPORTED_PROTOCOL = "unsupported_protocol"
    TOO_MANY_REQUESTS = "too_many_requests"
    TRY_AGAIN = "try_again"
    INTERNAL = "internal"
    PLAYER_ERASED = "player_erased"
    BAD_NICKNAME = "bad_nickname"
    UNKNOWN_LANGUAGE = "unknown_language"
    ALREADY_PLAYING = "already_playing"
    NOT_PLAYING = "not_playing"
    NOT_IN_LOBBY = "not_in_lobby"
    NO_SUCH_DUEL = "no_such_duel"
    NOT_YOUR_DUEL = "not_your_duel"
    NOT_YOUR_TURN = "not_your_turn"
    STALE_TURN = "stale_turn"
    DUEL_OVER = "duel_over"
    NOT_STARTED = "not_started"
    DEADLINE_PASSED = "deadline_passed"
    WRONG_LENGTH = "wrong_length"
    WRONG_LETTERS = "wrong_letters"
    NOT_IN_WORD_LIST = "not_in_word_list"
    STILL_PLAYING = "still_playing"
    NO_SUCH_GROUP = "no_such_group"
    GROUP_FULL = "group_full"
    ALREADY_IN_GROUP = "already_in_group"
    NOT_IN_GROUP = "not_in_group"
    NOT_LEADER = "not_leader"
    MEMBERS_NOT_READY = "members_not_ready"


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, not an error of ours
    """A command that breaks a rule: it changes nothing and is answered with `code`.

    `message` is one English sentence for a developer; `details` holds numbers, strings and
    lists of them, under the names that clients see.
    """

    def __init__(
        self, code: Code, message: str, details: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details
