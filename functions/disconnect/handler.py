"""The route `$disconnect`: the gateway has seen the end of a connection."""

from wordle_tournament.entry.routes import disconnect_route

handler = disconnect_route()
