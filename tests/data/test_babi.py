import pytest

from tf_models.data.stories import Question, read_babi
from tf_models.errors import InputError

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


def test_an_answer_is_spelt_as_a_model_writes_it(tmp_path):
    path = tmp_path / "qa8.txt"
    path.write_text("1 Mary took the milk.\n2 What does Mary carry?\tapple,milk\n")
    assert [one.answer for one in read_babi(path)] == ["apple, milk"]


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
