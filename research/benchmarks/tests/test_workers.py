import os
from collections import Counter

import psutil
import pytest

from research.benchmarks.cores import CAN_PIN
from research.benchmarks.quiet import WaitBudget
from research.benchmarks.workers import Worker
from tf_models.errors import InputError
from tf_models.tasks.translation.settings import preset


def test_made_once_and_asked_often():
    with Worker("counter", Counter, "aab", threads=1) as worker:
        worker.ask("update", "ccc")

        assert worker.ask("most_common", 2) == [("c", 3), ("a", 2)]
        measured = worker.measure("total", wait=WaitBudget(0))

    assert measured.result == 6
    assert 0 <= measured.other_cpu_share <= 1


def test_its_environment_is_its_own(monkeypatch):
    monkeypatch.delenv("TF_CPP_MIN_LOG_LEVEL")
    with Worker("environment", os.getenv, "TF_CPP_MIN_LOG_LEVEL", threads=1) as worker:
        assert worker.ask("__str__") == "3"

    assert "TF_CPP_MIN_LOG_LEVEL" not in os.environ


@pytest.mark.skipif(not CAN_PIN, reason="this system pins no process")
def test_it_keeps_to_its_cores():
    with Worker("cores", psutil.Process, threads=1) as worker:
        assert len(worker.ask("cpu_affinity")) == 1


def test_input_errors_are_passed_on():
    with pytest.raises(InputError, match="preset must be one of .*; received 'huge'"):
        Worker("settings", preset, "huge", threads=1)


def out_of_memory():
    import tensorflow as tf

    raise tf.errors.ResourceExhaustedError(None, None, "OOM when allocating tensor with shape[9]")


def test_a_model_that_is_too_large_is_one_line():
    with pytest.raises(InputError, match=r"not enough memory.*\(shape\[9\] does not fit\)"):
        Worker("giant", out_of_memory, threads=1)


def test_other_errors_come_with_their_traceback():
    with (
        Worker("counter", Counter, threads=1) as worker,
        pytest.raises(RuntimeError, match=r"(?s)counter failed:.*most_uncommon"),
    ):
        worker.ask("most_uncommon")


def test_a_process_that_dies():
    with pytest.raises(InputError, match="the process of victim ended with status 3"):
        Worker("victim", os._exit, 3, threads=1)
