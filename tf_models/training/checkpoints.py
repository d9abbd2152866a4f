"""Checkpoints of a run: latest, best, and last epochs to average."""

from pathlib import Path

import keras
import numpy as np
import tensorflow as tf

from tf_models.errors import InputError, StrPath

KEPT = 3  # latest checkpoints, from which a training resumes
BEST = "best"  # folder of the epoch with the best validation; a checkpoint's name, too
EPOCHS = "epochs"  # folder of the last epochs' weights
AVERAGE = "average"  # name of their mean
VALUE = "model/{}/.ATTRIBUTES/VARIABLE_VALUE"  # key of the model's i-th variable
RESTORE_ERRORS = (tf.errors.OpError, AssertionError, ValueError, RuntimeError, IndexError)


class Checkpoints:
    """Writes and restores the checkpoints of a training.

    They hold weights, optimizer, random states and the variables of `progress`: a resumed training
    has the same results, to the bit. TensorFlow writes under a temporary name, renames, and only
    then names the new checkpoint as the latest, so that a kill leaves one that is whole.

    `tf.train.Checkpoint(model=model)` silently misses lists of layers, and random generators.

    Args:
        folder: folder of the checkpoints.
        model: built, with a built optimizer.
        progress: further variables, by name.
        average_last_n: epochs whose weights are kept, for `load_weights` with "average".
    """

    def __init__(
        self,
        folder: StrPath,
        model: keras.Model,
        progress: dict[str, tf.Variable],
        average_last_n: int = 0,
    ):
        folder = Path(folder)
        self._model = model
        weights = tf.train.Checkpoint(model=[variable.value for variable in model.variables])
        optimizer = [variable.value for variable in model.optimizer.variables]
        state = tf.train.Checkpoint(model=weights.model, optimizer=optimizer, **progress)
        self._latest = tf.train.CheckpointManager(state, str(folder), KEPT)
        self._best = tf.train.CheckpointManager(weights, str(folder / BEST), 1)
        self._epochs = None
        if average_last_n:
            folder = folder / EPOCHS
            self._epochs = tf.train.CheckpointManager(weights, str(folder), average_last_n)

    def restore(self) -> bool:
        """Go back to the latest checkpoint; False if there is none."""
        path = self._latest.latest_checkpoint
        if path is None:
            return False
        try:
            self._latest.checkpoint.restore(path).assert_consumed()
        except RESTORE_ERRORS as error:
            raise _damaged(path, error) from error
        return True

    def check_weights(self) -> None:
        """Raise an InputError if a weight is no longer a number."""
        if not all(tf.reduce_all(tf.math.is_finite(w)) for w in self._model.trainable_variables):
            raise InputError(
                "the loss is no longer a number; lower the learning rate or pass --clip-norm. "
                f"The last good checkpoint is {self._latest.latest_checkpoint}"
            )

    def save(self, epoch: int | None = None, is_best: bool = False) -> None:
        """Save the state; after an epoch also the weights, as best or to average.

        Raises:
            InputError: a weight is no longer a number.
        """
        self.check_weights()
        if is_best:
            self._best.save(epoch)
        if epoch and self._epochs:
            self._epochs.save(epoch)
        self._latest.save()


def _damaged(path: str, error: Exception) -> InputError:
    reason = (str(error).strip() or type(error).__name__).splitlines()[0]
    return InputError(f"{path} is damaged or of another model: {reason}")


def checkpoint_path(folder: StrPath, which: str) -> str:
    """Path of a checkpoint: "best", "latest", "ckpt-3", "epochs/ckpt-4" …

    Raises InputError: there is none of that name in a run's folder of checkpoints.
    """
    folder = Path(folder)
    latest = tf.train.latest_checkpoint(folder)
    best = tf.train.latest_checkpoint(folder / BEST) or latest  # a first epoch has none yet
    path = {BEST: best, "latest": latest}.get(which, str(folder / which))
    if path is None or not Path(f"{path}.index").is_file():
        raise InputError(f"no {which} checkpoint in {folder}; train first, or name another")
    return path


def kept_epochs(folder: StrPath) -> list[str]:
    """Names of the last epochs' checkpoints that a run keeps, oldest first."""
    state = tf.train.get_checkpoint_state(str(Path(folder, EPOCHS)))
    paths = state.all_model_checkpoint_paths if state else []
    return [f"{EPOCHS}/{Path(path).name}" for path in paths]


def load_weights(model: keras.Model, folder: StrPath, which: str) -> None:
    """Load weights and random states into a built model.

    "average" is the mean of the last epochs (Polyak & Juditsky 1992): a point within the region
    around which late epochs jump; other names are those of `checkpoint_path`.

    Raises:
        InputError: there is no such checkpoint, or it is damaged or of another model.
    """
    names = kept_epochs(folder) if which == AVERAGE else [which]
    if not names:
        raise InputError(f"{folder} keeps no epochs to average; train with --average-last-n 5")
    paths = [checkpoint_path(folder, name) for name in names]
    try:
        readers = [tf.train.load_checkpoint(path) for path in paths]
        for i, variable in enumerate(model.variables):
            values = [reader.get_tensor(VALUE.format(i)) for reader in readers]
            mean = values[0] if len(values) == 1 else np.mean(values, axis=0, dtype=np.float64)
            variable.assign(tf.cast(mean, variable.dtype))
    except RESTORE_ERRORS as error:
        raise _damaged(paths[-1], error) from error
