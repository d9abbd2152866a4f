import shutil
import sys

import pytest

from tf_models.errors import InputError
from tf_models.training.history import History
from tf_models.training.repeats import Repeats, best_values, course, metrics_of

TRAIN = """
import sys
from pathlib import Path
*_, seed, _, run_dir = sys.argv
Path(run_dir).mkdir(parents=True, exist_ok=True)
(Path(run_dir) / "history.csv").write_text(f"epoch,loss,val_loss\\n1,3,{seed}\\n2,2,5\\n")
"""
COMMAND = [sys.executable, "-c", TRAIN]


def failing(how):
    return [sys.executable, "-c", f"import os, sys; {how}"]


def test_each_seed_has_a_run_directory(tmp_path):
    repeats = Repeats(tmp_path / "runs")
    assert repeats.train(COMMAND, [2, 1]) == 0

    assert repeats.finished == [1, 2]
    values = best_values(repeats.histories([1, 2]), "val_loss")
    assert (values.values, values.mean, values.range) == ([1.0, 2.0], 1.5, (1.0, 2.0))


def test_what_has_finished_is_known_later(tmp_path):
    Repeats(tmp_path).train(COMMAND, [1])
    later = Repeats(tmp_path)

    assert later.has_finished(COMMAND, 1)
    assert not later.has_finished(COMMAND, 2)
    assert not later.has_finished([*COMMAND, "--epochs", "9"], 1)  # longer, say


def test_what_has_finished_stays_so_when_the_project_moves(tmp_path):
    script = tmp_path / "here" / "train_it.py"
    script.parent.mkdir()
    script.write_text(TRAIN)
    Repeats(tmp_path / "runs").train([sys.executable, str(script)], [1])

    assert Repeats(tmp_path / "runs").has_finished(["/other/python", "/other/train_it.py"], 1)
    assert not Repeats(tmp_path / "runs").has_finished(["/other/python", "/other/train.py"], 1)


def test_what_has_not_finished_is_not_noted(tmp_path):
    repeats = Repeats(tmp_path)
    assert repeats.train(failing("sys.exit(130)"), [1, 2]) == 130
    with pytest.raises(InputError, match="signal 9 ended the training with seed 1; the same"):
        repeats.train(failing("os.kill(os.getpid(), 9)"), [1])

    assert Repeats(tmp_path).finished == []


def test_a_damaged_list_is_named(tmp_path):
    for text in ("{", "[]", '{"finished": {"x": []}}', '{"finished": 3}'):
        (tmp_path / "repeats.json").write_text(text)
        with pytest.raises(InputError, match=r"repeats.json is damaged; remove it"):
            Repeats(tmp_path)


def history(tmp_path, name, *rows):
    found = History(tmp_path / name)
    found.rows += [{"epoch": epoch, **row} for epoch, row in enumerate(rows, start=1)]
    return found


@pytest.fixture
def histories(tmp_path):
    """Two seeds: the second has an epoch more, and BLEU from its second epoch on."""
    one = [{"val_loss": 3.0, "val_bleu": 10.0}, {"val_loss": 2.0, "val_bleu": 30.0}]
    two = [{"val_loss": 5.0}, {"val_loss": 3.0, "val_bleu": 20.0}, {"val_loss": 9.0}]
    return {0: history(tmp_path, "one", *one), 7: history(tmp_path, "two", *two)}


def test_mean_and_range_over_the_epochs_that_all_have(histories):
    assert course(histories, "val_loss") == ([1, 2], [4.0, 2.5], [3.0, 2.0], [5.0, 3.0])
    assert course(histories, "val_bleu") == ([2], [25.0], [20.0], [30.0])


def test_the_best_epoch_of_each_seed_counts(histories):
    assert best_values(histories, "val_loss").values == [2.0, 3.0]
    assert best_values(histories, "val_bleu").values == [30.0, 20.0]


def test_metrics_that_all_seeds_have(histories, tmp_path):
    assert metrics_of(histories) == ["val_bleu", "val_loss"]
    without = {**histories, 9: history(tmp_path, "three", {"val_loss": 1.0})}
    assert metrics_of(without) == ["val_loss"]
    for nothing in ({}, {0: history(tmp_path, "four")}):
        with pytest.raises(InputError, match="no epoch yet that all seeds have finished"):
            metrics_of(nothing)


def test_a_run_that_was_removed_is_not_finished(tmp_path):
    Repeats(tmp_path).train(COMMAND, [1, 2])
    shutil.rmtree(tmp_path / "seed-1")
    later = Repeats(tmp_path)

    assert later.finished == [2]
    assert not later.has_finished(COMMAND, 1)


def test_two_commands_in_one_folder(tmp_path):
    one, other = Repeats(tmp_path), Repeats(tmp_path)
    one.train(COMMAND, [1])
    other.train(COMMAND, [2])

    assert Repeats(tmp_path).finished == [1, 2]
