"""Systems in processes of their own, and each comparison from end to end."""

import platform
import subprocess
import sys

import numpy as np
import pytest

from research.benchmarks import decoding, systems, training
from research.benchmarks.systems import System, add_ratios, measure_in_turn
from research.results import Results
from tests.support.eager import eagerly
from tests.support.tiny import TINY


class Counter:
    """A system that counts its rounds."""

    def __init__(self, start):
        if start < 0:
            raise ValueError(f"received {start}")
        self._count = start

    def round(self, step):
        self._count += step
        return {"count": float(self._count)}


def test_systems_are_measured_in_turn():
    results = measure_in_turn({"one": (Counter, 0), "two": (Counter, 10)}, 2, 1, 3)
    assert results == {"one": {"count": [3, 6]}, "two": {"count": [13, 16]}}
    assert results.table()[1].split() == ["one", "4.50", "[3.00,", "6.00]"]


def test_an_error_in_the_other_process_is_raised_here():
    with pytest.raises(RuntimeError, match="received -1"):
        System(Counter, -1, threads=1)


def test_an_ended_system_leaves_no_semaphore():
    program = """
from tqdm import tqdm
from research.benchmarks.systems import System

if __name__ == "__main__":
    with System(tqdm.get_lock, threads=1):
        pass
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.returncode == 0
    assert not ended.stderr


def test_the_last_line_begins_with_the_processor(monkeypatch, tmp_path, capsys):
    cpuinfo = tmp_path / "cpuinfo"
    monkeypatch.setattr(systems, "PROCESSORS", cpuinfo)
    monkeypatch.setattr(platform, "processor", str)  # as on many a Linux
    for text, name in {"cpu\t: 1\nmodel name\t: A: B\n": "A: B", "": platform.machine()}.items():
        cpuinfo.write_text(text)
        systems.report("one", Results(row={"s": [1.0]}), 2)
        assert capsys.readouterr().out.splitlines()[-1].startswith(f"{name}, 2 cores")


def test_ratios_are_those_of_each_round():
    results = Results(one={"s": [2.0, 4.0]}, two={"s": [4.0, 4.0]})
    add_ratios(results, "s", "times")
    assert [of_row["times"] for of_row in results.values()] == [[1, 1], [2, 1]]


def test_a_sample_has_all_lengths():
    sentences = ["a" * (1 + n) for n in np.random.default_rng(0).permutation(100)]
    assert [len(one) for one in decoding.sample(sentences, 5)] == [11, 31, 51, 71, 91]


def test_pytorch_gets_the_batches_and_their_vocabularies(corpus, tmp_path):
    with eagerly():
        system = training.TfModels(training.Task(corpus, TINY, tmp_path), "float32")
    batches, *vocabularies = system.pytorch_data()
    for side, size in enumerate(vocabularies):
        assert max(batch[side].max() for batch in batches) == size - 1  # the end token's id


@pytest.mark.slow
def test_training_from_end_to_end(table, call):
    pytest.importorskip("torch", reason="PyTorch is an optional system")
    sizes = ["num_layers=1", "d_model=16", "num_heads=2", "dff=32", "pieces=80", "batch_size=16"]
    lines = call(
        *("research.benchmarks.training", "--corpus", table, "--seconds", 0.01, "--threads", 1),
        *("--systems", "tutorial", "tf-models-float32", "pytorch-float32", "--rounds", 1),
        *("--set", *sizes),
    )
    assert "cores" in lines[-1]
    rows = [line.split() for line in lines[2:-1]]
    assert [row[0] for row in rows] == ["tutorial", "tf-models-float32", "pytorch-float32"]
    assert all(float(row[1].replace(",", "")) > 0 for row in rows)


@pytest.mark.slow
def test_decoding_from_end_to_end(table, tiny_run, call, monkeypatch):
    pytest.importorskip("ctranslate2", reason="CTranslate2 is an optional system")
    pytest.importorskip("torch", reason="the export needs PyTorch")
    lines = call(
        *("research.benchmarks.decoding", "--corpus", table, "--sentences", 2, "--threads", 1),
        *("--rounds", 1, "--run-dir", tiny_run("translator")),
    )
    assert lines[0].startswith("decoding 2 sentences")
    assert [line.split()[0] for line in lines[2:-1]] == list(decoding.SYSTEMS)


@pytest.mark.slow
def test_vaes_from_end_to_end(tiny_inputs, call):
    pytest.importorskip("torch", reason="PyTorch is an optional system")
    lines = call(
        *("research.benchmarks.vae", "--dataset", tiny_inputs / "rows.npz", "--rounds", 1),
        *("--systems", "tf-models", "pytorch", "--threads", 1, "--set", "units=(5,)", "latents=2"),
    )
    assert "latents" in lines[0]
    assert lines[1].split() == ["tf-models", "pytorch"]
    rows = {line[:20].strip(): line[20:].split() for line in lines[2:-1]}
    assert list(rows) == ["ms an epoch", "loss, nats", "time, tf-models = 1"]
    assert float(rows["time, tf-models = 1"][0]) == 1
