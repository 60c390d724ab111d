"""The route `$default`: whatever names no action is told what is wrong with it."""

from wordle_tournament.entry.routes import default_route

handler = default_route()
