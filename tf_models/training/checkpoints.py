"""Checkpoints of a run: the latest few, the best one, the last epochs to average."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import keras
import numpy as np
import tensorflow as tf

from tf_models.errors import InputError

KEPT = 3  # latest checkpoints, from which a training resumes
BEST = "best"  # folder of the epoch with the best validation; a checkpoint's name, too
EPOCHS = "epochs"  # folder of the last epochs' weights
AVERAGE = "average"  # name of their mean
VALUE = "model/{}/.ATTRIBUTES/VARIABLE_VALUE"  # key of the model's i-th variable


class Checkpoints:
    """Writes and restores the checkpoints of a training.

    They hold weights, optimizer, random states, and whatever `progress` lists: a resumed training
    goes the same way, to the bit. TensorFlow writes under a temporary name, renames, and only then
    names the new checkpoint as the latest, so a kill leaves one that is whole.

    Variables are listed by hand: `tf.train.Checkpoint(model=model)` misses lists of layers and
    random generators of a Keras 3 model, silently.

    Args:
        folder: of the checkpoints.
        model: built, with a built optimizer.
        progress: further variables, by name.
        average_last_n: epochs whose weights are kept, for `load_weights` with "average".
    """

    def __init__(
        self,
        folder: Path,
        model: keras.Model,
        progress: dict[str, tf.Variable],
        average_last_n: int = 0,
    ):
        weights = {"model": [variable.value for variable in model.variables]}
        state = {
            "optimizer": [variable.value for variable in model.optimizer.variables],
            **progress,
        }
        self._latest = _manager(folder, {**weights, **state}, KEPT)
        self._best = _manager(folder / BEST, weights, 1)
        self._epochs = None
        if average_last_n:
            self._epochs = _manager(folder / EPOCHS, weights, average_last_n)

    def restore(self) -> bool:
        """Go back to the latest checkpoint; False if there is none."""
        path = self._latest.latest_checkpoint
        if path is None:
            return False
        try:
            self._latest.checkpoint.restore(path).assert_consumed()
        except (tf.errors.OpError, AssertionError, ValueError, IndexError) as error:
            raise InputError(f"{path} is damaged or of another model: {_line(error)}") from error
        return True

    def save(self) -> None:
        """Save the state of the training."""
        _save(self._latest)

    def save_epoch(self, epoch: int, is_best: bool) -> None:
        """Save the weights of a validated epoch, where they may be asked for later."""
        if is_best:
            _save(self._best, epoch)
        if self._epochs:
            _save(self._epochs, epoch)


def _manager(
    folder: Path, variables: dict[str, list[tf.Variable] | tf.Variable], kept: int
) -> tf.train.CheckpointManager:
    return tf.train.CheckpointManager(tf.train.Checkpoint(**variables), str(folder), kept)


def _save(manager: tf.train.CheckpointManager, number: int | None = None) -> None:
    for weight in manager.checkpoint.model:
        if weight.dtype.is_floating and not tf.reduce_all(tf.math.is_finite(weight)):
            raise InputError(
                "the loss is no longer a number; lower the learning rate or pass --clip-norm. "
                f"The last good checkpoint is {manager.latest_checkpoint}"
            )
    try:
        manager.save(checkpoint_number=number)
    except (tf.errors.OpError, OSError) as error:
        raise InputError(
            f"cannot save a checkpoint in {manager.directory}: {_line(error)}; the last one is "
            "whole, and the same command resumes from it"
        ) from error


def _line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def checkpoint_path(folder: Path, which: str) -> str:
    """Path of a checkpoint in a run's folder of checkpoints.

    Args:
        folder: of the checkpoints.
        which: "best", "latest", or a name such as "ckpt-3" or "epochs/ckpt-4".

    Raises:
        InputError: there is none.
    """
    if which == BEST:  # an interrupted first epoch has none yet
        path = tf.train.latest_checkpoint(folder / BEST) or tf.train.latest_checkpoint(folder)
    else:
        path = tf.train.latest_checkpoint(folder) if which == "latest" else str(folder / which)
    if path is None or not Path(f"{path}.index").is_file():
        raise InputError(f"no {which} checkpoint in {folder}; train first, or name another")
    return path


def kept_epochs(folder: Path) -> dict[int, str]:
    """Names of the checkpoints of the last epochs that a run keeps, by the epochs' numbers."""
    state = tf.train.get_checkpoint_state(str(folder / EPOCHS))
    names = [Path(path).name for path in state.all_model_checkpoint_paths] if state else []
    return {int(name.rpartition("-")[2]): f"{EPOCHS}/{name}" for name in names}


def load_weights(model: keras.Model, folder: Path, which: str) -> None:
    """Load weights and random states into a built model.

    "average" is the mean of the last epochs (Polyak & Juditsky 1992): a point within the region
    around which late epochs jump.

    Args:
        model: of the same settings.
        folder: of the checkpoints.
        which: "average", or as for `checkpoint_path`.

    Raises:
        InputError: there is no such checkpoint, or it is damaged or of another model.
    """
    if which == AVERAGE:
        paths = [str(folder / name) for name in kept_epochs(folder).values()]
        if not paths:
            raise InputError(f"{folder} keeps no epochs to average; train with --average-last-n 5")
    else:
        paths = [checkpoint_path(folder, which)]
    readers = [_Reader(path) for path in paths]
    for i, variable in enumerate(model.variables):
        values = [reader.read(i, variable.shape) for reader in readers]
        mean = values[-1] if len(values) == 1 else np.mean(values, axis=0, dtype=np.float64)
        variable.assign(tf.cast(mean, variable.dtype))


class _Reader:
    """Reads a model's variables from a checkpoint; an InputError for a damaged one."""

    def __init__(self, path: str):
        self._path = path
        with self._one_line():
            self._reader = tf.train.load_checkpoint(path)

    def read(self, number: int, shape: tuple[int, ...]) -> np.ndarray:
        """Value of the model's variable of this number and shape."""
        with self._one_line():
            value = np.asarray(self._reader.get_tensor(VALUE.format(number)))
            if value.shape != tuple(shape):
                raise ValueError(f"shape {value.shape} in place of {tuple(shape)}")
        return value

    @contextlib.contextmanager
    def _one_line(self) -> Iterator[None]:
        try:
            yield
        except (tf.errors.OpError, ValueError, RuntimeError, IndexError) as error:
            message = f"{self._path} is damaged or of another model: {_line(error)}"
            raise InputError(message) from error
