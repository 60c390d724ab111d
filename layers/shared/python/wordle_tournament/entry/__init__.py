"""Where events come in: reading them, wiring the game, logging, answering whatever happens."""
