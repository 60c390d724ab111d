"""Hunspell dictionaries as lists of words: every form that their affix rules allow."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

Flags = frozenset[str]

_CODECS = {"ISO8859-1": "latin-1", "ISO8859-2": "iso8859-2", "ISO8859-15": "iso8859-15"}
_SPECIAL = {
    "NEEDAFFIX": "needs_affix",
    "PSEUDOROOT": "needs_affix",
    "FORBIDDENWORD": "forbidden",
    "ONLYINCOMPOUND": "only_in_compound",
    "CIRCUMFIX": "circumfix",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One prefix or suffix: what it strips, what it adds and where it may be used."""

    strip: str
    add: str
    continues: Flags
    condition: re.Pattern[str] | None
    crosses: bool


@dataclass(slots=True)
class Affixes:
    """The affix file of a dictionary; `special` names only the special flags that it uses."""

    codec: str = "utf-8"
    flag_form: str = ""
    aliases: list[str] = field(default_factory=list)
    prefixes: dict[str, list[Rule]] = field(default_factory=dict)
    suffixes: dict[str, list[Rule]] = field(default_factory=dict)
    special: dict[str, str] = field(default_factory=dict)
    strips_whole_words: bool = False

    def flags(self, text: str) -> Flags:
        """Split the flags of a stem or a rule as the file writes them."""
        if self.aliases and text.isdigit():
            text = self.aliases[int(text) - 1]
        if self.flag_form == "long":
            return frozenset(text[at : at + 2] for at in range(0, len(text) - 1, 2))
        if self.flag_form == "num":
            return frozenset(text.split(",")) if text else Flags()
        return frozenset(text)

    def marks(self, meaning: str, flags: Flags) -> bool:
        """Tell whether flags hold the special flag of that meaning."""
        return self.special.get(meaning) in flags


@dataclass(frozen=True, slots=True)
class Stem:
    """An entry of a dictionary file."""

    word: str
    flags: Flags


def read_affixes(path: Path) -> Affixes:
    """Read an affix file; options that do not bear on single words are passed over."""
    data = path.read_bytes()
    encoding = re.search(rb"^(?:\xef\xbb\xbf)?SET[ \t]+(\S+)", data, re.MULTILINE)
    name = encoding.group(1).decode() if encoding else "utf-8"
    affixes = Affixes(codec=_CODECS.get(name, name))
    crossing: dict[tuple[str, str], bool] = {}
    seen_alias_count = False
    for line in _lines(data, affixes.codec):
        match line.split():
            case ["FLAG", form, *_]:
                affixes.flag_form = form
            case ["AF", value, *_]:
                if seen_alias_count:
                    affixes.aliases.append(value)
                seen_alias_count = True
            case ["FULLSTRIP", *_]:
                affixes.strips_whole_words = True
            case [option, flag, *_] if option in _SPECIAL:
                affixes.special[_SPECIAL[option]] = flag
            case ["SFX" | "PFX" as kind, flag, "Y" | "N" as crosses, count, *_] if (
                count.isdigit() and (kind, flag) not in crossing
            ):
                crossing[kind, flag] = crosses == "Y"
            case ["SFX" | "PFX" as kind, flag, strip, add, *rest]:
                table = affixes.suffixes if kind == "SFX" else affixes.prefixes
                crosses_over = crossing.get((kind, flag), False)
                rule = _rule(affixes, kind, strip, add, rest, crosses_over)
                table.setdefault(flag, []).append(rule)
            case _:
                pass
    return affixes


def read_stems(path: Path, affixes: Affixes) -> Iterator[Stem]:
    """Read the entries of a dictionary file in their order."""
    for line in _lines(path.read_bytes(), affixes.codec)[1:]:
        if not line or line[0] in "\t#":
            continue
        word, *flags = re.split(r"(?<!\\)/", line.split("\t")[0], maxsplit=1)
        word = word.strip() if flags else word.strip().split(" ")[0]
        if word:
            yield Stem(word, affixes.flags(flags[0].split(" ")[0].strip()) if flags else Flags())


def forms(stem: Stem, affixes: Affixes, longest: int) -> Iterator[str]:
    """Give the forms of a stem with up to two suffixes and a prefix, each at most `longest` long.

    Longer intermediate forms are followed a little further, since a second affix may shorten them.
    """
    if affixes.marks("forbidden", stem.flags) or affixes.marks("only_in_compound", stem.flags):
        return
    expansion = _Expansion(affixes, longest + 3)
    for word in expansion.forms(stem):
        if len(word) <= longest:
            yield word


def forbidden(stems: list[Stem], affixes: Affixes) -> frozenset[str]:
    """Give the words that the dictionary names only to forbid them."""
    return frozenset(stem.word for stem in stems if affixes.marks("forbidden", stem.flags))


@dataclass(frozen=True, slots=True)
class _Expansion:
    affixes: Affixes
    longest: int

    def forms(self, stem: Stem) -> Iterator[str]:
        if not self.affixes.marks("needs_affix", stem.flags):
            yield stem.word
        if len(stem.word) > self.longest + 3:
            return
        prefixes = [flag for flag in stem.flags if flag in self.affixes.prefixes]
        for flag in stem.flags:
            for word, rule in self._with_suffix(stem.word, flag):
                yield from self._suffixed(word, rule, prefixes)
        for flag in prefixes:
            for word, rule in self._with_prefix(stem.word, flag):
                yield from self._prefixed(word, rule)

    def _suffixed(self, word: str, rule: Rule, prefixes: list[str]) -> Iterator[str]:
        if self._compound_only(rule):
            return
        if self._complete(rule) and not self._half_circumfix(rule):
            yield word
        for flag in () if self._half_circumfix(rule) else rule.continues:
            for longer, second in self._with_suffix(word, flag):
                if self._complete(second) and not self._compound_only(second):
                    yield longer
        if not rule.crosses:
            return
        own = [flag for flag in rule.continues if flag in self.affixes.prefixes]
        for flag in prefixes + own:
            for longer, prefix in self._with_prefix(word, flag):
                if prefix.crosses and self._matches(prefix, rule):
                    yield longer

    def _prefixed(self, word: str, rule: Rule) -> Iterator[str]:
        if self._compound_only(rule):
            return
        if self._complete(rule) and not self._half_circumfix(rule):
            yield word
        for flag in rule.continues:
            for longer, suffix in self._with_suffix(word, flag):
                if self._matches(suffix, rule):
                    yield longer
            for longer, _ in self._with_prefix(word, flag):
                yield longer

    def _complete(self, rule: Rule) -> bool:
        return not self.affixes.marks("needs_affix", rule.continues)

    def _compound_only(self, rule: Rule) -> bool:
        return self.affixes.marks("only_in_compound", rule.continues)

    def _half_circumfix(self, rule: Rule) -> bool:
        return self.affixes.marks("circumfix", rule.continues)

    def _matches(self, rule: Rule, other: Rule) -> bool:
        return self._half_circumfix(rule) == self._half_circumfix(
            other
        ) and not self._compound_only(rule)

    def _with_suffix(self, word: str, flag: str) -> Iterator[tuple[str, Rule]]:
        for rule in self.affixes.suffixes.get(flag, ()):
            if word.endswith(rule.strip) and self._fits(word, rule):
                yield word[: len(word) - len(rule.strip)] + rule.add, rule

    def _with_prefix(self, word: str, flag: str) -> Iterator[tuple[str, Rule]]:
        for rule in self.affixes.prefixes.get(flag, ()):
            if word.startswith(rule.strip) and self._fits(word, rule):
                yield rule.add + word[len(rule.strip) :], rule

    def _fits(self, word: str, rule: Rule) -> bool:
        length = len(word) - len(rule.strip) + len(rule.add)
        return (
            length <= self.longest
            and (len(word) > len(rule.strip) or self.affixes.strips_whole_words)
            and (rule.condition is None or rule.condition.search(word) is not None)
        )


def _rule(
    affixes: Affixes, kind: str, strip: str, add: str, rest: list[str], crosses: bool
) -> Rule:
    added, _, continues = add.partition("/")
    condition = rest[0] if rest and not re.match("[a-z]{2}:", rest[0]) else "."
    return Rule(
        strip="" if strip == "0" else strip,
        add="" if added == "0" else added,
        continues=affixes.flags(continues),
        condition=_condition(kind, condition),
        crosses=crosses,
    )


def _condition(kind: str, text: str) -> re.Pattern[str] | None:
    if text == ".":
        return None
    try:
        return re.compile(f"(?:{text})\\Z" if kind == "SFX" else f"\\A(?:{text})")
    except re.error:
        return None


def _lines(data: bytes, codec: str) -> list[str]:
    return data.decode(codec, "replace").lstrip("\ufeff").replace("\r", "").split("\n")


def rules_of(table: Mapping[str, list[Rule]], flags: Flags) -> Iterator[Rule]:
    """Give the rules that a stem's flags name, flag by flag."""
    for flag in sorted(flags):
        yield from table.get(flag, ())
