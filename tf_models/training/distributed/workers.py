"""The processes that train together: the first one decides, the others follow."""

import contextlib
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from tf_models.errors import InputError

LOST = (
    tf.errors.UnavailableError,
    tf.errors.DeadlineExceededError,
    tf.errors.AbortedError,
    tf.errors.CancelledError,
    tf.errors.InternalError,
)


@contextlib.contextmanager
def lost_workers_end_it() -> Iterator[None]:
    """Turn what TensorFlow raises when another worker has gone, or has not answered for a long
    time, into an InputError.
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
        def first_and_greatest(value: tf.Tensor) -> Any:
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

    @contextlib.contextmanager
    def chief_first(self) -> Iterator[None]:
        """The chief goes through the block before the others; if it fails there, or a worker is
        lost, an InputError ends the others.
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
        """A block in which another worker may get lost: an InputError then."""
        with lost_workers_end_it() if not self.alone else contextlib.nullcontext():
            yield

    def distribute(self, dataset: tf.data.Dataset, *, repeats: bool = False) -> Any:
        """The batches of a data set, each one shared out among the replicas of all workers.

        All workers have the same data set, and take their own parts. It may begin anew at its end
        (`repeats`) for whoever counts its batches: to find the end, workers ask each other before
        every batch.
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
    """For each batch a part for each replica of this worker: every n-th example, maybe none."""
    replicas = context.num_replicas_in_sync
    here = replicas // context.num_input_pipelines
    first = context.input_pipeline_id * here

    def parts(*batch: tf.Tensor) -> tf.data.Dataset:
        def part(replica: tf.Tensor) -> tuple[tf.Tensor, ...]:
            examples = tf.range(tf.shape(batch[0])[0])[replica::replicas]
            return tuple(tf.gather(tensor, examples) for tensor in batch)

        return tf.data.Dataset.range(first, first + here).map(part)

    return dataset.flat_map(parts).prefetch(2 * here)
