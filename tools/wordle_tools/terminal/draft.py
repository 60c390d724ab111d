"""The line that a player types; pure."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

MOST_CHARACTERS = 60

ENTER = ("\r", "\n")
_ERASE = ("\x7f", "\x08")
_ERASE_LINE = ("\x15",)
_ERASE_WORD = ("\x17",)


@dataclass(frozen=True, slots=True)
class Draft:
    """What has been typed, and the line that was just entered, if one was."""

    text: str = ""
    entered: str | None = None


def press(draft: Draft, key: str) -> Draft:
    """Take one key, a character or an escape sequence, into account."""
    text = draft.text
    if key in ENTER:
        return Draft(entered=text.strip())
    draft = replace(draft, entered=None)
    if key in _ERASE:
        return replace(draft, text=_without_last_letter(text))
    if key in _ERASE_LINE:
        return replace(draft, text="")
    if key in _ERASE_WORD:
        return replace(draft, text=text.rstrip().rpartition(" ")[0])
    if len(text) < MOST_CHARACTERS and key.isprintable():
        return replace(draft, text=text + key)
    return draft


def _without_last_letter(text: str) -> str:
    """Erase a letter with what was typed onto it: combining marks."""
    end = len(text) - 1
    while end > 0 and unicodedata.combining(text[end]):
        end -= 1
    return text[: max(end, 0)]
