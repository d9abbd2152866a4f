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
    assert {path.stem for path in (run_dir / "figures").iterdir()} == {
        *("training", "attention-where-is", "attention-who-has", "attention-yes-or-no"),
        *("attention-how-many", "attention-before-and-after"),
    }
    config = json.loads((run_dir / "config.json").read_text())
    assert config["kind"] == "question answering"
    assert config["data"]["training_questions"] == 150
    assert_committed("questions", run_dir, tmp_path / "kept")


@pytest.mark.slow
def test_files_in_the_format_of_babi(babi, call, tmp_path):
    result = call("train_question_answering", *babi, *TINY, "--run-dir", tmp_path / "run")

    assert result.status == 0
    assert "qa1_train, qa2_train: 5 training, 1 validation and 2 test questions" in result.out
    assert "attention-qa1_test.png" in result.out
