"""The authorizer of `$connect`."""

from wordle_tournament.entry.authorizer import authorizer

handler = authorizer()
