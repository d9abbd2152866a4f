"""In processes apart: threads are set before TensorFlow runs anything."""

import subprocess
import sys

import pytest

from tf_models import cores

SHOW_THREADS = """
import sys
import tensorflow as tf
from tf_models.cores import use_cores_for_towers

if sys.argv[2] == "late":
    tf.zeros(())
towers = use_cores_for_towers(int(sys.argv[1]), 256)
threading = tf.config.threading
print(towers, threading.get_intra_op_parallelism_threads(),
      threading.get_inter_op_parallelism_threads())
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
