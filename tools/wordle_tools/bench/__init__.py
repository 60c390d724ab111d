"""Measures the budgets of the design, each against a floor that is measured in the same run.

Processor time, not time on the clock: other work on the machine then matters less, and ratios of
medians little. Counts come from the functions themselves, called with the SDK's requests noted.

Functions are measured as their layers would have them start: from compiled modules, and without
`cryptography`, which only development needs and the token library imports wherever it is found.
"""
