"""`make bench`: measures every budget of the design; fails when one does not hold."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import wordlists
from wordle_tools.bench.budgets import Budget
from wordle_tools.bench.cost import cost_of_a_thousand, read_prices
from wordle_tools.bench.functions import stand_in_environment
from wordle_tools.bench.processes import opened_bench
from wordle_tools.bench.whole_tournament import Usage

COLD_STARTS = 9
WARM_PROCESSES = 3
FIRST_USES = 5
TOURNAMENTS = 5

_GATEWAY = "https://gateway.example/live"


def main() -> int:
    """Measure and print; the status is 1 when a budget does not hold."""
    held = True
    for measure in (measure_cold_start, measure_guess, measure_word_list, measure_tournaments):
        for budget in measure():
            print(budget, flush=True)
            held = held and budget.holds
    return 0 if held else 1


def measure_cold_start() -> Iterator[Budget]:
    """Start fresh processes in turns; the first of each kind compiles, and does not count."""
    module = "wordle_tools.bench.cold"
    with opened_bench(stand_in_environment(_GATEWAY)) as bench:
        starts = [
            (bench.measure(module, "bare"), bench.measure(module, "guess"))
            for _ in range(1 + COLD_STARTS)
        ]
    yield _ratio("cold start of guess", starts[1:])


def measure_guess() -> Iterator[Budget]:
    """Guess on warm functions, and count what a guess asks for."""
    with _stand_in() as url:
        environment = {**stand_in_environment(url), "AWS_ENDPOINT_URL_DYNAMODB": url}
        with opened_bench(environment) as bench:
            runs = [bench.measure("wordle_tools.bench.warm", "one") for _ in range(WARM_PROCESSES)]
            wide = bench.measure("wordle_tools.bench.warm", "all")
    yield _ratio("guess on a warm function", [(run["bare"], run["guess"]) for run in runs])
    print(f"      on all processors of this machine: {wide['guess'] / wide['bare']:.2f}")
    accepted, refused = runs[0]["accepted"], runs[0]["refused"]
    yield Budget("guess: reads", accepted.count("GetItem"), 1)
    yield Budget("guess: writes", accepted.count("UpdateItem"), 1)
    yield Budget("guess: pushes to two viewers", accepted.count("PostToConnection"), 2)
    yield Budget("guess: requests in all", len(accepted), 4)
    yield Budget("refused guess: writes", refused.count("UpdateItem"), 0)


def measure_word_list() -> Iterator[Budget]:
    """Use the largest list of all for the first time."""
    lists = Path(wordlists.__file__).parent.glob("*/guesses-*.txt")
    largest = max(lists, key=lambda path: path.stat().st_size)
    arguments = (largest.parent.name, largest.stem.removeprefix("guesses-"))
    module, name = "wordle_tools.bench.first_use", " ".join(arguments)
    with opened_bench(stand_in_environment(_GATEWAY)) as bench:
        took = [bench.measure(module, "time", *arguments) for _ in range(FIRST_USES)]
        megabytes = bench.measure(module, "memory", *arguments)
    yield Budget(f"first use of a word list ({name}): time", median(took), 5, "ms")
    yield Budget(f"first use of a word list ({name}): memory", megabytes, 5, "MB")


def measure_tournaments() -> Iterator[Budget]:
    """Play whole tournaments, and take the one of median transitions."""
    with opened_bench(stand_in_environment(_GATEWAY)) as bench:
        usages = [
            Usage(**bench.measure("wordle_tools.bench.whole_tournament", str(seed)))
            for seed in range(TOURNAMENTS)
        ]
        duel_bytes = bench.measure("wordle_tools.bench.largest_duel")
    usages.sort(key=lambda usage: usage.transitions)
    usage = usages[TOURNAMENTS // 2]
    prices = read_prices()
    costs = cost_of_a_thousand(usage, prices)
    parts = ", ".join(f"{service} {dollars:.2f}" for service, dollars in costs.items())
    yield Budget("duel item: 12 rows, 8 viewers", duel_bytes, 1023, "bytes")
    yield Budget("Step Functions, median tournament", usage.transitions, 210, "transitions")
    yield Budget("Step Functions: starts per round", usage.clocks / usage.rounds, 1)
    yield Budget("1,000 median tournaments", sum(costs.values()), 6.20, "$", parts)
    print(prices)


def _ratio(what: str, pairs: list[tuple[float, float]]) -> Budget:
    """Hold milliseconds of ours against those of the floor that were measured beside them."""
    floor, ours = (median(times) for times in zip(*pairs, strict=True))
    ratio = median(mine / least for least, mine in pairs)
    return Budget(what, ratio, 1.3, "x the floor", f"{ours:.1f} to {floor:.1f} ms")


@contextmanager
def _stand_in() -> Iterator[str]:
    """Run the stand-in, which ends when its standard input does."""
    with subprocess.Popen(
        [sys.executable, "-m", "wordle_tools.bench.stand_in"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()


if __name__ == "__main__":
    sys.exit(main())
