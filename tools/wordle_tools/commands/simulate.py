"""`wordle-tournament simulate`: what tournaments of equal players come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from wordle_tools.commands import Subparsers


def register(subparsers: Subparsers) -> None:
    """Add the command and its options."""
    parser = subparsers.add_parser(
        "simulate", help="play tournaments with the rules alone and tell what they come to"
    )
    parser.add_argument("--tournaments", type=int, default=10_000, help="how many (10000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same ones (1)")
    parser.add_argument(
        "--solving", type=float, default=0.22, help="chance that a guess solves the word (0.22)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play, and print mean and range of what can be counted."""
    from statistics import fmean

    from wordle_tools.simulation import Habits, simulate

    courses = list(
        simulate(arguments.tournaments, arguments.seed, Habits(solving=arguments.solving))
    )
    counted: dict[str, list[float]] = {
        "rounds": [course.rounds for course in courses],
        "duels": [course.duels for course in courses],
        "draws": [course.draws for course in courses],
        "turns": [course.turns for course in courses],
        "minutes": [course.lasted.total_seconds() / 60 for course in courses],
    }
    for name, numbers in counted.items():
        print(f"{name:8} mean {fmean(numbers):6.2f}  from {min(numbers):.0f} to {max(numbers):.0f}")
    shared = sum(course.winners > 1 for course in courses)
    print(f"{shared} of {len(courses)} without a sole winner")
    return 0
