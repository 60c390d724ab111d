"""Words built from stem and suffix, for languages whose dictionaries list few forms."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Morphology:
    """The suffixes of a language in canonical letters, and which stem ends soften before them."""

    noun_suffixes: frozenset[str]
    verb_suffixes: frozenset[str]
    softened: Mapping[str, str]
    verb_stems: Callable[[str], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Stems:
    """Known words, and the verb stems that follow from them."""

    words: frozenset[str]
    verbs: frozenset[str]


def _listed(suffixes: str) -> frozenset[str]:
    return frozenset(suffixes.split())


UZBEK = Morphology(
    noun_suffixes=_listed(
        "lar ni ning ga da dan ka qa i si im ing imiz ingiz m ng miz ngiz lari ini iga ida "
        "idan sini siga sida man san mi mas cha gina day dek li siz lik chi dagi ligi lab roq"
    ),
    verb_suffixes=_listed(
        "di dim ding dik diq ma may mas mang ib b ar r adi ydi ay yin yay sa sam sang gan kan "
        "qan ish sh uv v moqda guncha gach ka gin ing ingiz sin arkan gani il in lar tir dir "
        "kaz giz gaz kiz qiz ga tar yotgan ol magan masin mish a y ti"
    ),
    softened={"ğ": "q", "g": "k", "v": "p"},
    verb_stems=lambda word: (
        word[: -len(ending)]
        for ending in ("moq", "ish", "sh")
        if word.endswith(ending) and len(word) > len(ending) + 1
    ),
)

KAZAKH = Morphology(
    noun_suffixes=_listed(
        "ы і сы сі ын ін сын сін ына іне сына сіне нда нде да де та те дан ден тан тен нан нен "
        "ға ге қа ке на не ды ді ты ті ны ні дың дің тың тің ның нің лар лер дар дер тар тер "
        "мен бен пен дай дей тай тей лы лі лық лік дық дік тық тік сыз сіз ша ше м ң ым ім ың "
        "ің мыз міз дағы дегі тағы тегі"
    ),
    verb_suffixes=_listed(
        "ды ді ты ті дым дім тым тім дың дің тың тің дық дік тық тік ған ген қан кен ғаны гені "
        "ып іп п а е й ады еді йді са се сам сем саң сең сақ сек ар ер р ма ме ба бе па пе май "
        "мей бай бей пай пей мас мес бас бес пас пес ғалы гелі қалы келі ғанда атын етін йтін "
        "уі уы уға уге уда уде удан уден ушы уші іңіз ыңыз айық ейік йық йік сын сін ғыш гіш "
        "қыш кіш ғы гі қы кі мын мін"
    ),
    softened={"г": "к", "ғ": "қ", "б": "п"},
    verb_stems=lambda word: (
        (word[:-1], word[:-1] + "ы", word[:-1] + "і")
        if word.endswith("у") and len(word) > 2
        else (word[:-1] + "й",)
        if word.endswith("ю") and len(word) > 2
        else ()
    ),
)


def stems(morphology: Morphology, words: Iterable[str]) -> Stems:
    """Take words as noun stems, and find the verb stems among them."""
    known = frozenset(words)
    verbs = frozenset(stem for word in known for stem in morphology.verb_stems(word))
    return Stems(known, verbs)


def is_derived(morphology: Morphology, known: Stems, word: str) -> bool:
    """Tell whether a word is a known stem of two letters or more with one suffix."""
    return is_verb_form(morphology, known, word) or any(
        stem in known.words for stem in _stems_before(morphology, word, morphology.noun_suffixes)
    )


def is_verb_form(morphology: Morphology, known: Stems, word: str) -> bool:
    """Tell whether a word is a known verb stem with one suffix."""
    return any(
        stem in known.verbs for stem in _stems_before(morphology, word, morphology.verb_suffixes)
    )


def _stems_before(morphology: Morphology, word: str, suffixes: frozenset[str]) -> Iterator[str]:
    for at in range(2, len(word)):
        if word[at:] in suffixes:
            stem = word[:at]
            yield stem
            if stem[-1] in morphology.softened:
                yield stem[:-1] + morphology.softened[stem[-1]]
