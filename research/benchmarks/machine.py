"""The machine that figures were measured on."""

import datetime
import time
from importlib import metadata

import tensorflow as tf

from tf_models.runtime import available_cores, processor_name

PACKAGES = ("tensorflow", "keras", "torch", "ctranslate2")
SIZES = (1024, 2048)  # rows of square matrices
SECONDS = 0.4  # for each size


class Machine:
    """Describes the machine, in a process of its own as all systems are."""

    def describe(self) -> str:
        """Processor, cores, GEMM peak, versions and date, in one line."""
        installed = {dist.metadata["Name"] for dist in metadata.distributions()}
        versions = [f"{name} {metadata.version(name)}" for name in PACKAGES if name in installed]
        peaks = [f"{dtype} {gemm_peak(dtype) / 1e9:,.0f}" for dtype in ("float32", "bfloat16")]
        return (
            f"{processor_name()}, {available_cores()} cores; GEMM peak in GFLOP/s: "
            f"{', '.join(peaks)}; {', '.join(versions)}; {datetime.date.today().isoformat()}"
        )


def gemm_peak(dtype: str, sizes: tuple[int, ...] = SIZES, seconds: float = SECONDS) -> float:
    """The most FLOP/s of products of square matrices."""
    multiply = tf.function(lambda matrix: tf.matmul(matrix, matrix))
    best = 0.0
    for size in sizes:
        matrix = tf.cast(tf.random.normal((size, size)), dtype)
        multiply(matrix)[0, 0].numpy()  # traced
        until = time.perf_counter() + seconds
        while True:
            started = time.perf_counter()
            multiply(matrix)[0, 0].numpy()  # reading a number waits for the product
            ended = time.perf_counter()
            best = max(best, 2 * size**3 / (ended - started))
            if ended > until:
                break
    return best
