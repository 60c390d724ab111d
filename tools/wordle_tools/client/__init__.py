"""An asynchronous client of the game's WebSocket protocol."""
