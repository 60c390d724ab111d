"""Builds the word lists of the thirteen languages from packaged dictionaries (R9)."""
