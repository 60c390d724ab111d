"""Tables saved into a folder, and loaded from it."""
