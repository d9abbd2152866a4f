import pytest

from tf_models.data.text.word_list import WordList

TRAINING = [
    "Yesterday the old dog didn't sleep.",
    "So Bill has 25 cats at 7:30, and Bill's café is well-known!",
    "The USA and Anna.",
    "Now I pay 3.50 for the teachers' books.",
]


@pytest.fixture(scope="module")
def words():
    return WordList.of(TRAINING)


@pytest.mark.parametrize("sentence", TRAINING)
def test_what_was_met_is_known(words, sentence):
    assert words.unknown(sentence) == {}


@pytest.mark.parametrize(
    "sentence",
    [
        "Dog, cats and The Old Café",  # a sentence may begin with any word
        "The dog didn't sleep yesterday.",  # a word that only began sentences
        "BILL AND THE DOG DIDN'T SLEEP.",
        "Anna's dog's cats' DOG'S café",  # possessives
        "At 8:15 I pay 9.99 for 30 books!",  # numbers of forms that were met
    ],
)
def test_other_forms_of_what_was_met_are_known(words, sentence):
    assert words.unknown(sentence) == {}


@pytest.mark.parametrize(
    ("sentence", "unknown"),
    [
        ("The petrified dog.", {"petrified": None}),
        ("I pay the bill and the usa, anna.", {"bill": "Bill", "usa": "USA", "anna": "Anna"}),
        ("Kowalczyk and the PETRIFIED dog", {"Kowalczyk": None, "PETRIFIED": None}),
        (
            "12345 cats at 19:45; I pay 5 €",
            {"12345": None, "19:45": None, ";": None, "5": None, "€": None},
        ),
        ("The known dog didn't.", {"known": None}),  # "well-known" is a word of its own
        ("The bone, the bone's bone", {"bone": None, "bone's": None}),
        ("the 🙂 dog 🙂", {"🙂": None}),
        ("", {}),
    ],
)
def test_what_was_never_met(words, sentence, unknown):
    found = words.unknown(sentence)
    assert list(found.items()) == list(unknown.items())


def test_a_name_that_only_began_sentences():
    """Its capital says nothing, so nothing is said."""
    assert WordList.of(["Kenji sleeps."]).unknown("kenji Kenji sleeps.") == {}


def test_the_list_is_sorted_and_holds_no_numbers(words):
    assert words.text.split()[:5] == ["!", ",", ".", "0.00", "00"]
    assert "0:00" in words.words
    assert "25" not in words.text
    assert WordList(words.text) == words
