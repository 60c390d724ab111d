"""Nicknames: made up for new players, and checked when players choose their own (R10)."""

import unicodedata

from wordle_tournament.rules.chance import Chance
from wordle_tournament.rules.refusals import Code, Refusal

FEWEST_CHARACTERS = 2
MOST_CHARACTERS = 20
"""The bounds of a nickname, marks not counted (R10.2)."""

MOST_CODE_POINTS = 40
"""The longest nickname with its marks: the frames that hold many nicknames rely on it."""

# Every word is a compliment or a pleasant thing by itself and beside every other one: no colours,
# no bodies, and no animal or plant that is also a name for people.
_COMPLIMENTS = """
    Brave Bright Calm Charming Cheerful Clever Cosy Curious Daring Dreamy Earnest Fearless Friendly
    Gentle Gifted Glad Graceful Happy Honest Hopeful Jolly Joyful Keen Kind Lively Lucky Merry
    Modest Musical Nimble Noble Patient Peaceful Playful Polite Quick Quiet Radiant Serene Shining
    Sincere Skilful Steady Sunny Thankful Tidy Trusty Upbeat Vivid Wise Witty Zesty
"""
_PLEASANT_THINGS = """
    Acorn Almond Aspen Aurora Brook Cedar Clover Comet Coral Daisy Dolphin Falcon Feather Finch
    Garden Harbour Harp Heron Iris Island Koala Lagoon Lantern Lark Lilac Lotus Maple
    Marigold Meadow Meteor Nebula Opal Orchid Osprey Panda Pebble Penguin Planet Puffin Quill River
    Robin Rowan Sailor Sequoia Sparrow Summit Sunrise Thistle Tulip Violin Walnut Willow Wren
"""
ADJECTIVES = tuple(_COMPLIMENTS.split())
NOUNS = tuple(_PLEASANT_THINGS.split())
# Numbers with a second meaning are left out.
NUMBERS = tuple(number for number in range(2, 100) if number not in {14, 18, 28, 67, 69, 88})

_JAPANESE = frozenset({"CJK", "HIRAGANA", "KATAKANA", "LATIN"})
_KOREAN = frozenset({"CJK", "HANGUL", "LATIN"})
_CHINESE = frozenset({"CJK", "BOPOMOFO", "LATIN"})
_WRITTEN_TOGETHER = (_JAPANESE, _KOREAN, _CHINESE)

_SCRIPTS_BY_FIRST_WORD = {
    "ARABIC-INDIC": "ARABIC",
    "EXTENDED": "ARABIC",
    "HENTAIGANA": "HIRAGANA",
    "IDEOGRAPHIC": "CJK",
    "KATAKANA-HIRAGANA": "KATAKANA",
}
"""First words of names of letters and digits that are not the name of their script."""

_NO_SCRIPTS = frozenset({"", "CARON", "MASU", "MODIFIER", "ROMAN", "TURNED", "VERTICAL"})
"""First words of names of so-called letters that belong to no script."""

_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo"})
_MARKS = frozenset({"Mn", "Mc"})
_COMPATIBLE_SCRIPTS = frozenset({"HANGUL", "LAO", "THAI"})
_INVISIBLE = ("FILLER", "INHERENT", "GRAPHEME JOINER", "VARIATION SELECTOR")
_APOSTROPHES = frozenset("\u02bb\u02bc")
_APOSTROPHE_SCRIPTS = frozenset({"LATIN", "CYRILLIC"})
_ACCENT_SCRIPTS = frozenset({"LATIN", "CYRILLIC", "GREEK"})
_LAST_ACCENT = "\u0333"
_MOST_ACCENTS = 1
_MOST_MARKS = 4


def make_nickname(chance: Chance) -> str:
    """Make up a nickname of two pleasant words and a number (R10.1)."""
    return f"{chance.choice(ADJECTIVES)} {chance.choice(NOUNS)} {chance.choice(NUMBERS)}"


def check_nickname(text: str) -> str:
    """Give a nickname in its normal form, or refuse it as `bad_nickname` (R10.2).

    Letters are of one script, or of those that one language writes together, so that no nickname
    poses as another by look-alikes. Marks count nothing, and stand only where a script has them.
    """
    name = unicodedata.normalize("NFC", text).strip(" ")
    characters = sum(unicodedata.category(one) not in _MARKS for one in name)
    if not FEWEST_CHARACTERS <= characters <= MOST_CHARACTERS:
        raise _refusal(f"has {FEWEST_CHARACTERS} to {MOST_CHARACTERS} characters")
    if len(name) > MOST_CODE_POINTS:
        raise _refusal(f"has at most {MOST_CODE_POINTS} code points with its marks")
    if "  " in name:
        raise _refusal("has no two spaces in a row")
    scripts = _scripts(name)
    if not any(map(str.isalnum, name)):
        raise _refusal("has a letter or a digit")
    if len(scripts) > 1 and not any(scripts <= together for together in _WRITTEN_TOGETHER):
        raise _refusal("has letters of one script only")
    return name


def _scripts(name: str) -> frozenset[str]:
    """Name the scripts of all letters and digits; refuses every other character."""
    found = set()
    base, marks = "", ""
    for character in name:
        category = unicodedata.category(character)
        if category in _MARKS:
            marks += character
            if not _takes(base, marks):
                raise _refusal("has marks only where its script has them")
        elif character in _APOSTROPHES:
            if base not in _APOSTROPHE_SCRIPTS:
                raise _refusal("has an apostrophe only after a letter that takes one")
            base, marks = "", ""
        elif character in " -_" or "0" <= character <= "9":
            base, marks = "", ""
        elif category in _LETTERS or category == "Nd":
            base, marks = _script(character), ""
            found.add(base)
        else:
            raise _refusal("consists of letters, digits, single spaces, - and _")
    return frozenset(found)


def _script(character: str) -> str:
    """Name the script of a letter or digit; refuses one that only looks like a plain one."""
    name = unicodedata.name(character, "")
    first, _, _ = name.partition(" ")
    script = _SCRIPTS_BY_FIRST_WORD.get(first, first)
    styled = unicodedata.decomposition(character).startswith("<")
    if (
        script in _NO_SCRIPTS
        or (styled and script not in _COMPATIBLE_SCRIPTS)
        or any(hint in name for hint in _INVISIBLE)
    ):
        raise _refusal("has plain letters and digits only")
    return script


def _takes(script: str, marks: str) -> bool:
    """Tell whether a letter of a script may carry these marks."""
    if not script or len(set(marks)) < len(marks) or len(marks) > _MOST_MARKS:
        return False
    names = [unicodedata.name(mark, "") for mark in marks]
    if any(hint in name for name in names for hint in _INVISIBLE):
        return False
    accents = [mark for mark in marks if "\u0300" <= mark <= _LAST_ACCENT]
    own = [name for name in names if name.partition(" ")[0] == script]
    return len(accents) + len(own) == len(marks) and (
        not accents or (script in _ACCENT_SCRIPTS and len(accents) <= _MOST_ACCENTS)
    )


def _refusal(rule: str) -> Refusal:
    return Refusal(Code.BAD_NICKNAME, f"A nickname {rule}.")
