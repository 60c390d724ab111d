"""Insults in nicknames, found by the word lists of the package `badwords`.

Only `rename` asks, and lists are loaded when it first does: no other function imports the package.
"""

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from badwords import ProfanityFilter

LANGUAGES = (
    *("de", "en", "es", "es_419", "fr", "id", "it"),
    *("nl", "pl", "pt", "pt_br", "ru", "uk"),
)
"""The lists for eleven of the game's languages; there are none for Kazakh and Uzbek."""

NOT_LISTED = """
    batard encule fuckboy himmler hitler maricon nique pidor pierdol pierdolić viado
    kanker kankerhoer tering йобаний йобана підарас
    anjing bangsat goblok lonte memek ngentot tolol
    dalbayob jalab onangni qoʻtoq qotoq sikaman sikish
    далбаёб жәлеп қотақ котак қотағым сігу сігейін амыңды шешеңді
"""
"""Insults that the lists lack, most of them Kazakh, Uzbek and Indonesian."""

ORDINARY = """
    Amador Anita Carmen Concha Dijk Fanny Fik Galo Galos Jajko Kok Lolita Mandy Marica Mees Mesa
    Mijo Mona Pik Pinto Pina Pippa Piquer Pompa Puti Radit Regina Rey Río Szpara Topa Valle Wang
    Zizi Аніта Сірко Тит
    del
"""
"""Names of people that one of the lists holds for another meaning."""

_LATIN_LOOK_ALIKES = str.maketrans("АВЕКМНОРСТУХІЅЈаеорсухіѕј", "ABEKMHOPCTYXISJaeopcyxisj")
_SINGLE_LETTERS = re.compile(r"\b\w(?: \w)+\b")
_DIGITS_AT_AN_EDGE = re.compile(r"\b\d+|\d+\b")


class ListedInsults:
    """Finds listed insults whole, with digits or look-alikes for letters, stretched or spaced."""

    def are_in(self, nickname: str) -> bool:
        """Tell whether a nickname insults."""
        if sys.version_info >= (3, 14):
            # No wheels yet: a local cloud on such a Python lets every nickname through.
            return False
        from badwords import Options

        tricks = Options(leetspeak=True, collapse_repeats=True, split_on_punctuation=True)
        return any(_filter().is_profane(reading, tricks) for reading in set(_readings(nickname)))


@cache
def _filter() -> "ProfanityFilter":
    from badwords import ProfanityFilter

    found = ProfanityFilter()
    found.init(languages=LANGUAGES)
    found.add_words(NOT_LISTED.split())
    found.add_whitelist(ORDINARY.split())
    return found


def _readings(nickname: str) -> Iterator[str]:
    """Give a nickname as it may be meant.

    It may be parted, spelt out, written with accents or a number, or in Cyrillic letters of which
    every one looks like a Latin one.
    """
    parted = re.sub(r"[-_]", " ", nickname)
    latin = parted.translate(_LATIN_LOOK_ALIKES)
    for text in (parted, _without_accents(parted), *([latin] if latin.isascii() else [])):
        yield text
        yield _SINGLE_LETTERS.sub(lambda spelt: spelt[0].replace(" ", ""), text)
        yield _DIGITS_AT_AN_EDGE.sub(" ", text)


def _without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(one for one in decomposed if unicodedata.category(one) != "Mn")
