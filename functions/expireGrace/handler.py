"""The task of ReconnectGrace: let a player go who has not come back."""

from wordle_tournament.entry.wakeups import reconnect_grace_task

handler = reconnect_grace_task()
