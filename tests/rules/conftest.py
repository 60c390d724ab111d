"""Laws are checked without a stopwatch: a busy machine breaks no rule."""

from hypothesis import settings

settings.register_profile("laws", deadline=None)
settings.load_profile("laws")
