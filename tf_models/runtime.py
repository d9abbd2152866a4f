"""Threads of TensorFlow on the cores of a laptop, and the cache of compiled products.

Small operations do not spread well over cores. Whole parts of the work do: shards of a batch in
training, batches in decoding. So each operation stays on one core where it can.

For each shape of matrices oneDNN compiles a product, and it caches a thousand of them. An epoch of
bucketed batches has many times as many shapes, and the next epoch the same ones again.

A command calls this before TensorFlow computes anything; afterwards its threads are what they are.
A notebook that does not call it keeps TensorFlow's own threads.
"""

import os

CACHED_PRODUCTS = 100_000  # some kilobytes each


def available_cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def use_cores_for_training(num_shards: int) -> None:
    """Set TensorFlow up to train: each shard of a batch has one core, or several."""
    cores = available_cores()
    _set_up(within_operations=max(1, cores // num_shards), between_operations=cores)


def use_cores_for_inference() -> None:
    """Set TensorFlow up to decode or to evaluate: a batch on each core."""
    _set_up(within_operations=1, between_operations=available_cores())


def _set_up(within_operations: int, between_operations: int) -> None:
    import tensorflow as tf

    # oneDNN reads this when it compiles its first product
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", str(CACHED_PRODUCTS))
    try:
        tf.config.threading.set_intra_op_parallelism_threads(within_operations)
        tf.config.threading.set_inter_op_parallelism_threads(between_operations)
    except RuntimeError:  # TensorFlow has computed something already
        pass
