"""The route `$connect`: whom the authorizer let in is in."""

from wordle_tournament.entry.routes import connect_route

handler = connect_route()
