"""Wordle Tournament: rules, use cases and adapters shared by all functions."""
