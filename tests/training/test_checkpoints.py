import shutil
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support.tiny import in_folder
from tf_models.errors import InputError
from tf_models.tasks.translation.translator import Translator
from tf_models.training.checkpoints import load_model
from tf_models.training.run_directory import RunDirectory

pytestmark = pytest.mark.usefixtures("line_by_line")


@pytest.fixture(scope="module")
def first_epoch(corpus, tmp_path_factory):
    """A training after its first epoch."""
    training = in_folder(tmp_path_factory.mktemp("runs"), corpus)("run")
    training.loop.fit(1)
    return training


@pytest.fixture
def training(first_epoch, tmp_path):
    """A copy of its run directory, to be damaged, and the model as it was."""
    shutil.copytree(first_epoch.run.path, tmp_path / "run")
    return SimpleNamespace(run=RunDirectory(tmp_path / "run"), model=first_epoch.model)


def truncate(path, share):
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])


def one(folder, suffix):
    (path,) = folder.glob(f"ckpt-*{suffix}")
    return path


def test_every_variable_of_the_model_is_restored(training, prepare):
    """Keras' own tracking would skip the lists of layers, in silence."""
    other = prepare("other", seed=5)
    assert not np.array_equal(other.model.network.variables[0], training.model.network.variables[0])
    load_model(other.model.network, training.run, "latest")

    for ours, theirs in zip(
        other.model.network.variables, training.model.network.variables, strict=True
    ):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("suffix", [".data-00000-of-00001", ".index"])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_truncated_checkpoints_are_named(training, prepare, suffix, share):
    truncate(one(training.run.checkpoints, suffix), share)

    with pytest.raises(InputError, match=r"checkpoint .*ckpt-\d+ is damaged .*earlier one"):
        prepare("run")
    with pytest.raises(InputError, match="is damaged"):
        Translator.load(training.run.path, "latest")
    assert Translator.load(training.run.path, "best").max_length == 32


@pytest.mark.slow
def test_without_its_files_an_earlier_one_serves(prepare):
    """What the message about a damaged checkpoint advises."""
    training = prepare("run", epochs=2)
    training.loop.fit(2)
    for path in training.run.checkpoints.rglob("ckpt-12.*"):
        path.unlink()

    again = prepare("run", epochs=2)
    assert again.step.optimizer.iterations.numpy() == 6
    assert again.loop.fit(2)
    for ours, theirs in zip(
        again.model.network.variables, training.model.network.variables, strict=True
    ):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("text", ["", "garbage {"])
def test_a_damaged_state_file_does_not_start_over(training, prepare, text):
    (training.run.checkpoints / "checkpoint").write_text(text)

    assert prepare("run").step.optimizer.iterations.numpy() == 6


def test_the_best_is_not_the_last(prepare, monkeypatch):
    from tf_models.training.loop import TrainingLoop

    losses = iter([3.0, 1.0, 2.0])
    monkeypatch.setattr(
        TrainingLoop, "_validate", lambda self: [{"val_loss": next(losses), "val_accuracy": 0.0}]
    )
    training = prepare("run")
    training.loop.fit(3)

    assert one(training.run.checkpoints / "best", ".index").stem == "ckpt-12"


def test_a_loss_that_is_no_number_ends_training(prepare, monkeypatch):
    from tf_models.training.loop import TrainingLoop

    losses = iter([3.0, float("nan")])
    monkeypatch.setattr(
        TrainingLoop, "_validate", lambda self: [{"val_loss": next(losses), "val_accuracy": 0.0}]
    )
    training = prepare("run")
    with pytest.raises(
        InputError, match="no longer a number in epoch 2.*lower learning rate.*: ckpt-6$"
    ):
        training.loop.fit(3)
    assert prepare("run").step.optimizer.iterations.numpy() == 6


def test_garbage_in_the_middle_is_noticed(training):
    path = one(training.run.checkpoints / "best", ".data-00000-of-00001")
    data = bytearray(path.read_bytes())
    for start in range(500, len(data), 1000):
        data[start : start + 8] = b"garbage!"
    path.write_bytes(data)

    with pytest.raises(InputError, match="is damaged"):
        Translator.load(training.run.path)


def test_a_checkpoint_of_another_model_is_refused(training, prepare):
    larger = prepare("larger", d_model=32)
    for name in [path.name for path in training.run.checkpoints.glob("ckpt-*")]:
        larger.run.checkpoints.mkdir(exist_ok=True)
        shutil.copy(training.run.checkpoints / name, larger.run.checkpoints / name)

    with pytest.raises(InputError, match="was trained with model.d_model 16, and .* says 32"):
        prepare("larger", d_model=32)


def test_a_run_without_checkpoints(prepare):
    training = prepare("run")
    with pytest.raises(InputError, match="no best checkpoint"):
        Translator.load(training.run.path)
    with pytest.raises(InputError, match="no ckpt-99 checkpoint"):
        Translator.load(training.run.path, "ckpt-99")


def test_before_there_is_a_best_one_the_latest_serves(training):
    shutil.rmtree(training.run.checkpoints / "best")

    assert Translator.load(training.run.path).max_length == 32


def test_a_run_moved_to_another_place_translates(training, tmp_path):
    text = Translator.load(training.run.path).translate(["The dog sees the fox."])
    shutil.move(training.run.path, tmp_path / "elsewhere")

    moved = Translator.load(tmp_path / "elsewhere")
    assert moved.translate(["The dog sees the fox."]) == text


@pytest.mark.slow
def test_the_average_of_the_last_epochs(prepare):
    training = prepare("average", average_last_n=2)
    values = []
    for epoch in (1, 2, 3):
        training.loop.fit(epoch)
        values.append([weight.numpy() for weight in training.model.network.trainable_variables])
    translator = Translator.load(training.run.path, "average")

    for loaded, a, b in zip(translator.model.network.trainable_variables, *values[1:], strict=True):
        np.testing.assert_allclose(loaded.numpy(), (a + b) / 2, atol=1e-7)


def test_no_epochs_to_average(training):
    with pytest.raises(InputError, match="keeps no epochs to average; train with --average-last-n"):
        Translator.load(training.run.path, "average")
