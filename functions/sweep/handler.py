"""The minute sweep: bring on the tournaments that nobody has woken in time."""

from wordle_tournament.entry.wakeups import sweep_task

handler = sweep_task()
