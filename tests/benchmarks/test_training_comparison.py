import numpy as np
import pytest

from benchmarks.comparison import TRAINING
from benchmarks.flops import ModelSizes, training_flop
from benchmarks.report import report
from benchmarks.training_comparison import compare_training
from benchmarks.training_systems import TrainingRival


def test_tokens_of_a_round_are_those_that_were_predicted():
    batch = (np.array([[7, 3, 8, 0], [7, 3, 3, 8]]), np.array([[9, 4, 1, 0, 0], [9, 5, 5, 5, 1]]))
    sizes = ModelSizes(1, 2, 3, 10)
    calls = []
    rival = TrainingRival(lambda *ids: calls.append(ids), [batch], sizes, {"import": 1.0})
    done = rival.round(seconds=0.0, warm_steps=4)

    assert len(calls) == 1 + 4 + 1  # the first step of all, four to warm up
    assert set(rival.start_up()) == {"import", "first step"}
    assert (done.steps, done.tokens) == (1, 2 + 4)
    assert done.flop == training_flop(sizes, [3, 4], [2, 4])


def test_all_rivals_learn_the_same_pairs(task, plan, in_this_process, monkeypatch):
    pytest.importorskip("torch", reason="PyTorch is an optional rival")
    monkeypatch.setattr("benchmarks.gemm_peak.SECONDS", 0.0)
    results = compare_training(task, list(TRAINING), seconds_per_round=0.01, plan=plan)
    rivals = results["rivals"]

    assert list(rivals) == list(TRAINING)
    assert results["training_pairs"] == len(task.corpus.train)
    for rival in rivals.values():
        assert len(rival["rounds"]) == plan.rounds
        assert rival["target_tokens_per_second"]["median"] > 0
        assert 0 < rival["utilisation_of_float32_peak"] < 1
    speeds = {name: r["target_tokens_per_second"]["median"] for name, r in rivals.items()}
    assert rivals["tf-models-float32"]["times_as_fast_as"] == {
        "tutorial": speeds["tf-models-float32"] / speeds["tutorial"],
        "pytorch-float32": speeds["tf-models-float32"] / speeds["pytorch-float32"],
    }
    assert set(rivals["pytorch-bfloat16"]["times_as_fast_as"]) == {"tutorial"}
    text = report({"machine": {"processor": "X", "cores": 2, "system": "L", "versions": {},
                   "date": "today"}, "threads": 1, "rounds": 2, "training": results})  # fmt: skip
    for part in (*TRAINING, "GEMM peak: float32", "bfloat16", "start-up of tutorial", "x PyTorch"):
        assert part in text
