import json

import pytest

from tests.support.commands import drawn
from tf_models.autoencoding import train

SLOW = pytest.mark.slow
QUICK = ["--epochs", 2, "--batch-size", 16, "--code-size", 3]


@pytest.mark.usefixtures("compiled")
def test_one_hot_codes_are_00_01_10_11(call, tmp_path):
    options = ["--model", "one-hot", "--epochs", 8]
    result = call("train_autoencoder", *options, "--run-dir", tmp_path / "run")

    assert result.status == 0
    rows = [line.split("(")[0].split(" -> ") for line in result.out.splitlines() if " -> " in line]
    assert [one_hot.strip() for one_hot, _, _ in rows] == [
        *("1 0 0 0", "0 1 0 0", "0 0 1 0", "0 0 0 1")
    ]
    assert {code for _, code, _ in rows} == {"00", "01", "10", "11"}
    assert all(one_hot.strip() == back.strip() for one_hot, _, back in rows)
    assert {"reconstructions", "training"} <= drawn(tmp_path / "run")


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_linear_beside_pca_on_the_digits(call, tmp_path):
    """Within 1 % of PCA's error, and the same subspace to a degree."""
    result = call(
        "train_autoencoder", "--model", "linear", "--code-size", 3, "--epochs", 150,
        "--run-dir", tmp_path / "run",
    )  # fmt: skip
    line = next(line for line in result.out.splitlines() if "PCA's" in line)
    error, pca_error = (float(line.split(" ")[i].strip(",")) for i in (2, 4))
    angle = float(line.split()[-1].strip("°"))

    assert error == pytest.approx(pca_error, rel=0.01)
    assert angle < 1


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("dense", ["--units", "8", "--masking-noise", 0.2, "--without-class", 1]),
        pytest.param("convolutional", ["--filters", "2", "3"], marks=SLOW),
        pytest.param("stacked", ["--units", "6", "--pretrain-epochs", 2], marks=SLOW),
    ],
)
def test_what_it_prints_and_leaves(model, options, npz, call, tmp_path, monkeypatch):
    run_dir = tmp_path / "run"
    arguments = ["--model", model, "--dataset", npz, *QUICK, *options, "--run-dir", run_dir]
    result = call("train_autoencoder", *arguments)

    assert result.status == 0
    assert "30 test images through 3 numbers: squared error " in result.out
    one_is_left_out = "--without-class" in options
    assert ("class 1 by its error: area under the ROC curve 0." in result.out) == one_is_left_out
    assert drawn(run_dir) == {"training", "reconstructions"}
    monkeypatch.setattr(train, "draw_figures", lambda *drawn_already: None)
    again = call("train_autoencoder", *arguments)  # nothing left to do
    assert "epoch 2/2" not in again.out
    config = json.loads((run_dir / "config.json").read_text())
    assert config["data"]["left_out_class"] == (1 if "--without-class" in options else None)
