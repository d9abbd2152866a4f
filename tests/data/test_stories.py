"""Questions about stories: of files as bAbI's, embedded ones, their ids and batches."""

import numpy as np
import pytest

from tf_models.data.batches import BucketedBatches
from tf_models.data.stories import (
    Question,
    StoryVocabulary,
    encode_questions,
    questions_of_files,
    read_babi,
)
from tf_models.errors import InputError
from tf_models.ids import UNKNOWN_ID

STORIES = """\
1 Mary moved to the bathroom.
2 John went to the hallway.
3 Where is Mary? \tbathroom\t1
4 Mary took the milk.
5 What is Mary carrying?\tmilk\t4
1 Sandra slept.
2 Is Sandra awake?\tno
"""


def test_stories_and_what_their_answers_follow_from(tmp_path):
    path = tmp_path / "qa1_train.txt"
    path.write_text(STORIES)
    mary, john = "Mary moved to the bathroom.", "John went to the hallway."

    assert read_babi(path) == [
        Question((mary, john), "Where is Mary?", "bathroom", (0,), "qa1_train"),
        Question((mary, john, "Mary took the milk."), "What is Mary carrying?", "milk", (2,),
                 "qa1_train"),
        Question(("Sandra slept.",), "Is Sandra awake?", "no", (), "qa1_train"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 Mary slept.\n", "has no question"),
        ("1 Mary slept.\nMary slept.\n", "line 2: expected a number and a fact"),
        ("1 Mary slept.\n2 Who slept?\t\t1\n", "line 2: expected"),
        ("1 Who slept?\tMary\t1\n", "line 1: expected"),
        ("1 Mary slept.\n2 Who slept?\tMary\t7\n", "line 2: expected"),
    ],
)
def test_lines_that_are_not_in_the_format(tmp_path, text, message):
    path = tmp_path / "story.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_babi(path)


def story(name, questions=2):
    lines = [f"1 {name} slept."]
    for i in range(questions):
        lines += [f"{2 * i + 2} {name} woke.", f"{2 * i + 3} Who woke?\t{name}\t{2 * i + 2}"]
    return "\n".join(lines) + "\n"


@pytest.fixture
def files(tmp_path):
    names = [f"Name{i}" for i in range(20)]
    (tmp_path / "qa1_train.txt").write_text("".join(map(story, names[:15])))
    (tmp_path / "qa2_train.txt").write_text("".join(map(story, names[15:])))
    (tmp_path / "qa1_test.txt").write_text(story("Test", 3))
    return tmp_path


def test_whole_stories_validate(files):
    paths = files / "qa1_train.txt", files / "qa2_train.txt"
    found = questions_of_files(paths, [files / "qa1_test.txt"])

    assert (len(found.train), len(found.validation), len(found.test)) == (36, 4, 3)
    trained, validated = ({q.answer for q in side} for side in (found.train, found.validation))
    assert not trained & validated
    assert found.name == "qa1_train, qa2_train"
    assert {q.kind for q in found.train} == {"qa1_train", "qa2_train"}
    assert questions_of_files(paths, [files / "qa1_test.txt"]) == found
    assert questions_of_files(paths, [files / "qa1_test.txt"], seed=1).train != found.train


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
    assert vocabulary.read_ids("Is Clara there?") == vocabulary.read_ids("Is?")
    assert vocabulary.read_ids("!") == vocabulary.read_ids("Clara!") == [0]


def test_batches_hold_the_ids_of_each_question(vocabulary):
    in_order = BucketedBatches(encode(vocabulary), 3, 0).in_order()
    (facts, asked), (answers, support) = next(iter(in_order))
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
    assert asked.ragged().to_list() == [[UNKNOWN_ID]]


def encode(vocabulary):
    return encode_questions(QUESTIONS, vocabulary)


def without_padding(ids):
    return [int(i) for i in ids if i]
