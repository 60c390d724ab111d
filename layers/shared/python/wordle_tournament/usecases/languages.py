"""The languages of the game, as commands name them (R9.1)."""

from wordle_tournament.rules.languages import LANGUAGES
from wordle_tournament.rules.refusals import Code, Refusal


def require_language(code: str) -> None:
    """Raise Refusal unless the game is played in this language."""
    if code not in LANGUAGES:
        raise Refusal(
            Code.UNKNOWN_LANGUAGE,
            "The game is not played in this language.",
            {"languages": sorted(LANGUAGES)},
        )
