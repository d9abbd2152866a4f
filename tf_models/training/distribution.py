"""Several devices and machines that train as one: the only module that tells strategies apart.

Each worker is a process, with one replica of the model on each of its devices. Every replica has
its own part of each batch, and all of them apply the same sum of the gradients.
"""

import contextlib
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import tensorflow as tf

from tf_models.errors import InputError
from tf_models.runtime import available_cores, use_cores_for_training
from tf_models.training.run_directory import RunDirectory

TIMEOUT_SECONDS = 1800  # how long a worker waits for one that hangs; one that ended shows at once
ADDRESS = r"\S+:[0-9]{1,5}"
MOST_SHOWN = 1000  # characters of TF_CONFIG
GUIDE = "see docs/distributed.md"
LOST = (
    tf.errors.UnavailableError,
    tf.errors.DeadlineExceededError,
    tf.errors.AbortedError,
    tf.errors.CancelledError,
    tf.errors.InternalError,
)


def make_strategy(name: str) -> tf.distribute.Strategy:
    """The strategy that --strategy names.

    Make it before TensorFlow computes anything.

    Args:
        name: "default" (one device), "mirrored" (all GPUs of this machine), or "multi-worker" (the
            machines that the environment variable TF_CONFIG names).

    Raises:
        InputError: there is none of that name, or TF_CONFIG makes no sense.
    """
    if name not in STRATEGIES:
        raise InputError(f"--strategy must be one of {', '.join(STRATEGIES)}; received {name!r}")
    return STRATEGIES[name]()


def _mirrored() -> tf.distribute.Strategy:
    use_cores_for_training(available_cores())  # the strategy starts TensorFlow
    return tf.distribute.MirroredStrategy()


def _multi_worker() -> tf.distribute.Strategy:
    _check_cluster(os.environ.get("TF_CONFIG", ""))
    use_cores_for_training(available_cores())
    options = tf.distribute.experimental.CommunicationOptions(timeout_seconds=TIMEOUT_SECONDS)
    with lost_workers_end_it():
        return tf.distribute.MultiWorkerMirroredStrategy(communication_options=options)


STRATEGIES: dict[str, Callable[[], tf.distribute.Strategy]] = {
    "default": tf.distribute.get_strategy,
    "mirrored": _mirrored,
    "multi-worker": _multi_worker,
}


def _check_cluster(text: str) -> None:
    """Refuse a TF_CONFIG that TensorFlow would stumble over, or wait with for ever."""
    try:
        config = json.loads(text)
        addresses = config["cluster"]["worker"]
        kind, index = config["task"]["type"], config["task"]["index"]
        right = kind == "worker" and set(config["cluster"]) == {"worker"}
        right = right and isinstance(addresses, list) and len(set(addresses)) == len(addresses)
        right = right and all(re.fullmatch(ADDRESS, one) for one in addresses)
        right = right and type(index) is int and 0 <= index < len(addresses)
    except (ValueError, KeyError, TypeError, RecursionError):
        right = False
    if not right:
        raise InputError(
            "--strategy multi-worker needs TF_CONFIG, as in "
            '{"cluster": {"worker": ["host1:2222", "host2:2222"]}, '
            f'"task": {{"type": "worker", "index": 0}}}}; received {text[:MOST_SHOWN]!r} ({GUIDE})'
        )


@contextlib.contextmanager
def lost_workers_end_it() -> Iterator[None]:
    """Turn what TensorFlow raises when another worker has gone into one line.

    Raises:
        InputError: one has, or it has not answered for `TIMEOUT_SECONDS`.
    """
    try:
        yield
    except LOST as error:
        raise InputError(
            "another worker has ended or no longer answers; start the same command on all of them, "
            "and they go on from the last checkpoint"
        ) from error


class Workers:
    """The processes of one training: the first one, the chief, decides, and the others follow.

    All of them call the same methods in the same order.

    is_chief: whether this process is the chief; a single process is.
    alone: whether there is only one process.
    """

    def __init__(self, strategy: tf.distribute.Strategy):
        resolver = strategy.cluster_resolver
        self._strategy = strategy
        self.alone = resolver is None or len(resolver.cluster_spec().as_dict()["worker"]) == 1
        self.is_chief = self.alone or resolver.task_id == 0

        @tf.function
        def first_and_greatest(value):
            found = strategy.run(_first_and_greatest, args=(value,))
            return strategy.experimental_local_results(found)[0]  # the same on every replica

        self._first_and_greatest = first_and_greatest

    def follow(self, value: float) -> float:
        """The chief's value, of whatever each worker has."""
        return self._exchange(value)[0]

    def any(self, flag: bool) -> bool:
        """Whether a worker says so."""
        return bool(self._exchange(flag)[1])

    def wait(self) -> None:
        """Until all are here."""
        self._exchange(0)

    def _exchange(self, value: float) -> tuple[float, float]:
        """The chief's value, and the greatest one (none is negative)."""
        if self.alone:
            return value, value
        first, greatest = self._first_and_greatest(tf.constant(value, tf.float64)).numpy()
        return float(first), float(greatest)

    def share(self, run: RunDirectory) -> RunDirectory:
        """The directory as this worker may use it: the chief alone writes."""
        return run if self.is_chief else replace(run, writes=False)

    @contextlib.contextmanager
    def chief_first(self) -> Iterator[None]:
        """The chief goes through the block before the others; if it fails there, so do they.

        Raises:
            InputError: the chief has failed, or a worker is lost.
        """
        with self.together():
            if not self.is_chief and not self.follow(False):
                raise InputError("the chief (worker 0) has refused to train; it says why")
            try:
                yield
            except BaseException:
                if self.is_chief:
                    self.follow(False)
                raise
            if self.is_chief:
                self.follow(True)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """A block in which another worker may get lost.

        Raises:
            InputError: one has.
        """
        with lost_workers_end_it() if not self.alone else contextlib.nullcontext():
            yield

    def distribute(self, dataset: tf.data.Dataset, *, repeats: bool = False):
        """The batches of a data set, each one shared out among the replicas of all workers.

        Args:
            dataset: the same on all workers; this one takes its own parts.
            repeats: whether the data set may begin anew at its end, for whoever counts its batches:
                to find the end, workers ask each other before every batch.
        """

        def parts(context: tf.distribute.InputContext) -> tf.data.Dataset:
            if context.num_replicas_in_sync == 1:
                return dataset
            shared = parts_of_batches(dataset, context)
            return shared.repeat() if repeats else shared

        return self._strategy.distribute_datasets_from_function(parts)


def _first_and_greatest(value: tf.Tensor) -> tf.Tensor:
    context = tf.distribute.get_replica_context()
    values = context.all_gather(value[tf.newaxis], axis=0)  # (replicas,)
    return tf.stack([values[0], tf.reduce_max(values)])


def parts_of_batches(
    dataset: tf.data.Dataset, context: tf.distribute.InputContext
) -> tf.data.Dataset:
    """For each batch a part for each replica of this worker: every n-th example, maybe none.

    Args:
        dataset: of batches.
        context: which worker this is, and how many replicas there are.
    """
    replicas = context.num_replicas_in_sync
    here = replicas // context.num_input_pipelines
    first = context.input_pipeline_id * here

    def parts(*batch: tf.Tensor) -> tf.data.Dataset:
        def part(replica: tf.Tensor) -> tuple[tf.Tensor, ...]:
            examples = tf.range(tf.shape(batch[0])[0])[replica::replicas]
            return tuple(tf.gather(tensor, examples) for tensor in batch)

        return tf.data.Dataset.range(first, first + here).map(part)

    return dataset.flat_map(parts).prefetch(2 * here)


def own_noise(generators: list[tf.Variable]) -> contextlib.AbstractContextManager:
    """Within the block, a replica draws other numbers than the others do.

    The generators' states are the same on all replicas before and after it, so that one checkpoint
    is enough.

    Args:
        generators: states of Keras' seed generators, (seed, counter) each.
    """
    return _own_noise(generators) if _replicas() > 1 else contextlib.nullcontext()


def _replicas() -> int:
    return tf.distribute.get_strategy().num_replicas_in_sync


@contextlib.contextmanager
def _own_noise(generators: list[tf.Variable]) -> Iterator[None]:
    number = tf.distribute.get_replica_context().replica_id_in_sync_group
    seeds = [state[0] for state in generators]
    for state in generators:
        state.assign(state + tf.cast(tf.stack([number, 0]), state.dtype))
    yield
    for state, seed in zip(generators, seeds, strict=True):
        state.assign(tf.stack([seed, state[1]]))
