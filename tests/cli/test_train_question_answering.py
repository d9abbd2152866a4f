import json

import pytest

from tests.support.committed import assert_committed
from tests.support.tiny_runs import command_of


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
