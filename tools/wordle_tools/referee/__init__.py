"""Checks what several players are told against the protocol and the rules; no I/O, no clock."""
