"""TensorFlow's functions run line by line, where a test is not about graphs.

To trace a function costs seconds, a step of a tiny model milliseconds. Graphs are what
tests/training, the scripts in processes of their own, and the notebooks run.
"""

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def eagerly() -> Iterator[None]:
    """Within the block no function is traced."""
    import tensorflow as tf

    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(before)
