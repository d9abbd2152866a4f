import json

import pytest

from tests.support.committed import assert_committed
from tests.support.tiny_runs import command_of

TINY = [*("--embedding-dim", 8, "--units", 8, "--hops", 1, "--epochs", 1), "--batch-size", 16]
FILE = """\
1 Mary moved to the bathroom.
2 John went to the hallway.
3 Where is Mary?\tbathroom\t1
1 Sandra went to the kitchen.
2 Where is Sandra?\tkitchen\t1
1 John ran to the bathroom.
2 Where is John?\tbathroom\t1
"""
TEST = """\
1 Mary went to the kitchen.
2 Where is Mary?\tkitchen\t1
3 Sandra flew to the moon.
4 Where is Sandra?\tmoon\t3
"""


@pytest.fixture
def babi(tmp_path):
    """The options that name two training files and a test file."""
    for name, text in (("qa1_train", FILE), ("qa2_train", FILE), ("qa1_test", TEST)):
        (tmp_path / f"{name}.txt").write_text(text)
    train, more, test = (tmp_path / f"{n}.txt" for n in ("qa1_train", "qa2_train", "qa1_test"))
    return ["--train", train, more, "--test", test]


@pytest.mark.slow
def test_generated_stories(tiny_inputs, as_users_run_it, tmp_path):
    run_dir, printed = as_users_run_it(*command_of("questions", tiny_inputs))

    assert "2,000 test questions:" in printed
    rows = printed.split("kind ")[1].splitlines()[1:7]
    *kinds, last = (row.split("  ")[0] for row in rows)
    assert set(kinds) == {"where is", "who has", "yes or no", "how many", "before and after"}
    assert last == "all"
    assert "the right words (teacher forcing)" in printed
    assert "its own words (free running)" in printed
    assert printed.count("(right)") + printed.count("(the right answer: ") == 3
    assert {path.stem for path in (run_dir / "figures").iterdir()} == {
        *("training", "attention-where-is", "attention-who-has", "attention-yes-or-no"),
        *("attention-how-many", "attention-before-and-after"),
    }
    config = json.loads((run_dir / "config.json").read_text())
    assert config["kind"] == "question answering"
    assert config["data"]["training_questions"] == 150
    assert_committed("questions", run_dir, tmp_path / "kept")


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_the_same_command_finds_nothing_left_to_do(tiny_inputs, questions_run, call):
    again = call(*command_of("questions", tiny_inputs), "--run-dir", questions_run)
    assert again.status == 0
    assert "resuming after epoch 1" in again.out
    assert "epoch 1/1" not in again.out


@pytest.mark.slow
def test_files_in_the_format_of_babi(babi, call, tmp_path):
    result = call("train_question_answering", *babi, *TINY, "--run-dir", tmp_path / "run")

    assert result.status == 0
    assert "qa1_train, qa2_train: 5 training, 1 validation and 2 test questions" in result.out
    assert "1 of them have an answer with a word that no training answer has" in result.out
    assert "attention-qa1_test.png" in result.out


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"", "story.txt has no question"),
        (b"1 Mary slept.\n", "story.txt has no question"),
        (b"Mary slept.\n", "line 1: expected a number and a fact"),
        (b"1 Mary\0\n", "line 1: NUL byte; expected UTF-8 text"),
        (b"\x89PNG\r\n", "is not UTF-8"),
        (b"1 Mary slept.\n2 Who slept?\tMary\t1\n", "has one story only"),
    ],
)
def test_bad_files(text, complaint, babi, call, tmp_path):
    (tmp_path / "story.txt").write_bytes(text)
    options = ["--train", tmp_path / "story.txt", *babi[3:]]
    result = call("train_question_answering", *options, "--run-dir", tmp_path / "run")
    assert complaint in result.complaint
    assert not (tmp_path / "run").exists()


def test_bad_options(babi, call, tmp_path):
    def complaint(*options):
        result = call("train_question_answering", *options, "--run-dir", tmp_path / "run")
        assert result.status == 2
        assert not (tmp_path / "run").exists()
        return result.complaint

    assert "one of them is missing" in complaint(*babi[:3])
    assert "one of them is missing" in complaint(*babi[3:])
    assert "--train has no --training-questions" in complaint(*babi, "--training-questions", 10)
    assert "hops must be at least 0 and at most 1000; received -1" in complaint("--hops", -1)
    assert "--model lstm has no --hops" in complaint("--model", "lstm", "--hops", 1)
    assert "--model must be one of attention, lstm" in complaint("--model", "gru")
    assert "cannot read" in complaint("--train", tmp_path / "none.txt", *babi[3:])
