"""What a tokenizer's alphabet lacks is read as something plain, or left out and named."""

import pytest

from tf_models.data.text.alphabet import Alphabet

LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzé .,'-!¿1/")
alphabet = Alphabet(LETTERS.issuperset)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("it’s a dog – really…", "it's a dog - really..."),
        ("a\u00a0dog\u202f!", "a dog !"),
        ("ﬁsh ａnd 1⁄1 ½", "fish and 1/1"),
        ("a dog。", "a dog."),
        ("soft\u00adhyphen zero\u200bwidth \u200eleft", "softhyphen zerowidth left"),
        ("a\tdog", "a dog"),
        ("naïve café", "naive café"),
        ("“a dog” ‹a›", "a dog 'a'"),
        ("cafe\u0301", "café"),
    ],
)
def test_what_means_the_same_is_read(text, read):
    assert alphabet.read(text) == read


@pytest.mark.parametrize("emoji", ["🙂", "🙂🙂", "🙂 🙂", "❤️", "👨\u200d👩\u200d👧", "猫", "🇩🇪"])
@pytest.mark.parametrize(
    "text", ["{} a dog sleeps.", "a {} dog sleeps.", "a dog sleeps {}.", "a dog sleeps. {}"]
)
def test_what_is_left_out_leaves_the_sentence_as_it_was(text, emoji):
    assert alphabet.read(text.format(emoji)) == "a dog sleeps."
    assert list(alphabet.lacking(text.format(emoji)).values()) == [""]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a dog sleeps🙂.", "a dog sleeps."),
        ("a🙂 dog", "a dog"),
        ("a 🙂dog", "a dog"),
        ("do猫g", "dog"),
        ("dort 🙂\u202f!", "dort !"),  # French has a space there
        ("it costs €1.", "it costs 1."),
        ("猫🙂", ""),
    ],
)
def test_spaces_around_what_is_left_out(text, read):
    assert alphabet.read(text) == read


def test_spaces_around_and_between_words_are_one():
    assert alphabet.read("  a\u3000 dog . é\n") == "a dog . é"
    assert alphabet.lacking("  a\u3000 dog . é\n") == {}


def test_a_mark_that_was_met_stands_for_one_that_was_not():
    """As of a French corpus whose apostrophes are all typographic."""
    reader = Alphabet(set("aeilm ’'-?？").issuperset, never_met="'-?")

    assert reader.read("l'ami - a?") == "l’ami - a？"
    assert Alphabet(set("aelm ’").issuperset).read("l'âme") == "l’ame"
    assert Alphabet(set("aiml’'‘").issuperset, never_met="'’").read("l'ami") == "l‘ami"


def test_what_is_left_out_stays_in_the_text_that_words_are_counted_in():
    assert alphabet.plainer("a 🙂 dog’s naïve") == "a 🙂 dog's naive"


def test_what_is_not_seen_is_not_named():
    assert alphabet.lacking("soft\u00adhyphen zero\u200bwidth \u200eleft\u0007") == {}


def test_what_is_lacking_is_named_once_in_order():
    lacking = alphabet.lacking("a 🙂猫 dog’s naïve ½ 🙂猫 €…")
    assert list(lacking.items()) == [("🙂猫", ""), ("½", ""), ("€", ""), ("ï", "i")]
