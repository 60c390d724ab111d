"""Players made of code: they see only what a player sees."""
