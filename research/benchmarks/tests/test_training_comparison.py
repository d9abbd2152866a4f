import numpy as np
import pytest

from research.benchmarks.flops import TransformerSizes, training_flop
from research.benchmarks.gemm_peak import GemmPeak
from research.benchmarks.systems import TRAINING_SYSTEMS
from research.benchmarks.training_comparison import compare_training
from research.benchmarks.training_systems import TrainingSystem


def test_tokens_of_a_round_are_those_that_were_predicted():
    batch = (np.array([[7, 3, 8, 0], [7, 3, 3, 8]]), np.array([[9, 4, 1, 0, 0], [9, 5, 5, 5, 1]]))
    sizes = TransformerSizes(1, 2, 3, 10)
    calls = []
    system = TrainingSystem()
    system.start(lambda *ids: calls.append(ids), [batch], sizes)
    done = system.round(seconds=0.0, warm_up_steps=4)

    assert len(calls) == 1 + 4 + 1  # the first step of all, four to warm up
    assert set(system.describe()["start_up_seconds"]) == {"first step"}
    assert (done.steps, done.tokens) == (1, 2 + 4)
    assert done.flop == training_flop(sizes, [3, 4], [2, 4])


def test_all_systems_train_on_the_same_pairs(task, plan, in_this_process, report_of, monkeypatch):
    pytest.importorskip("torch", reason="PyTorch is an optional system")
    monkeypatch.setattr(GemmPeak.measure, "__defaults__", (0.0,))  # seconds
    results = compare_training(task, list(TRAINING_SYSTEMS), seconds_per_round=0.01, plan=plan)
    systems = results["systems"]

    assert list(systems) == list(TRAINING_SYSTEMS)
    assert results["training_pairs"] == len(task.corpus.train)
    for name, system in systems.items():
        compiling = {"compile"} if "compiled" in name else set()
        assert set(system["start_up_seconds"]) == {"import", "prepare", "first step"} | compiling
        assert len(system["rounds"]) == plan.rounds
        assert system["target_tokens_per_second"]["median"] > 0
        assert 0 < system["utilisation_of_float32_peak"] < 1
    speeds = {name: s["target_tokens_per_second"]["median"] for name, s in systems.items()}
    assert systems["tf-models-float32"]["times_as_fast_as"] == {
        name: speeds["tf-models-float32"] / speeds[name]
        for name in ("tutorial", "pytorch-float32", "pytorch-compiled-float32")
    }
    compiled = "pytorch-compiled-bfloat16"
    assert set(systems["pytorch-bfloat16"]["times_as_fast_as"]) == {"tutorial", compiled}
    text = report_of("training", results)
    for part in (*TRAINING_SYSTEMS, "GEMM peak: float32", "start-up of tutorial", "x PyTorch"):
        assert part in text
