"""Word lists by language and length: what may be guessed and what may be hidden (R9)."""
