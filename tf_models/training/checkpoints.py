"""Checkpoints from which a run goes on exactly, and from which models are loaded."""

from pathlib import Path

import keras
import numpy as np
import tensorflow as tf

from tf_models.errors import InputError

KEPT = 3  # latest checkpoints on disk, the best one apart
EPOCHS = "epochs"  # folder of the weights to average


class Checkpoints:
    """The checkpoints of one run: the latest few, and the one with the best validation.

    Besides model and optimizer a checkpoint holds the state of every random generator in the
    model, and the training position and running totals given as `progress`, so that a resumed
    run goes the same way to the bit.

    Args:
        folder: where the checkpoints stand.
        model: built.
        optimizer: built.
        progress: further variables by name.
        averaged: number of epochs whose weights stay in the folder `epochs`, to be averaged.
    """

    def __init__(
        self,
        folder: Path,
        model: keras.Model,
        optimizer: keras.optimizers.Optimizer,
        progress: dict[str, tf.Variable],
        averaged: int = 0,
    ):
        checkpoint = tf.train.Checkpoint(
            model=_variables(model), optimizer=_variables(optimizer), **progress
        )
        self._latest = _manager(checkpoint, folder, KEPT)
        self._best = _manager(checkpoint, folder / "best", 1)
        self._epochs = None
        if averaged:
            weights = tf.train.Checkpoint(model=_variables(model))
            self._epochs = _manager(weights, folder / EPOCHS, averaged)

    def restore(self) -> bool:
        """Go back to the latest checkpoint; False if there is none yet.

        Raises:
            InputError: the checkpoint is damaged or of another model.
        """
        path = _newest(Path(self._latest.directory))
        if path is None:
            return False
        with _readable(path):
            self._latest.checkpoint.restore(path).assert_consumed()
        return True

    def save(self, number: int) -> str:
        """Save as ckpt-`number`; return its path.

        Raises:
            InputError: it cannot be written, for example because the disk is full.
        """
        return _save(self._latest, number)

    def save_epoch(self, number: int) -> None:
        """Save the model alone as epochs/ckpt-`number`, if there is to be an average."""
        if self._epochs:
            _save(self._epochs, number)

    def save_best(self, number: int) -> str:
        """Save as best/ckpt-`number`, in place of the best one before."""
        return _save(self._best, number)


def checkpoint_path(folder: Path, which: str) -> str:
    """Path of a checkpoint in `folder`: which = "best", "latest" or a name such as "ckpt-3".

    Raises:
        InputError: there is none.
    """
    if which not in ("best", "latest"):
        path = str(folder / which)
    else:
        # An interrupted first epoch has no best one yet.
        path = (which == "best" and _newest(folder / "best")) or _newest(folder)
    if path is None or not Path(f"{path}.index").is_file():
        raise InputError(f"no {which} checkpoint in {folder}; train first, or name another")
    return path


def load_model(model: keras.Model, path: str) -> None:
    """Load the weights of the built `model` from a checkpoint.

    Raises:
        InputError: the checkpoint is damaged or of another model.
    """
    with _readable(path):
        status = tf.train.Checkpoint(model=_variables(model)).restore(path)
        status.assert_existing_objects_matched()
        status.expect_partial()


def save_model(model: keras.Model, folder: Path) -> None:
    """Save the weights alone as the best checkpoint in `folder`, for `load_model`.

    Raises:
        InputError: they cannot be written.
    """
    weights = tf.train.Checkpoint(model=_variables(model))
    _save(_manager(weights, folder / "best", 1), 1)


def load_average(model: keras.Model, folder: Path) -> None:
    """Load the mean of the weights of the last epochs into the built `model`.

    It is what a falling learning rate would come to: a point within the region around which the
    weights of late epochs jump (Polyak & Juditsky 1992).

    Raises:
        InputError: the run has kept no epochs, or a checkpoint is damaged or of another model.
    """
    paths = [str(path.with_suffix("")) for path in (folder / EPOCHS).glob("ckpt-*.index")]
    if not paths:
        raise InputError(f"{folder} keeps no epochs to average; train with --averaged 5, say")
    sums = None
    for path in paths:
        load_model(model, path)
        values = [weight.numpy().astype(np.float64) for weight in model.trainable_variables]
        sums = values if sums is None else [a + b for a, b in zip(sums, values, strict=True)]
    for weight, total in zip(model.trainable_variables, sums, strict=True):
        weight.assign(total / len(paths))


def _manager(checkpoint, folder: Path, kept: int) -> tf.train.CheckpointManager:
    try:
        return tf.train.CheckpointManager(checkpoint, str(folder), max_to_keep=kept)
    except ValueError:  # a damaged state file, which says no more than the files' names
        (folder / "checkpoint").unlink()
        return tf.train.CheckpointManager(checkpoint, str(folder), max_to_keep=kept)


def _newest(folder: Path) -> str | None:
    """The checkpoint with the highest number that is really there, whatever the state file says."""
    numbers = [int(path.stem.removeprefix("ckpt-")) for path in folder.glob("ckpt-*.index")]
    return str(folder / f"ckpt-{max(numbers)}") if numbers else None


def _variables(owner: keras.Model | keras.optimizers.Optimizer) -> list[tf.Variable]:
    """All variables, in their fixed order.

    tf.train.Checkpoint would find only part of them by itself: it looks into no list of Keras
    layers, and into no random generator.
    """
    return [variable.value for variable in owner.variables]


def _save(manager: tf.train.CheckpointManager, number: int) -> str:
    try:
        return manager.save(checkpoint_number=number)
    except (tf.errors.OpError, OSError) as error:
        raise InputError(
            f"cannot save a checkpoint in {manager.directory}: {_first_line(error)}; "
            f"the last good one is {manager.latest_checkpoint or 'none'}"
        ) from error


class _readable:
    """Turn what TensorFlow raises over a bad checkpoint into one line."""

    def __init__(self, path: str):
        self._path = path

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if isinstance(error, (tf.errors.PermissionDeniedError, PermissionError)):
            raise InputError(f"checkpoint {self._path} may not be read") from error
        # Which of these TensorFlow raises depends on where in the files the damage is.
        if isinstance(error, (tf.errors.OpError, OSError, IndexError, RuntimeError)):
            raise InputError(
                f"checkpoint {self._path} is damaged ({_first_line(error)}); "
                "remove its files to fall back on an earlier one"
            ) from error
        if isinstance(error, (AssertionError, ValueError)) and not isinstance(error, InputError):
            raise InputError(
                f"checkpoint {self._path} is of another model ({_first_line(error)})"
            ) from error


def _first_line(error: Exception) -> str:
    message = getattr(error, "message", None) or str(error) or type(error).__name__
    return message.splitlines()[0][:200]
