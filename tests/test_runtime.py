"""In processes apart: TensorFlow is set up before it runs anything."""

import os
import subprocess
import sys

import pytest

from tf_models import runtime as cores

SHOW_THREADS = """
import sys
import tensorflow as tf
from tf_models.runtime import use_cores_for_towers

if sys.argv[2] == "late":
    tf.zeros(())
towers = use_cores_for_towers(int(sys.argv[1]), 256)
threading = tf.config.threading
print(towers, threading.get_intra_op_parallelism_threads(),
      threading.get_inter_op_parallelism_threads())
"""

SHAPES = 1200  # more than the 1024 that oneDNN keeps by itself

MULTIPLY_TWICE = f"""
import tensorflow as tf
from tf_models.runtime import use_cores_for_batches

use_cores_for_batches()
multiply = tf.function(tf.matmul, reduce_retracing=True)
for _ in range(2):
    for rows in range(1, 1 + {SHAPES}):
        multiply(tf.ones((rows, 8), tf.bfloat16), tf.ones((8, 8), tf.bfloat16))
"""


@pytest.mark.parametrize(
    ("available", "in_a_batch", "towers"),
    [(1, 4096, 1), (2, 4096, 2), (8, 1024, 4), (8, 100, 1), (2, 0, 1)],
)
def test_towers(monkeypatch, available, in_a_batch, towers):
    monkeypatch.setattr(cores.os, "sched_getaffinity", lambda process: range(available))

    assert cores.use_cores_for_towers(in_a_batch, 256) == towers


@pytest.mark.parametrize("when", ["early", "late"])
def test_a_core_for_a_tower(when):
    command = [sys.executable, "-c", SHOW_THREADS, "1000000", when]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    towers, within, between = map(int, out.split())

    assert towers >= 1
    assert (within, between) == ((1, towers) if when == "early" else (0, 0))


def test_each_product_is_compiled_once():
    command = [sys.executable, "-c", MULTIPLY_TWICE]
    environment = {**os.environ, "ONEDNN_VERBOSE": "2"}
    environment.pop("ONEDNN_PRIMITIVE_CACHE_CAPACITY", None)  # another test's
    out = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    lines = [line for line in out.stdout.splitlines() if "create:cache_miss" in line]
    compiled = [line.rpartition(",")[0] for line in lines]  # without the time that it took
    if len(set(compiled)) < SHAPES:
        pytest.skip("on this processor oneDNN does not compile products of 16-bit floats")

    assert len(compiled) == len(set(compiled))
