"""What can go wrong while a local cloud starts."""


class LocalCloudError(Exception):
    """The local cloud cannot run; the text is one sentence for the person who started it."""
