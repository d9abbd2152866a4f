import json

import pytest

from research.experiments import transfer
from tests.support.commands import changed


@pytest.fixture
def files(tiny_inputs):
    return ["--train", tiny_inputs / "train.tsv", "--test", tiny_inputs / "test.tsv"]


def test_each_start_with_each_number_of_labels(files, run_dir, experiment, tmp_path, monkeypatch):
    assert transfer.STARTS == {
        "random": (True, False), "frozen": (False, True), "fine-tuned": (False, False)
    }  # fmt: skip
    monkeypatch.setattr(transfer, "STARTS", {"frozen": (False, True)})
    figure, folder = tmp_path / "transfer.png", tmp_path / "runs"
    command = [
        *("transfer", *files, "--encoder-from", run_dir, "--counts", "40,8", "--seeds", "0,1"),
        *("--run-dir", folder, "--epochs", 1, "--batch-size", 16, "--output", figure),
    ]
    result = experiment(*command)

    assert result.status == 0
    *_, header, few, many, own, output = result.out.splitlines()
    assert header.split() == ["encoder", "frozen"]
    assert few.startswith("8 labels, %")
    assert many.startswith("40 labels, %")
    assert output == str(figure)
    assert figure.read_bytes().startswith(b"\x89PNG")
    config = json.loads((folder / "8-frozen-1" / "config.json").read_text())
    assert config["data"]["training_texts"] == 40  # eight, each five times
    assert (config["encoder_from"], config["training"]["freeze"]) == (str(run_dir), True)
    again = experiment(*command)
    assert "epoch 1/1" not in again.out
    assert again.out.splitlines()[-5:] == result.out.splitlines()[-5:]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--counts", 1000], "must be 2 (one a class) to 82; received 1000"),
        (["--output", "transfer.doc"], "received '.doc'"),
        (["--encoder-from", "nowhere"], "no run directory at nowhere"),
        (["--num-layers", 7], "has num_layers=1; received 7: leave --num-layers out"),
    ],
)
def test_bad_options(options, complaint, files, run_dir, experiment, tmp_path):
    arguments = ["--encoder-from", run_dir, *files, "--run-dir", tmp_path / "runs"]
    assert complaint in experiment("transfer", *changed(arguments, *options)).complaint
    assert not (tmp_path / "runs").exists()
