"""A person plays at the terminal."""
