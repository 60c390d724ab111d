"""The subcommands of `wordle-tournament`, one module each."""
