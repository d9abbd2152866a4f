"""The run directory: one training each, refused to any other."""

import pytest
from filelock import FileLock, Timeout

from tests.support.small_training import SETTINGS, small_training
from tf_models.errors import InputError
from tf_models.training.run_directory import History, RunDirectory

DATA = {"numbers": "small"}


@pytest.fixture
def trained(tmp_path):
    training = small_training(tmp_path / "run", epochs=1)
    training.fit()
    return training.run


def test_the_same_training_may_resume(trained):
    trained = RunDirectory(str(trained.path))
    trained.prepare("numbers", SETTINGS.changed(epochs=9), DATA, 1)

    assert trained.read_config("numbers")["training"]["epochs"] == 9


@pytest.mark.parametrize(
    ("settings", "data", "seed", "word"),
    [
        (SETTINGS.changed(batch_size=3), DATA, 1, "training.batch_size was 64 and is 3"),
        (SETTINGS, {"numbers": "others"}, 1, "data.numbers"),
        (SETTINGS, DATA, 2, "seed"),
    ],
)
def test_another_training_is_refused(trained, settings, data, seed, word):
    with pytest.raises(InputError, match=word):
        trained.prepare("numbers", settings, data, seed)


def test_a_cosine_decays_over_all_epochs_so_their_number_stays(tmp_path):
    settings = SETTINGS.changed(schedule="cosine")
    small_training(tmp_path / "run", settings=settings, epochs=1).fit()

    with pytest.raises(InputError, match="training.epochs"):
        small_training(tmp_path / "run", settings=settings.changed(epochs=9))


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("Dear Anna")

    with pytest.raises(InputError, match="no run directory"):
        RunDirectory(tmp_path).prepare("numbers", SETTINGS, DATA, 0)
    (tmp_path / "letter.txt").rename(tmp_path / ".unfinished")  # as another machine writes
    RunDirectory(tmp_path).prepare("numbers", SETTINGS, DATA, 0)


def test_two_processes_do_not_train_in_one_directory(trained):
    again = small_training(trained.path)
    with FileLock(trained.lock_file):
        with pytest.raises(Timeout):
            again.fit()
        with pytest.raises(Timeout):  # nor does another one change the settings of the first
            small_training(trained.path, settings=SETTINGS.changed(batch_size=3))


def test_config_json_is_of_the_training_whatever_was_prepared_since(tmp_path):
    training = small_training(tmp_path / "run", epochs=1)
    small_training(tmp_path / "run", settings=SETTINGS.changed(batch_size=3))
    training.fit()
    assert training.run.read_config()["training"]["batch_size"] == 64


@pytest.mark.parametrize(
    ("config", "word"),
    [
        ("{", "damaged"),
        ('{"kind": "numbers"}', "damaged"),
        ('{"kind": "numbers", "format": 4}', "another version"),  # a run of 1.0
        ('{"kind": "letters", "format": 5}', "letters"),
    ],
)
def test_what_is_no_config_of_this_kind_is_refused(trained, config, word):
    trained.config_file.write_text(config)

    with pytest.raises(InputError, match=word):
        trained.read_config("numbers")


def test_history_round_trip():
    history = History([{"epoch": 1, "loss": 0.5}, {"epoch": 2, "loss": 0.25, "val_bleu": 30.0}])
    again = History.parse(history.text)

    assert again.columns()["loss"] == [0.5, 0.25]
    assert again.rows[1] == history.rows[1]


def test_epochs_since_the_best_one():
    rows = [{"val_loss": loss, "val_bleu": bleu} for loss, bleu in [(2, 5), (1, 9), (1, 7)]]

    assert History(rows).epochs_since_best("val_loss") == 1
    assert History(rows).epochs_since_best("val_bleu") == 1
    assert History([*rows, {"val_loss": 0.5, "val_bleu": 9}]).epochs_since_best("val_bleu") == 0


def test_a_damaged_history_is_refused(tmp_path):
    (tmp_path / "history.csv").write_text("epoch,loss\n1,x\n")
    with pytest.raises(InputError, match="damaged"):
        History.read(tmp_path / "history.csv")
