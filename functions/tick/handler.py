"""The task of RoundClock: bring a tournament up to now."""

from wordle_tournament.entry.wakeups import round_clock_task

handler = round_clock_task()
