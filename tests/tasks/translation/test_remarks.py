"""What is said of sentences that are unlike those of the training."""

import json
import lzma

import pytest

from tf_models.data.text.alphabet import PLAIN_MARKS
from tf_models.data.text.sentence_encoder import SentenceEncoder
from tf_models.data.text.tokenizer import train_tokenizer
from tf_models.data.text.word_list import WordList
from tf_models.errors import InputError
from tf_models.tasks.translation.remarks import Remarks, TrainingSentences, count_sentences
from tf_models.tasks.translation.translator import Translator
from tf_models.training.run_directory import RunDirectory

TRAINING = ["Am I ill?", "He's in the USA.", "You, too!", 'He said: "OK."', "So Anna has 2 cats."]
WORDS = WordList.of(TRAINING)
COUNTED = [  # sentences, language, text
    (2, "en", "Hello. How are you?"),
    (2, "en", "hello. how are you?"),
    (3, "en", "What?! No. It is 5 p.m."),
    (2, "en", '"Stop!" "Why?"'),
    (2, "en", "So do I. She too."),
    (2, "en", "She is 25. He is 30."),
    (2, "en", "No. I do not."),
    (1, "en", "No. 5 is red."),
    (1, "en", "Mr. Lee and Dr. J. K. Rowling live in the U.S. Army's St. Anne."),
    (1, "en", '"Stop!" he said, e.g. to Anna.'),
    (1, "en", "Well... I know... Anna"),
    (1, "en", "I pay 3.50 at 7:30. "),
    (1, "de", "Am 3. Mai kam z. B. Frau Prof. Lee."),
    (2, "de", "Am 3. Mai kam er. Hast du ihn gesehen?"),
    (1, "en", ""),
]
SAID = {  # of a sentence
    "He has petrified cats.": "not in the training sentences, so guessed: petrified",
    "anna and i": "not in the training sentences, so guessed: anna (Anna is known), and, "
    "i (I is known)",
    "Anna. Am I ill?": "2 sentences on one line; give each a line of its own",
    "I AM ILL.": "capitals throughout, and no training sentence was",
    "HE IS HERE. ANNA?": "2 sentences on one line; give each a line of its own; capitals "
    "throughout, and no training sentence was; not in the training sentences, so guessed: IS, HERE",
}
SILENT = [*TRAINING, "USA!", "OK", "I?", "3", "Anna, he's ill!"]
SENTENCES = [*SAID, *SILENT, *(text for *_, text in COUNTED)]


def remarks(sentence, tokens=9):
    return TrainingSentences(10, WORDS).remarks(sentence, tokens, "en")


@pytest.mark.parametrize("sentence", SILENT)
def test_nothing_is_said_of_what_training_had(sentence):
    assert remarks(sentence) == Remarks()
    assert str(remarks(sentence)) == ""


@pytest.mark.parametrize(("sentence", "line"), SAID.items())
def test_one_line_says_what_training_did_not_have(sentence, line):
    assert str(remarks(sentence)) == line


@pytest.mark.parametrize(
    ("sentence", "noticed"),
    [
        ("Das Tier schläft.", True),
        ("Tier!", True),
        ("Im Haus ist Anna.", True),  # "in" and "Anna" are known of both sides
        ("The Tier sleeps in Haus.", False),
        ("The house is petrified.", False),
        ("Anna sleeps in Bonn!", False),
    ],
)
def test_a_sentence_of_the_target_language_is_noticed(tmp_path, sentence, noticed):
    run = RunDirectory(tmp_path)
    source = WordList.of(["The animal sleeps in the house .", "the war is here, Anna !"])
    target = WordList.of(["Das Tier schläft im Haus .", "in Bonn ist Krieg, Anna !"])
    TrainingSentences(10, source, target).save(run)
    found = TrainingSentences.load(run, 64).remarks(sentence, 5, "en")

    line = "its words are those of the target language; is it translated already?"
    assert found.in_target_language == noticed
    assert (str(found) == line) == noticed


def test_a_sentence_longer_than_all_of_training():
    assert str(remarks("I am ill.", tokens=10)) == ""
    assert remarks("I am ill.", tokens=11) == Remarks(tokens=11, longest=10)
    line = "11 tokens, and the longest training sentence 10"
    assert str(remarks("I am ill.", tokens=11)) == line


@pytest.mark.parametrize(("count", "language", "text"), COUNTED)
def test_sentences_are_counted_and_abbreviations_are_not(count, language, text):
    assert count_sentences(text, language) == count


def test_what_is_kept_of_training_comes_back(tmp_path):
    run = RunDirectory(tmp_path)
    kept = TrainingSentences(10, WORDS)
    kept.save(run)

    assert TrainingSentences.load(run, 64) == kept
    assert json.loads(lzma.decompress(run.words_file.read_bytes())) == {
        "longest": 10,
        "words": "! \" , . 0 : ? Anna I OK USA am cats has he he's ill in said so the too you",
    }


def test_runs_without_a_list_say_nothing_of_words(tmp_path):
    """Those of earlier versions, and of prepared corpora; no sentence was longer than the limit."""
    run = RunDirectory(tmp_path)
    TrainingSentences(10).save(run)
    without = TrainingSentences.load(run, 64)

    assert not run.words_file.exists()
    assert without.remarks("The petrified station", 64, "en") == Remarks()
    assert without.remarks("A B", 65, "en") == Remarks(tokens=65, longest=64)
    assert without.remarks("I AM ILL.", 5, "en") == Remarks(in_capitals=True)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"words",
        lzma.compress(b"{"),
        lzma.compress(b"[]"),
        lzma.compress(b'{"words": "a b"}'),
        lzma.compress(b'{"words": "a b", "longest": null}'),
        lzma.compress(json.dumps({"words": "a", "longest": 3}).encode())[:-9],
    ],
)
def test_a_damaged_list_is_one_line(tmp_path, data):
    run = RunDirectory(tmp_path)
    run.words_file.write_bytes(data)

    with pytest.raises(InputError, match=r"words.json.xz is damaged .*; remove it to go on"):
        TrainingSentences.load(run, 64)


def test_typographic_marks_are_read_as_plain_ones(tmp_path):
    tokenizer = train_tokenizer(["""it's 'his' "dog" …"""], "en", 80, tmp_path / "m")
    encoder = SentenceEncoder(tokenizer, 42)

    assert encoder.alphabet.read("it’s „his“ ‘his’ «dog»…") == """it's "his" 'his' "dog"…"""
    assert encoder.encode("it’s") == encoder.encode("it's")
    assert encoder.alphabet.lacking("it’s") == {}


def test_a_mark_that_only_the_other_language_has_is_read_as_a_plain_one(tmp_path):
    """One model may serve both languages: its alphabet says nothing of what was read."""
    joint = train_tokenizer(["it's « his » \" …", "c’est “ton” chien"], "en", 80, tmp_path / "m")
    training = TrainingSentences(10, WordList.of(["it's « his » …"]))
    encoder = SentenceEncoder(joint, 42, never_met=training.never_met)

    assert set(PLAIN_MARKS) - set(training.never_met) == set("«»…")
    assert encoder.alphabet.read("it’s «“his”» …") == "it's ««his«» …"
    assert SentenceEncoder(joint, 42).alphabet.read("it’s") == "it’s"


def test_the_result_says_what_training_did_not_have(random_translator):
    training = TrainingSentences(4, WordList.of(["the dog sleeps ."]))
    model, tokenizers = random_translator.model, random_translator.tokenizers
    translator = Translator(model, tokenizers, 42, training=training)
    sentences = ["the dog", "The petrified dog’s cat sleeps ."]
    known, unknown = translator.translate(sentences, beam_size=2, n_best=2)

    assert {found.remarks.in_capitals for found in known} == {False}
    assert [list(found.remarks.unknown_words) for found in unknown] == [["petrified", "cat"]] * 2
    assert unknown[0].remarks == translator.remarks(sentences[1])
    tokens = len(translator.source.encode(sentences[1]))
    assert (unknown[0].remarks.tokens, unknown[0].remarks.longest) == (tokens, 4)


def test_who_only_scores_translations_does_not_wait_for_remarks(random_translator, monkeypatch):
    asked = []
    monkeypatch.setattr(random_translator, "remarks", asked.append)
    (found,), (other,) = random_translator.translate(["the dog", "the cat"])
    assert not asked

    assert found.remarks is other.remarks is None
    assert asked == ["the dog", "the cat"]
