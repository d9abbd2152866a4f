"""How TensorFlow shares the cores of a laptop out, and what it compiles for them only once.

Small operations do not spread well over cores. Whole parts of the work do: parts of a batch in
training ("towers"), batches in decoding. So each operation stays on one core where it can.

For every shape of matrices oneDNN compiles a product of its own and keeps a thousand of them. An
epoch of batches of like length has many times as many, and the next epoch the same ones again.
"""

import os

import tensorflow as tf

# With fewer, a tower's matrices are too small to be worth a core of their own.
TOKENS_IN_A_TOWER = 256
IMAGES_IN_A_TOWER = 16

PRODUCTS_KEPT = 100_000  # some kilobytes each


def available_cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def use_cores_for_towers(in_a_batch: int, in_a_tower: int) -> int:
    """Set TensorFlow up to train; return the number of towers to split a batch into.

    Every tower has one core, or several, where there are more cores than towers. Call it before
    TensorFlow computes anything: then its threads are what they are.

    Args:
        in_a_batch: about how many tokens, or images, a batch has.
        in_a_tower: how many a tower has at least.
    """
    cores = available_cores()
    towers = max(1, min(cores, in_a_batch // in_a_tower))
    _set_up(within_operations=max(1, cores // towers), between_operations=cores)
    return towers


def use_cores_for_batches() -> None:
    """Set TensorFlow up to decode or to evaluate: a batch on each core."""
    _set_up(within_operations=1, between_operations=available_cores())


def _set_up(within_operations: int, between_operations: int) -> None:
    # oneDNN reads it when it compiles its first product.
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", str(PRODUCTS_KEPT))
    try:
        tf.config.threading.set_intra_op_parallelism_threads(within_operations)
        tf.config.threading.set_inter_op_parallelism_threads(between_operations)
    except RuntimeError:  # TensorFlow has run something already, and keeps the threads it has
        pass
