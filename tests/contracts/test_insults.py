"""Nicknames that insult are found, and those of ordinary people are not."""

import subprocess
import sys
from itertools import product

import pytest

from wordle_tournament.adapters.insults import ListedInsults
from wordle_tournament.rules.nicknames import ADJECTIVES, NOUNS, NUMBERS

pytestmark = pytest.mark.skipif(
    sys.version_info >= (3, 14), reason="the package has no wheels for this Python"
)

INSULTS = {
    "en": ["shit", "Bitch", "asshole", "dickhead", "Hitler"],
    "id": ["bajingan", "bangsat", "goblok"],
    "de": ["Arschloch", "Wichser", "Scheiße"],
    "es": ["cabrón", "hijo de puta", "maricón"],
    "fr": ["connard", "salope", "enculé"],
    "it": ["stronzo", "vaffanculo", "coglione"],
    "nl": ["klootzak", "kankerhoer"],
    "uz": ["jalab", "qoʻtoq"],
    "pl": ["kurwa", "skurwysyn"],
    "pt": ["caralho", "filho da puta"],
    "kk": ["қотақ", "жәлеп"],
    "ru": ["мудак", "сука", "долбоёб"],
    "uk": ["мудило", "курва", "лайно"],
}

TRICKS = [
    "SHIT",
    "sh1t",
    "5h1t",
    "shiiiit",
    "s h i t",
    "s-h-i-t",
    "s_h_i_t",
    "big shit",
    "big-shit",
    "shit69",
    "69 shit",
    "shít",
    "ЅНІТ",
    "cabron",
    "kurw4",
    "scheisse",
    "enculé 7",
    "cyka",
    "х у й",
]

ORDINARY_NAMES = {
    "en": "Randy, Fanny, Willy, Gaylord, Peter, Regina, Scunthorpe, Cockburn, Essex",
    "id": "Budi, Siti, Agus, Dewi, Putri, Wahyu, Rizky, Ayu, Bambang, Puti, Radit",
    "de": "Jürgen, Günther, Mandy, Hans-Peter, Björn, Käthe, Mona, Anita, Ruprecht, Fuchs",
    "es": "María del Carmen, Concha, José, Iñigo, Peña, Rey, Amador, Montaña, Begoña, Galo",
    "fr": "François, Zoë, Amélie, Benoît, Anaïs, Loïc, Thérèse, Pinto, Océane, Gaël",
    "it": "Lolita, Piccio, Giuseppe, Pina, Niccolò, Chiara, Assunta, Fabio, Titti, Rosario",
    "nl": "de Kok, van Dijk, Mees, Pippa, Sjoerd, Anouk, Joost, Fleur, Wouter, van der Laan",
    "uz": "Oʻtkir, Gʻayrat, Shahnoza, Dilnoza, Jasur, Malika, Sherzod, Botir, Kamola, Amina",
    "pl": "Łukasz, Małgorzata, Jajko, Pompa, Żak, Zbigniew, Szpara, Grażyna, Wojciech, Krystyna",
    "pt": "João, Conceição, Pacífica, Galo, Amália, Inês, Tomé, Simão, Luís, Câmara",
    "kk": "Айгүл, Нұрсұлтан, Қайрат, Жанар, Ербол, Гүлнар, Мұхтар, Сәуле, Тимур, Әсел",
    "ru": "Тит, Иосиф, Суворов, Осип, Святослав, Любовь, Галина, Субботин, Ёлка, Аким",
    "uk": "Сірко, Аніта, Йосип, Остап, Чумак, Козак, Оксана, Їжак, Щербак, Ґалаґан",
}


@pytest.fixture(scope="module")
def insults() -> ListedInsults:
    return ListedInsults()


@pytest.mark.parametrize("language", INSULTS)
def test_insults_of_every_language_are_found(insults: ListedInsults, language: str) -> None:
    """R10.2: whatever language the game is in."""
    missed = [name for name in INSULTS[language] if not insults.are_in(name)]

    assert missed == []


@pytest.mark.parametrize("nickname", TRICKS)
def test_an_insult_is_found_in_disguise(insults: ListedInsults, nickname: str) -> None:
    assert insults.are_in(nickname)


@pytest.mark.parametrize("language", ORDINARY_NAMES)
def test_ordinary_names_of_people_are_no_insults(insults: ListedInsults, language: str) -> None:
    taken_for_insults = [
        name for name in ORDINARY_NAMES[language].split(", ") if insults.are_in(name)
    ]

    assert taken_for_insults == []


def test_no_nickname_that_is_made_up_is_an_insult(insults: ListedInsults) -> None:
    """R10.1: whoever sends theirs back keeps it."""
    for adjective, noun in product(ADJECTIVES, NOUNS):
        number = NUMBERS[len(adjective + noun) * 7 % len(NUMBERS)]
        assert not insults.are_in(f"{adjective} {noun} {number}")


def test_the_lists_are_loaded_by_the_first_question_and_not_before() -> None:
    """No function but `rename` pays for them."""
    program = """
import sys
from wordle_tournament.adapters.insults import ListedInsults
insults = ListedInsults()
print("badwords" in sys.modules, insults.are_in("Otter"), "badwords" in sys.modules)
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert ran.stdout.split() == ["False", "False", "True"]
