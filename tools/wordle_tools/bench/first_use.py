"""The first use of a word list: `python -m wordle_tools.bench.first_use time|memory LANGUAGE N`."""

import json
import sys
import time
import tracemalloc

from wordle_tools.bench.functions import leave_out_development


def use(what: str, language: str, length: int) -> float:
    """Look a word up for the first time; gives milliseconds, or megabytes at the most.

    Not both, since watching the memory takes time.
    """
    leave_out_development()
    from wordle_tournament.entry.wiring import wire_game

    lexicon = wire_game().lexicon
    if what == "memory":
        tracemalloc.start()
        lexicon.allows(language, length, "x" * length)
        return tracemalloc.get_traced_memory()[1] / 1e6
    began = time.process_time()
    lexicon.allows(language, length, "x" * length)
    return 1000 * (time.process_time() - began)


if __name__ == "__main__":
    print(json.dumps(use(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
