"""What the game does on a command or a wake-up: load, decide, commit, push."""
