"""How TensorFlow shares the cores of a laptop out, and what it compiles for them only once.

Small operations do not spread well over cores. Whole parts of the work do: shards of a batch in
training, batches in decoding. So each operation stays on one core where it can.

For every shape of matrices oneDNN compiles a product of its own and keeps a thousand of them. An
epoch of batches of like length has many times as many, and the next epoch the same ones again.

Nothing here is done by itself: a script, a training or the reader of a TFDS data set asks for it
before TensorFlow computes anything. A notebook that does not ask keeps TensorFlow's own threads.
"""

import os
import platform
import re
from pathlib import Path

PRODUCTS_KEPT = 100_000  # some kilobytes each


def available_cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processor_name() -> str:
    """The processor, as Linux names its model, or as Python knows it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        found = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()


def use_cores_for_training(num_shards: int) -> None:
    """Set TensorFlow up to train: each of the shards of a batch has one core, or several.

    Call it before TensorFlow computes anything: afterwards its threads are what they are.
    """
    cores = available_cores()
    _set_up(within_operations=max(1, cores // num_shards), between_operations=cores)


def use_cores_for_inference() -> None:
    """Set TensorFlow up to decode or to evaluate: a batch on each core. Call it as early."""
    _set_up(within_operations=1, between_operations=available_cores())


def _set_up(within_operations: int, between_operations: int) -> None:
    import tensorflow as tf

    # oneDNN reads it when it compiles its first product.
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", str(PRODUCTS_KEPT))
    try:
        tf.config.threading.set_intra_op_parallelism_threads(within_operations)
        tf.config.threading.set_inter_op_parallelism_threads(between_operations)
    except RuntimeError:  # TensorFlow has run something already, and keeps the threads it has
        pass
