"""Fetches the packages and builds all word lists: `python -m wordle_tools.words`."""

import argparse
import os
import subprocess
import sys
import venv
from pathlib import Path

from wordle_tools.words import build, digests, notice, report, sources
from wordle_tournament.rules.languages import LANGUAGES

_ROOT = Path(__file__).parents[3]
_REQUIREMENTS = Path(__file__).with_name("requirements.txt")
_INSIDE = "WORDLE_WORDS_INSIDE"


def main(arguments: list[str]) -> None:
    """Build the languages named, or all, in an environment of the tool's own."""
    parser = argparse.ArgumentParser(prog="python -m wordle_tools.words", description=__doc__)
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="by default all")
    parser.add_argument("--work", type=Path, default=_ROOT / ".build/words")
    parser.add_argument("--digest", metavar="WORD", help="print the digest line of a word and stop")
    options = parser.parse_args(arguments)
    codes = options.languages or list(LANGUAGES)
    if options.digest:
        for code in codes:
            print(code, digests.digest(code, options.digest))
        return
    if os.environ.get(_INSIDE) != "yes":
        _run_inside(options.work / "venv", arguments)
        return
    folders = build.Folders(options.work / "unpacked", _ROOT / "wordlists")
    for source in sources.sources():
        sources.fetch(source, options.work)
    blocked: list[tuple[str, str]] = []
    for lists in build.build(codes, folders):
        build.write(lists, folders)
        blocked += [(lists.code, word) for word in lists.blocked]
        print(f"{lists.code}: {len(lists.guesses)} guesses, {len(lists.answers)} answers")
    if set(codes) == set(LANGUAGES):
        heading = "Digests of words that are never hidden, though some may be guessed."
        digests.write(folders.wordlists / "blocked/answers.txt", heading, blocked)
        notice.write(folders.wordlists)
    report.write(folders.wordlists)


def _run_inside(environment: Path, arguments: list[str]) -> None:
    python = environment / "bin/python"
    if not python.is_file():
        venv.create(environment, with_pip=True)
    pip = [str(python), "-m", "pip", "install", "-q", "--require-hashes"]
    subprocess.run([*pip, "-r", str(_REQUIREMENTS)], check=True)
    path = os.pathsep.join(
        str(_ROOT / part) for part in ("tools", "layers/shared/python", "wordlists/python")
    )
    command = [str(python), "-m", "wordle_tools.words", *arguments]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": path, _INSIDE: "yes"})


if __name__ == "__main__":
    main(sys.argv[1:])
