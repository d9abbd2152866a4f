import json

import pytest

TINY = [
    *("--num-layers", "1", "--d-model", "16", "--num-heads", "2", "--dff", "32"),
    *("--pieces", "80", "--batch-size", "16", "--rounds", "1", "--seconds-per-round", "0.01"),
    *("--wait-seconds", "0"),
]


def test_training_from_end_to_end(table, tmp_path, spawn):
    """In processes of their own; other tests measure all systems, in one process."""
    pytest.importorskip("torch", reason="PyTorch is an optional system")
    file = tmp_path / "speed.json"
    result = spawn(
        "research.benchmarks.translator", "--part", "training", "--corpus", table, *TINY,
        "--output", file, "--systems", "tf-models-float32", "pytorch-float32", "--threads", 1,
    )  # fmt: skip

    assert result.status == 0, result.err
    results = json.loads(file.read_text())
    assert list(results["training"]["systems"]) == ["tf-models-float32", "pytorch-float32"]
    assert results["training"]["peak_flop_per_second"]["float32"]["median"] > 1e9
    assert results["machine"]["versions"]["tensorflow"]
    assert "decoding" not in results
    for part in ("1 threads for each system", "TRAINING on ", "x PyTorch", "GEMM peak: float32 "):
        assert part in result.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rounds", "0"], "--rounds must be at least 1; received 0"),
        (["--threads", "9999"], "--threads must be 1 to "),
        (
            ["--seconds-per-round", "-1"],
            "--seconds-per-round must be 0 to 100000 seconds; received -1.0",
        ),
        (["--seconds-per-round", "nan"], "must be 0 to 100000 seconds; received nan"),
        (["--wait-seconds", "-1"], "--wait-seconds must be 0 to 100000 seconds; received -1.0"),
        (["--systems", "jax"], "argument --systems: invalid choice: 'jax' (choose from "),
        (
            ["--part", "decoding", "--systems", "pytorch-float32"],
            "no system to measure in --part decoding; received --systems pytorch-float32; "
            "choose installed ones of tutorial, tf-models, ctranslate2",
        ),
        (
            ["--model", "rnn", "--systems", "tf-models-bfloat16"],
            "received --systems tf-models-bfloat16; choose installed ones of "
            "tf-models-float32, pytorch-float32",
        ),
        (["--part", "scoring"], "invalid choice: 'scoring'"),
        (["--d-model", "130"], "received d_model=130, num_heads=8"),
        (["--corpus", "missing.txt"], "missing.txt"),
        (["--max-pairs", "0"], "must be at least 1; received 0"),
    ],
)
def test_options_that_make_no_sense(call, table, arguments, message):
    result = call("research.benchmarks.translator", "--corpus", table, *arguments)

    assert message in result.complaint
    assert result.status == 2


def test_a_run_that_is_not_there(table, call, tmp_path):
    result = call(
        "research.benchmarks.translator", "--part", "decoding", "--corpus", table,
        "--run-dir", tmp_path / "none", "--systems", "tf-models",
    )  # fmt: skip

    assert "no run directory at" in result.complaint
