"""Checkpoints from which a run goes on exactly, and from which models are loaded."""

import contextlib
import glob
import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import keras
import numpy as np
import tensorflow as tf
from google.protobuf.message import DecodeError
from tensorflow.core.protobuf.trackable_object_graph_pb2 import TrackableObjectGraph

from tf_models.errors import InputError
from tf_models.files import check_is_file, move_together, remove, unfinished_folder
from tf_models.training.outputs import Outputs, change_of_outputs, describe_outputs
from tf_models.training.run_directory import EPOCHS, RunDirectory, differences
from tf_models.training.settings import check_type

KEPT = 3  # latest checkpoints on disk, the best one apart
# Keys of a checkpoint: TensorFlow's graph of objects, and the model's configuration.
OBJECT_GRAPH, CONFIG = "_CHECKPOINTABLE_OBJECT_GRAPH", "config/.ATTRIBUTES/VARIABLE_VALUE"
OUTPUTS = "outputs"  # in that configuration
WHOLE, PART = "ckpt", "part"  # after a validated epoch, or since
BEST = "best"  # folder of the best one
AVERAGE = "average"  # of the last epochs


class Checkpoints:
    """The checkpoints of one run: the latest few, and the one with the best validation.

    ckpt-N is written after a validated epoch, N being the number of optimizer steps. part-N, within
    an epoch or before its validation, goes when the next ckpt-N stands.

    Besides model and optimizer a checkpoint holds the state of every random generator in the
    model, and the training position and running totals given as `progress`, so that a resumed
    run goes the same way to the bit. It says which model it is of, as config.json has it, and what
    the model gives for a fixed input.

    Nothing that a run needs goes before its successor is on the disk: files are written in a
    temporary folder, flushed, and then renamed, the index last.

    Where the run directory is another worker's to write to, nothing is written or removed.

    Args:
        run: its directory.
        model: built.
        optimizer: built.
        progress: further variables by name.
        average_last_n: number of epochs whose weights stay in the folder `epochs`, for
            `load_average`.
        outputs: of the model for a fixed input; None: nothing is said of them.

    `change` says, after `restore`, what has changed in the model's code, or is None.
    """

    def __init__(
        self,
        run: RunDirectory,
        model: keras.Model,
        optimizer: keras.optimizers.Optimizer,
        progress: dict[str, tf.Variable],
        average_last_n: int = 0,
        outputs: Outputs | None = None,
    ):
        self._run, self._folder, self._average_last_n = run, run.checkpoints, average_last_n
        self._model, self._outputs = model, outputs
        self.change: str | None = None
        self._said_at: int | None = None  # number of steps
        weights = _of_model(model, run)
        self._said = weights["config"]
        state = {**weights, "optimizer": _variables(optimizer), **progress}
        self._weights, self._state = tf.train.Checkpoint(**weights), tf.train.Checkpoint(**state)
        self._numbers = [one for one in tf.nest.flatten(state) if one.dtype.is_floating]

    def restore(self) -> bool:
        """Go back to the latest checkpoint; False if there is none yet, an InputError if it is
        damaged or of another model.
        """
        path = _newest(self._folder)
        if path is None:
            return False
        with _readable(path, self._run):
            self._state.read(str(path)).assert_consumed()
        said = json.loads(self._said.numpy())
        self.change = change_of_outputs(
            said.get(OUTPUTS), self._outputs if self._run.writes else None
        )
        self._said_at = None
        return True

    @property
    def newest(self) -> str:
        """Name of the checkpoint that the same command goes on from."""
        path = _newest(self._folder)
        return path.name if path else "none"

    def are_finite(self) -> bool:
        """Whether a checkpoint would be one to go on from: one that is not a number stays so."""
        return all(bool(tf.reduce_all(tf.math.is_finite(one))) for one in self._numbers)

    def save(self, number: int) -> None:
        """Save as ckpt-`number`, after a validated epoch; an InputError if that cannot be
        written.
        """
        self._write(self._state, self._folder, f"{WHOLE}-{number}", KEPT)
        self.delete_partial()

    def save_partial(self, number: int) -> None:
        """Save as part-`number`, unless nothing was trained since the newest checkpoint."""
        newest = _newest(self._folder)
        if newest is None or _number(newest) != number:
            self._write(self._state, self._folder, f"{PART}-{number}", 1)

    def delete_partial(self) -> None:
        """Let the run go on from the last validated epoch."""
        if self._run.writes:
            _keep(0, self._folder, PART)

    def prune(self) -> None:
        """Remove what a kill just after a validated epoch has left of older checkpoints."""
        self.delete_partial()
        _keep(KEPT, self._folder, WHOLE)
        _keep(1, self._folder / BEST, WHOLE)
        _keep(self._average_last_n, self._folder / EPOCHS, WHOLE)

    def save_best(self, number: int) -> None:
        """Copy ckpt-`number` to `best`, in place of the best one before."""
        name = f"{WHOLE}-{number}"

        def copy(prefix: Path) -> None:
            for file in self._folder.glob(f"{name}.*"):
                shutil.copyfile(file, prefix.with_name(file.name))

        if self._run.writes and not (self._folder / BEST / f"{name}.index").exists():
            _store(copy, self._folder / BEST, name, 1)

    def save_epoch(self, number: int) -> None:
        """Save the model alone as epochs/ckpt-`number`, if there is to be an average."""
        name, folder = f"{WHOLE}-{number}", self._folder / EPOCHS
        if self._average_last_n and not (folder / f"{name}.index").exists():
            self._write(self._weights, folder, name, self._average_last_n)

    def _write(self, state: tf.train.Checkpoint, folder: Path, name: str, kept: int) -> None:
        if not self._run.writes:
            return
        if self._said_at != (number := _number(Path(name))):
            self._said.assign(_said_of(self._model, self._run, self._outputs))
            self._said_at = number
        _store(state.write, folder, name, kept)


def checkpoint_path(folder: Path, which: str) -> str:
    """Path of a checkpoint in `folder`: which = "best", "latest" or a name such as "ckpt-3" or
    "epochs/ckpt-3"; an InputError if there is none.
    """
    if which == BEST:  # an interrupted first epoch has no best one yet
        path = next(iter(_numbered(folder / BEST)), None) or _newest(folder)
    else:
        path = _newest(folder) if which == "latest" else folder / which
    if path is None or not Path(f"{path}.index").is_file():
        raise InputError(f"no {which} checkpoint in {folder}; train first, or name another")
    return str(path)


def load_model(
    model: keras.Model, run: RunDirectory, which: str, outputs: Outputs | None = None
) -> None:
    """Load the weights of the built `model` from a checkpoint of a run (see `checkpoint_path`); an
    InputError if that is damaged or of another model. A line on stderr says if the model's
    `outputs` for a fixed input are not what they were.
    """
    with readable(run, which) as path:
        weights = _variables(model)
        # Read into other variables where the checkpoint has 16 bits and the model 32.
        dtypes = tf.train.load_checkpoint(path).get_variable_to_dtype_map()
        names = (f"model/{i}/.ATTRIBUTES/VARIABLE_VALUE" for i in range(len(weights)))
        pairs = zip(weights, map(dtypes.get, names), strict=True)
        stored = [tf.Variable(tf.cast(w, t)) if t == tf.float16 != w.dtype else w for w, t in pairs]
        status = tf.train.Checkpoint(model=stored).read(path)
        status.assert_existing_objects_matched()
        status.expect_partial()
        for weight, value in zip(weights, stored, strict=True):
            if value is not weight:
                weight.assign(tf.cast(value, weight.dtype))
        said = _read_said(path, {})
    if change := change_of_outputs(said.get(OUTPUTS), outputs):
        print(f"{run.path}: {change}", file=sys.stderr)


def save_model(
    model: keras.Model, run: RunDirectory, *, half: bool = False, outputs: Outputs | None = None
) -> None:
    """Save the weights alone as the best checkpoint of a run, for `load_model`.

    With `half` they are saved in 16 bits. What the model gives for a fixed input (`outputs`) is
    saved, too. Raises InputError: they cannot be written, or are not finite.
    """
    check_finite(model, half=half)
    state = _of_model(model, run, outputs)
    if half:  # but the state of a random generator
        halved = [tf.cast(w, tf.float16) if w.dtype.is_floating else w for w in state["model"]]
        state["model"] = list(map(tf.Variable, halved))
    weights = tf.train.Checkpoint(**state)
    _store(weights.write, run.checkpoints / BEST, f"{WHOLE}-1", 1)


def check_finite(model: keras.Model, *, half: bool = False) -> None:
    """Raise an InputError with the name of the first weights that are infinite or no numbers, or
    become so in 16 bits (`half`).
    """
    for weight in model.trainable_variables:
        for dtype in (weight.dtype, "float16") if half else (weight.dtype,):
            if not tf.reduce_all(tf.math.is_finite(tf.cast(weight.value, dtype))):
                bits = " in 16 bits; keep 32" if dtype == "float16" else "; take another checkpoint"
                raise InputError(f"the weights {weight.path} are not finite{bits}")


def weights_fingerprint(run: RunDirectory, which: str) -> str:
    """16 hexadecimal digits that tell a run's weights from others (for errors see `readable`)."""
    digest = hashlib.sha256()
    for name in _names(run, which):
        with readable(run, name) as path:
            reader = tf.train.load_checkpoint(path)
            for variable in sorted(reader.get_variable_to_shape_map()):
                if variable.startswith("model/"):
                    digest.update(np.asarray(reader.get_tensor(variable)).tobytes())
    return digest.hexdigest()[:16]


def half_fingerprint(model: keras.Model) -> str:
    """16 hexadecimal digits that tell a model's weights in 16 bits from others: those of a page, or
    of a small run directory, are the same.
    """
    digest = hashlib.sha256()
    for weight in model.trainable_variables:
        digest.update(weight.numpy().astype("<f2").tobytes())
    return digest.hexdigest()[:16]


def kept_epochs(run: RunDirectory) -> list[str]:
    """Names of the checkpoints of the last epochs, if a run keeps them, the first one first."""
    return [f"{EPOCHS}/{path.name}" for path in reversed(_numbered(run.checkpoints / EPOCHS))]


def _names(run: RunDirectory, which: str) -> list[str]:
    """Names of the checkpoints whose weights `which` has."""
    if which != AVERAGE:
        return [which]
    if names := kept_epochs(run):
        return names
    raise InputError(
        f"{run.checkpoints} keeps no epochs to average; train with --average-last-n 5, say"
    )


def load_average(model: keras.Model, run: RunDirectory, outputs: Outputs | None = None) -> None:
    """Load the average of the last n checkpoints, one an epoch, into the built `model`.

    It is what a falling learning rate would come to: a point within the region around which the
    weights of late epochs jump (Polyak & Juditsky 1992). For `outputs` of the last epoch see
    `load_model`. Raises InputError: the run has kept no epochs, or a checkpoint is damaged or of
    another model.
    """
    names, weights = _names(run, AVERAGE), model.trainable_variables
    sums = [np.zeros(weight.shape, np.float64) for weight in weights]
    for name in reversed(names):
        load_model(model, run, name, outputs if name == names[-1] else None)
        for total, weight in zip(sums, weights, strict=True):
            total += weight.numpy()
    for weight, total in zip(weights, sums, strict=True):
        weight.assign(total / len(names))


def _store(write: Callable[[Path], object], folder: Path, name: str, kept: int) -> None:
    """Let `write` make the files of a checkpoint, and keep so many of its kind."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with unfinished_folder(folder) as temporary:
            write(temporary / name)
            move_together(sorted(temporary.glob(f"{name}.*")), folder)  # .data…, then .index
        _keep(kept, folder, name.split("-")[0])
    except (tf.errors.OpError, OSError) as error:
        raise InputError(
            f"cannot save a checkpoint in {folder}: {_first_line(error)}; "
            "the last one is whole, and the same command goes on from it"
        ) from error


def _keep(count: int, folder: Path, kind: str) -> None:
    """Remove all but the latest checkpoints of a kind, and what a kill has left of one."""
    try:
        for path in _numbered(folder, kind)[count:]:
            remove(path.with_suffix(".index"))  # first: without it there is no checkpoint
        for data in folder.glob(f"{kind}-*.data-*"):
            if not data.with_suffix(".index").exists():
                remove(data)
    except OSError as error:
        raise InputError(f"cannot remove old checkpoints in {folder}: {error.strerror}") from error


def _newest(folder: Path) -> Path | None:
    """The checkpoint to go on from, which is really there: with most steps, a validated one first.

    The best one serves if the others are gone.
    """
    found = [*_numbered(folder / BEST), *_numbered(folder, PART), *_numbered(folder)]
    return max(reversed(found), key=_number, default=None)


def _numbered(folder: Path, kind: str = WHOLE) -> list[Path]:
    """Checkpoints in a folder, without suffix, those with most steps first; no other files."""
    paths = [path.with_suffix("") for path in folder.glob("*-*.index") if path.is_file()]
    named = [path for path in paths if re.fullmatch(rf"{kind}-[0-9]+", path.name)]
    return sorted(named, key=_number, reverse=True)


def _number(path: Path) -> int:
    return int(path.name.split("-")[1])


def _of_model(model: keras.Model, run: RunDirectory, outputs: Outputs | None = None) -> dict:
    """What a checkpoint holds of the model: its variables, and what is said of it."""
    said = tf.Variable(_said_of(model, run, outputs), trainable=False)
    return {"model": _variables(model), "config": said}


def _said_of(model: keras.Model, run: RunDirectory, outputs: Outputs | None) -> str:
    """What config.json says of the model, and its outputs for a fixed input: JSON."""
    said = {OUTPUTS: describe_outputs(outputs(), model.compute_dtype)} if outputs else {}
    return json.dumps({**run.read_model(), **said})


def _read_said(path: str | Path, otherwise: dict) -> dict:
    """What a checkpoint says of its model; `otherwise` of an old one."""
    reader = tf.train.load_checkpoint(str(path))
    return json.loads(reader.get_tensor(CONFIG)) if reader.has_tensor(CONFIG) else otherwise


def _check_model(path: str | Path, run: RunDirectory) -> None:
    """Refuse a damaged checkpoint, and one of a model that is not the one of config.json.

    Weights are restored by their place: more heads, say, take the same ones and mean nothing.
    """
    for file in Path(path).parent.glob(f"{glob.escape(Path(path).name)}.*"):
        check_is_file(file)
    reader = tf.train.load_checkpoint(str(path))
    try:
        TrackableObjectGraph.FromString(reader.get_tensor(OBJECT_GRAPH))
        now = run.read_model()
        trained = _read_said(path, now)
        check_type("its config", trained, dict)
        trained = {name: value for name, value in trained.items() if name != OUTPUTS}
        changed = list(differences(trained, now))
    except InputError:  # of config.json
        raise
    except (DecodeError, ValueError, TypeError, RecursionError) as error:
        raise RuntimeError(str(error)) from error  # damage
    for name, before, after in changed:
        raise InputError(
            f"checkpoint {path} was trained with {name} {before!r}, and {run.config_file} says "
            f"{after!r}; put the trained value back into it"
        )


def _variables(owner: keras.Model | keras.optimizers.Optimizer) -> list[tf.Variable]:
    """All variables, in their fixed order.

    tf.train.Checkpoint would find only part of them by itself: it looks into no list of Keras
    layers, and into no random generator.
    """
    return [variable.value for variable in owner.variables]


@contextlib.contextmanager
def readable(run: RunDirectory, which: str) -> Iterator[str]:
    """Yield the path of a checkpoint, of "average" the last one's; in the block its model is built,
    or it is read. Errors are those of `load_model`.
    """
    path = checkpoint_path(run.checkpoints, _names(run, which)[-1])
    with _readable(path, run):
        yield path


@contextlib.contextmanager
def _readable(path: str | Path, run: RunDirectory) -> Iterator[None]:
    """Check that a checkpoint is of a run's model; turn what TensorFlow raises into one line."""
    try:
        _check_model(path, run)
        yield
    except InputError:  # which is a ValueError, too
        raise
    except (tf.errors.PermissionDeniedError, PermissionError) as error:
        raise InputError(f"checkpoint {path} may not be read") from error
    # Which of these TensorFlow raises depends on where in the files the damage is.
    except (tf.errors.OpError, OSError, IndexError, RuntimeError) as error:
        raise InputError(
            f"checkpoint {path} is damaged ({_first_line(error)}); "
            "remove its files to fall back on an earlier one"
        ) from error
    except (AssertionError, ValueError) as error:
        raise InputError(f"checkpoint {path} is of another model ({_first_line(error)})") from error


def _first_line(error: Exception) -> str:
    message = getattr(error, "message", None) or str(error) or type(error).__name__
    line = re.sub(r"\{\{.*?\}\} ?", "", message.splitlines()[0])  # which node of a graph it was
    return line if len(line) <= 200 else f"{line[:100]} … {line[-100:]}"  # the reason comes last
