"""Names, times and states that tests of the rules begin from."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from wordle_tournament.rules.duel import Duel, DuelStarted, Row, apply
from wordle_tournament.rules.ids import DuelId, PlayerId, TournamentId

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)
MS = timedelta(milliseconds=1)
SECOND = timedelta(seconds=1)
TURN = 30 * SECOND
SETTLE = SECOND
ANNE, BEN, CLEO, DORA = (PlayerId(name) for name in ("anne", "ben", "cleo", "dora"))


def waiting_duel(word: str = "crane") -> Duel:
    """Make a duel of Anne, who begins, and Ben during the intro."""
    return Duel(
        id=DuelId("cup.1.0"),
        tournament=TournamentId("cup"),
        round=1,
        language="en",
        word=word,
        players=(ANNE, BEN),
    )


def running_duel(rows: Sequence[str | None] = (), word: str = "crane") -> Duel:
    """Make a duel whose turn after `rows` began NOW."""
    duel = apply(waiting_duel(word), DuelStarted(deadline=NOW + TURN))
    return Duel(
        id=duel.id,
        tournament=duel.tournament,
        round=duel.round,
        language=duel.language,
        word=duel.word,
        players=duel.players,
        phase=duel.phase,
        version=duel.version + len(rows),
        rows=tuple(None if guess is None else Row(guess, NOW) for guess in rows),
        deadline=duel.deadline,
    )
