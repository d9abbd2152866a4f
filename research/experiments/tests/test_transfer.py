import json

import pytest

from research.experiments import transfer


@pytest.mark.slow
def test_each_start_with_each_number_of_labels(tiny_run, experiment, tmp_path):
    run_dir = tiny_run("translator")
    lines = experiment(
        *("transfer", "--encoder-from", run_dir, "--counts", "40,8", "--run-dir", tmp_path),
        *("--set", "epochs=1", "batch_size=16"),
    )
    header, *rows, _ = lines[-5:]
    assert header.split() == ["8", "labels,", "%", "40", "labels,", "%"]
    assert [row.split()[1] for row in rows] == list(transfer.STARTS)
    config = json.loads((tmp_path / "8-frozen-0" / "config.json").read_text())
    assert config["data"]["training_texts"] == 40  # eight, each five times
    assert (config["encoder_from"], config["training"]["freeze"]) == (str(run_dir), True)


@pytest.mark.slow
def test_a_script_is_repeated_with_each_seed(tiny_inputs, experiment, tmp_path):
    experiment(
        *("repeat", "--seeds", "3,4", "--run-dir", tmp_path, "train_autoencoder.py"),
        *("--dataset", tiny_inputs / "rows.npz", "--epochs", "2"),
    )
    assert json.loads((tmp_path / "seed-4" / "config.json").read_text())["seed"] == 4
    assert (tmp_path / "repeat.png").read_bytes().startswith(b"\x89PNG")
