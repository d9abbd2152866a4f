import numpy as np
import pytest

from tf_models.data.batches import TranslationBatches
from tf_models.data.stories import (
    Question,
    StoryLimits,
    StoryVocabulary,
    embedded_questions,
    encode_questions,
    words_read,
)
from tf_models.ids import UNKNOWN_ID

ANNA = "Anna went to the garden."
BEN = "Ben ran home!"
QUESTIONS = [
    Question((ANNA, BEN), "Where is Anna?", "in the garden"),
    Question((BEN,), "Who ran?", "Ben"),
    Question((ANNA, BEN, ANNA), "What?", "milk,tea"),
]


@pytest.fixture
def vocabulary():
    return StoryVocabulary.of(QUESTIONS)


def test_marks_and_capitals_are_not_read():
    assert words_read("Where's Anna, at 7?") == ["where's", "anna", "at", "7"]


def test_what_is_read_and_what_is_written_are_apart(vocabulary):
    assert vocabulary.read.words == (
        *("anna", "ben", "garden", "home", "is", "ran", "the", "to", "went", "what", "where"),
        "who",
    )
    assert vocabulary.written.words == (",", "Ben", "garden", "in", "milk", "tea", "the")


def test_an_answer_comes_back(vocabulary):
    ids = vocabulary.answer_ids("in the garden")
    assert (ids[0], ids[-1]) == (vocabulary.written.start_id, vocabulary.written.end_id)
    assert vocabulary.answer_of([*ids, 3]) == "in the garden"


def test_what_the_vocabulary_does_not_know(vocabulary):
    assert vocabulary.unknown("Where is Clara from, Clara?") == ["clara", "from"]
    assert vocabulary.knows_any("Is Clara?")
    assert not vocabulary.knows_any("Hm, Clara?")
    assert vocabulary.read_ids("Is Clara there?") == vocabulary.read_ids("Is?")
    assert vocabulary.read_ids("!") == vocabulary.read_ids("Clara!") == [0]


def test_batches_hold_the_ids_of_each_question(vocabulary):
    in_order = TranslationBatches(encode(vocabulary), 3, 0).in_order()
    facts, asked, answers, support = next(iter(in_order))
    assert facts.shape == (3, 3, 5)
    order = [1, 0, 2]  # by number of facts
    for row, place in enumerate(order):
        one = QUESTIONS[place]
        for i, fact in enumerate(one.facts):
            ids = vocabulary.read_ids(fact)
            assert facts[row, i].numpy().tolist() == ids + [0] * (5 - len(ids))
        assert not np.any(facts[row, len(one.facts) :])
        assert without_padding(asked[row]) == vocabulary.read_ids(one.question)
        assert without_padding(answers[row]) == vocabulary.answer_ids(one.answer)
        assert tuple(np.flatnonzero(support[row])) == one.support


def test_a_question_without_a_known_word_is_no_row_of_padding(vocabulary):
    """CuDNN refuses a sequence of padding alone."""
    asked = encode_questions([Question((BEN,), "Hm, Clara?", "Ben")], vocabulary).questions
    assert [ids.tolist() for ids in asked] == [[UNKNOWN_ID]]


def encode(vocabulary):
    return encode_questions(QUESTIONS, vocabulary)


def without_padding(ids):
    return [int(i) for i in ids if i]


def test_an_epoch_has_every_question_once_in_its_own_order():
    questions = embedded_questions(70).train
    vocabulary = StoryVocabulary.of(questions)
    batches = TranslationBatches(encode_questions(questions, vocabulary), 8, seed=1)
    again = TranslationBatches(encode_questions(questions, vocabulary), 8, seed=1)
    first, same, second = (of(batches, 0), of(again, 0), of(batches, 1))

    assert len(batches) == 9
    assert first == same != second
    assert sorted(first) == sorted(second)
    assert len(first) == 70


def of(batches, epoch):
    return [
        (tuple(without_padding(np.ravel(story))), tuple(without_padding(asked)))
        for facts, questions, *_ in batches.epoch(epoch)
        for story, asked in zip(facts, questions, strict=True)
    ]


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        (Question((BEN,) * 4, "Who?", ""), "the story has 4 facts, and the model reads 3"),
        (Question((ANNA,), "Who?", ""), f"a sentence has 5 words, and the model reads 4: '{ANNA}'"),
        (Question((BEN,), "Who?", "a b c"), "the answer has 3 words, and the model writes 2"),
        (Question((BEN,), "Who?", "Ben"), None),
    ],
)
def test_what_is_too_long(question, problem):
    assert StoryLimits(facts=3, words=4, answer_words=2).problem(question) == problem
