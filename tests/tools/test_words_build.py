"""The parts of the word list tool that decide, without its downloads (R9)."""

import struct
from pathlib import Path

import pytest

from wordle_tools.words import dawg, digests, hunspell, overrides, sources, uzbek
from wordle_tools.words.agglutination import KAZAKH, UZBEK, is_derived, stems
from wordle_tools.words.indonesian import is_formed
from wordle_tools.words.overrides import Override
from wordle_tools.words.selection import looks_abbreviated
from wordle_tools.words.vocabulary import Vocabulary, fitting
from wordle_tournament.rules.languages import LANGUAGES


def _expand(folder: Path, affixes: str, dictionary: str, longest: int = 20) -> set[str]:
    (folder / "x.aff").write_text(affixes, encoding="utf-8")
    (folder / "x.dic").write_text(dictionary, encoding="utf-8")
    rules = hunspell.read_affixes(folder / "x.aff")
    entries = list(hunspell.read_stems(folder / "x.dic", rules))
    forms = {form for entry in entries for form in hunspell.forms(entry, rules, longest)}
    return forms - hunspell.forbidden(entries, rules)


def test_a_suffix_strips_and_adds_where_its_condition_holds(tmp_path: Path) -> None:
    affixes = "SET UTF-8\nSFX S Y 2\nSFX S y ies [^aeiou]y\nSFX S 0 s [aeiou]y\n"
    assert _expand(tmp_path, affixes, "2\nfly/S\nday/S\n") == {"fly", "flies", "day", "days"}


def test_a_prefix_meets_a_suffix_only_if_both_may_cross(tmp_path: Path) -> None:
    affixes = "PFX U Y 1\nPFX U 0 un .\nSFX D Y 1\nSFX D 0 ed .\nSFX N N 1\nSFX N 0 ness .\n"
    assert _expand(tmp_path, affixes, "1\nfold/UDN\n") == {
        "fold", "unfold", "folded", "unfolded", "foldness",
    }  # fmt: skip


def test_a_suffix_may_take_another(tmp_path: Path) -> None:
    affixes = "SFX A Y 1\nSFX A 0 er/B .\nSFX B Y 1\nSFX B 0 s .\n"
    assert _expand(tmp_path, affixes, "1\nplay/A\n") == {"play", "player", "players"}


def test_a_stem_that_needs_an_affix_is_no_word(tmp_path: Path) -> None:
    affixes = "NEEDAFFIX X\nSFX A Y 1\nSFX A 0 s .\n"
    assert _expand(tmp_path, affixes, "1\nfoo/XA\n") == {"foos"}


def test_what_is_only_in_compounds_or_forbidden_is_no_word(tmp_path: Path) -> None:
    affixes = "ONLYINCOMPOUND O\nFORBIDDENWORD F\nSFX A Y 1\nSFX A 0 s .\n"
    assert _expand(tmp_path, affixes, "3\nfoo/OA\nbar/A\nbars/F\n") == {"bar"}


def test_half_a_circumfix_is_no_word(tmp_path: Path) -> None:
    affixes = (
        "CIRCUMFIX C\nPFX P Y 1\nPFX P 0 ge/C .\nSFX S Y 2\nSFX S 0 t/CQ .\nSFX S 0 en .\n"
        "SFX Q Y 1\nSFX Q 0 e .\n"
    )
    assert _expand(tmp_path, affixes, "1\nlob/PS\n") == {"lob", "loben", "gelobt"}


def test_a_whole_word_is_stripped_only_where_the_dictionary_says_so(tmp_path: Path) -> None:
    affixes = "SFX A Y 1\nSFX A go went go\n"
    assert _expand(tmp_path, affixes, "1\ngo/A\n") == {"go"}
    assert _expand(tmp_path, "FULLSTRIP\n" + affixes, "1\ngo/A\n") == {"go", "went"}


def test_flags_may_be_long_numbered_or_aliased(tmp_path: Path) -> None:
    suffix = "SFX {0} Y 1\nSFX {0} 0 s .\n"
    assert _expand(tmp_path, "FLAG long\n" + suffix.format("Aa"), "1\nfoo/XxAa\n") == {
        "foo",
        "foos",
    }
    assert _expand(tmp_path, "FLAG num\n" + suffix.format("12"), "1\nfoo/3,12\n") == {"foo", "foos"}
    aliased = "AF 1\nAF A\n" + suffix.format("A")
    assert _expand(tmp_path, aliased, "1\nfoo/1\n") == {"foo", "foos"}


def test_forms_longer_than_asked_for_are_left_out(tmp_path: Path) -> None:
    affixes = "SFX A Y 1\nSFX A 0 able .\n"
    assert _expand(tmp_path, affixes, "1\nread/A\n", longest=6) == {"read"}


def _graph(edges: list[int], size: int) -> bytes:
    return struct.pack("<hii", 42, size, len(edges)) + struct.pack(f"<{len(edges)}Q", *edges)


def _edge(letter: int, following: int, *, last: bool, word: bool) -> int:
    return letter | (last | word << 2) << 2 | following << 5


def test_a_word_graph_is_walked_to_all_its_words() -> None:
    graph = _graph(
        [
            _edge(1, 2, last=False, word=False),
            _edge(2, 3, last=True, word=True),
            _edge(2, 0, last=True, word=True),
            _edge(1, 0, last=True, word=True),
        ],
        size=3,
    )
    assert sorted(dawg.words(graph, ["", "a", "b"])) == ["ab", "b", "ba"]


def test_a_broken_word_graph_is_not_read() -> None:
    with pytest.raises(ValueError, match="not a word graph"):
        list(dawg.words(b"\x00" * 20, []))


def test_trained_data_is_split_at_its_offsets() -> None:
    data = struct.pack("<i3q", 3, 28, -1, 31) + b"abcde"
    assert dawg.read_trained_data(data).components == (b"abc", b"", b"de")


def test_characters_are_numbered_from_the_first_line_on() -> None:
    assert dawg.characters("2\nNULL 0 x\nқ 3 y\n".encode()) == [" ", "қ"]


@pytest.mark.parametrize(
    ("cyrillic", "latin"),
    [
        ("ўзбек", "oʻzbek"),
        ("ер", "yer"),
        ("цирк", "sirk"),
        ("лицей", "litsey"),
        ("санъат", "sanʼat"),
    ],
)
def test_cyrillic_uzbek_is_spelled_in_latin(cyrillic: str, latin: str) -> None:
    assert uzbek.latin(cyrillic) == latin


def test_a_foreign_letter_has_no_uzbek_spelling() -> None:
    assert uzbek.latin("ы") == "i"
    assert uzbek.latin("ї") is None


def test_forms_of_known_stems_are_told() -> None:
    uzbek_stems = stems(UZBEK, ["kitob", "yozmoq", "qayiq"])
    assert is_derived(UZBEK, uzbek_stems, "kitobni")
    assert is_derived(UZBEK, uzbek_stems, "yozdi")
    assert is_derived(UZBEK, uzbek_stems, "qayiği")
    assert not is_derived(UZBEK, uzbek_stems, "kitobx")
    kazakh_stems = stems(KAZAKH, ["кітап", "жазу"])
    assert is_derived(KAZAKH, kazakh_stems, "кітабы")
    assert is_derived(KAZAKH, kazakh_stems, "жазды")
    assert not is_derived(KAZAKH, kazakh_stems, "мұғалім")


def test_indonesian_forms_have_one_affix_and_a_stem_of_three_letters() -> None:
    assert is_formed("diraih", {"raih"})
    assert is_formed("lagumu", {"lagu"})
    assert not is_formed("dili", {"li"})


def test_overrides_state_sign_list_words_and_reason() -> None:
    text = "# heading\n\n+guess Selfie, vlog: of today\n-answer o'zbek: a people\n"
    assert list(overrides.parse(text.split("-")[0], LANGUAGES["en"])) == [
        Override(True, "guess", "selfie", "of today"),
        Override(True, "guess", "vlog", "of today"),
    ]
    assert list(overrides.parse("-answer oʻzbek: a people", LANGUAGES["uz"])) == [
        Override(False, "answer", "özbek", "a people")
    ]


@pytest.mark.parametrize(
    "line", ["+guess word", "guess word: why", "+hint word: why", "+guess a: b"]
)
def test_an_override_without_word_or_reason_is_an_error(line: str) -> None:
    with pytest.raises(ValueError, match="line 1"):
        list(overrides.parse(line, LANGUAGES["en"]))


def test_overrides_that_contradict_each_other_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "en.txt"
    path.write_text("+answer word: common\n-guess word: coarse\n", encoding="utf-8")
    with pytest.raises(ValueError, match="both added and dropped"):
        overrides.read(path, LANGUAGES["en"])


def test_an_added_answer_is_a_guess_and_a_dropped_guess_no_answer() -> None:
    """R9.5"""
    decisions = (
        Override(True, "answer", "emoji", "of today"),
        Override(False, "guess", "rude", "coarse"),
        Override(False, "answer", "bland", "dull"),
    )
    guesses, answers = overrides.apply(decisions, {"rude", "bland", "word"}, {"rude", "bland"})
    assert guesses == {"bland", "word", "emoji"}
    assert answers == {"emoji"}


def test_a_digest_tells_languages_apart(tmp_path: Path) -> None:
    digests.write(tmp_path / "blocked.txt", "heading", [("en", "word"), ("nl", "word")])
    found = digests.read(tmp_path / "blocked.txt")
    assert found["en"] == {digests.digest("en", "word")}
    assert found["en"].isdisjoint(found["nl"])


def test_a_vocabulary_takes_only_common_words_of_the_right_length() -> None:
    english = Vocabulary(LANGUAGES["en"])
    assert english.take("naïve", "a")
    assert english.take("naive", "b")
    assert not english.take("Paris", "a")
    assert not english.take("on", "a")
    assert english.spellings == {"naive": {"naïve": {"a"}, "naive": {"b"}}}
    assert english.packages("naive") == {"a", "b"}
    assert english.capitalised == {"paris"}


def test_german_nouns_are_common_words_and_abbreviations_are_not() -> None:
    german = Vocabulary(LANGUAGES["de"])
    assert german.take("Haus", "a")
    assert not german.take("USA", "a")
    assert not german.take("NATO", "a")
    assert german.capitalised == set()


def test_length_is_counted_in_letters() -> None:
    """R9.4"""
    assert fitting(LANGUAGES["uz"], "oʻgʻil") == "öğil"
    assert fitting(LANGUAGES["uz"], "oʻgʻ") is None


@pytest.mark.parametrize("word", ["brrr", "grrrl", "aaah", "ггуу", "psst"])
def test_sounds_and_abbreviations_are_told(word: str) -> None:
    assert looks_abbreviated(word) == (word != "ггуу")


def test_every_source_is_pinned() -> None:
    table = sources.sources()
    assert {source.registry for source in table} == {"debian", "pypi", "npm"}
    assert {source.role for source in table} == {"words", "evidence", "blocklist"}
    assert all(len(source.sha256) == 64 and source.version for source in table)
    assert len({source.folder for source in table}) == len(table)


def test_every_language_has_a_source_of_words() -> None:
    """R9.1"""
    served = {
        code for source in sources.sources() if source.role == "words" for code in source.languages
    }
    assert served == set(LANGUAGES)
