"""Marks of a guess."""

from collections import Counter
from enum import StrEnum


class Mark(StrEnum):
    """What one letter of a guess tells about the hidden word (R3.7)."""

    CORRECT = "correct"
    PRESENT = "present"
    ABSENT = "absent"


def score_guess(word: str, guess: str) -> tuple[Mark, ...]:
    """Mark each letter of `guess` against the hidden `word` of the same length (R3.7).

    Both are canonical: one code point is one letter (R9.4).
    """
    spare = Counter(letter for letter, tried in zip(word, guess, strict=True) if letter != tried)
    marks = []
    for letter, tried in zip(word, guess, strict=True):
        if letter == tried:
            marks.append(Mark.CORRECT)
        elif spare[tried] > 0:
            spare[tried] -= 1
            marks.append(Mark.PRESENT)
        else:
            marks.append(Mark.ABSENT)
    return tuple(marks)
