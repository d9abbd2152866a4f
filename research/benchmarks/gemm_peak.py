"""How fast this machine multiplies matrices: what utilisation is a share of."""

import time

import tensorflow as tf

SIZES = (1024, 2048)
DTYPES = ("float32", "bfloat16")
SECONDS = 0.4  # for each size and type


class GemmPeak:
    """Multiplies square matrices with TensorFlow.

    Args:
        sizes: rows of the matrices; the fastest size counts.
    """

    def __init__(self, sizes: tuple[int, ...] = SIZES):
        self._matrices = {
            dtype: [tf.cast(tf.random.normal((size, size)), dtype) for size in sizes]
            for dtype in DTYPES
        }
        self._multiply = tf.function(lambda matrix: tf.matmul(matrix, matrix))
        self.measure(seconds=0.0)  # trace

    def measure(self, seconds: float = SECONDS) -> dict[str, float]:
        """The best FLOP/s of all sizes and repetitions, by type.

        Args:
            seconds: for each size and type.
        """
        return {
            dtype: max(self._best(matrix, seconds) for matrix in matrices)
            for dtype, matrices in self._matrices.items()
        }

    def _best(self, matrix: tf.Tensor, seconds: float) -> float:
        until = time.perf_counter() + seconds
        shortest = self._time(matrix)
        while time.perf_counter() < until:
            shortest = min(shortest, self._time(matrix))
        return 2 * matrix.shape[0] ** 3 / shortest

    def _time(self, matrix: tf.Tensor) -> float:
        started = time.perf_counter()
        self._multiply(matrix)[0, 0].numpy()  # reading a number waits for the product
        return time.perf_counter() - started
