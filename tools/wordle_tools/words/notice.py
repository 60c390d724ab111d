"""The notice that goes with the lists: what they come from and under which terms they stand."""

from collections.abc import Iterable
from pathlib import Path

from wordle_tools.words.sources import Source, sources
from wordle_tournament.rules.languages import LANGUAGES

GUESSES = {
    "en": "SCOWL notice",
    "nl": "BSD-3-Clause",
    "pl": "Apache-2.0",
    "ru": "CC-BY-SA-4.0, with the Lebedev notice",
}
"""Licences of the guess lists that are not under the GPL; every other is GPL-3.0-only."""

ANSWERS = {
    "en": "CC-BY-SA-4.0, with the SCOWL notice",
    "nl": "CC-BY-SA-4.0, with the BSD-3-Clause notice",
    "pl": "CC-BY-SA-4.0, with the Apache-2.0 notice",
    "ru": "CC-BY-SA-4.0, with the Lebedev notice",
}
"""Licences of the answer lists that are not under the GPL; every other is GPL-3.0-only."""

DEFAULT = "GPL-3.0-only"

_HEAD = """\
# Notice

The word lists are data with licences of their own, apart from the licence of the program that
reads them. The lists of a language are one work, independent of those of the other languages.

Every source was modified: its words were expanded by its own affix rules where it has any,
brought to the spelling of the game, cut down to 4 to 6 letters, merged with the other sources of
the language, and filtered. Answers were chosen with the help of the packages under *Evidence*,
and words were kept out with the help of those under *Blocklists*. None of the authors endorses
this work.

## Licence by language
"""

_WORDFREQ = """\
- `wordfreq` 3.1.1, by Robyn Speer: code Apache-2.0, data CC-BY-SA-4.0. It draws on Google Books
  Ngrams, the Leeds Internet Corpus, Wikipedia, ParaCrawl, OPUS OpenSubtitles 2018 and the
  SUBTLEX lists by Marc Brysbaert and others, which are freely available. Chooses answers.
- `simplemma` 2.0.0, by Adrien Barbaresi: MIT. Tells dictionary forms.
- `pymorphy3` 2.0.6, by Mikhail Korobov and others: MIT. Tells dictionary forms.
- `pymorphy3-dicts-ru` 2.4.417150.4580142: OpenCorpora, CC-BY-SA-3.0. Tells dictionary forms;
  recent words known to it and in use are in the Russian lists.
- `pymorphy3-dicts-uk` 2.4.1.1.1663094765: dict_uk by Andriy Rysin and others. Tells dictionary
  forms; no word of it is in the lists.
"""


def write(wordlists: Path) -> None:
    """Write the notice into the layer that carries the lists."""
    path = wordlists / "python/wordlists/NOTICE.md"
    path.write_text(notice(sources()), encoding="utf-8", newline="\n")


def notice(table: Iterable[Source]) -> str:
    """Give the text of the notice for a table of sources."""
    rows = list(table)
    lines = [_HEAD, "| language | guesses | answers |", "|---|---|---|"]
    for language in LANGUAGES.values():
        guesses = GUESSES.get(language.code, DEFAULT)
        answers = ANSWERS.get(language.code, DEFAULT)
        lines.append(f"| {language.name} | {guesses} | {answers} |")
    for role, heading in (
        ("words", "Words"),
        ("evidence", "Evidence"),
        ("blocklist", "Blocklists"),
    ):
        lines += ["", f"## {heading}", ""]
        if role == "evidence":
            lines.append(_WORDFREQ.rstrip("\n"))
        lines += [_entry(source) for source in rows if source.role == role]
    return "\n".join(lines) + "\n"


def _entry(source: Source) -> str:
    used_for = ", ".join(LANGUAGES[code].name for code in source.languages) or "all languages"
    return (
        f"- `{source.package}` {source.version}, © {source.copyright}:"
        f" {source.licence}. For {used_for}."
    )
