import json
import os

import pytest

from tests.support.commands import changed, drawn
from tests.support.images import write_folder
from tests.support.tiny_runs import command_of
from tf_models.tasks.autoencoding import evaluation

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
    assert {"codes", "training"} <= drawn(tmp_path / "run")


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
    assert "pca" in drawn(tmp_path / "run")


@pytest.mark.parametrize(
    ("model", "options", "figures"),
    [
        (
            "dense",
            ["--units", "8", "--masking-noise", 0.2, "--without-class", 1],
            {"denoising", "roc"},
        ),
        pytest.param("convolutional", ["--filters", "2,3"], set(), marks=SLOW),
        pytest.param(
            "stacked", ["--units", "6", "--pretrain-epochs", 2], {"denoising"}, marks=SLOW
        ),
    ],
)
def test_what_it_prints_and_leaves(model, options, figures, npz, call, tmp_path, monkeypatch):
    run_dir = tmp_path / "run"
    arguments = ["--model", model, "--dataset", npz, *QUICK, *options, "--run-dir", run_dir]
    result = call("train_autoencoder", *arguments)

    assert result.status == 0
    assert "30 test images through 3 numbers: squared error " in result.out
    assert ("class 1 by its error: area under the ROC curve 0." in result.out) == ("roc" in figures)
    assert drawn(run_dir) >= {"training", "reconstructions", "codes", "latent-space"} | figures
    monkeypatch.setattr(evaluation, "report_figures", lambda *drawn_already: None)
    again = call("train_autoencoder", *arguments)  # nothing left to do
    assert "resuming after epoch 2" in again.out
    assert "epoch 2/2" not in again.out
    config = json.loads((run_dir / "config.json").read_text())
    assert config["data"]["left_out_class"] == (1 if "--without-class" in options else None)


@pytest.mark.parametrize(
    ("model", "plain"), [("lstm", True), pytest.param("bi-lstm", False, marks=SLOW)]
)
def test_sentences(model, plain, table, call, tmp_path):
    if plain:  # one a line
        lines = table.read_text(encoding="utf-8").splitlines()
        table = tmp_path / "sentences.txt"
        table.write_text("\n".join(line.split("\t")[0] for line in lines), encoding="utf-8")
    result = call(
        "train_autoencoder", "--model", model, "--dataset", table, "--pieces", 60,
        "--epochs", 1, "--code-size", 8, "--max-length", 24, "--run-dir", tmp_path / "run",
    )  # fmt: skip

    assert result.status == 0
    assert "sentences through 16 numbers (hidden and cell state): " in result.out
    assert "words  exact  sentences" in result.out
    assert "its own words (free running)" in result.out
    assert result.out.count("  read     ") == result.out.count("  written  ") > 0
    assert drawn(tmp_path / "run") == {"training"}


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--model", "sparse"], "--model must be one of one-hot, linear, dense,"),
        (["--code-size", 0], "code_size must be at least 1; received 0"),
        (["--masking-noise", 1.5], "masking_noise must be 0 to 1; received 1.5"),
        (["--gaussian-noise-std", "nan"], "gaussian_noise_std must be at least 0; received nan"),
        (["--model", "one-hot", "--dataset", "digits"], "leave out --dataset"),
        (
            ["--model", "lstm", "--masking-noise", 0.1, "--units", "3"],
            "has no --masking-noise, --units",
        ),
        (["--model", "lstm", "--without-class", 1], "has no --without-class"),
        (["--output-activation", "linear"], "output_activation must be sigmoid; received linear"),
        (["--model", "stacked", "--activation", "relu"], "layers trained one by one are dense"),
        (["--minutes", 0], "must be above 0; received 0"),
        (["--pieces", 100], "--model dense has no --pieces"),
        (["--language", "de"], "--model dense has no --language"),
        (["--filters", "8"], "--model dense has no --filters"),
        (["--model", "convolutional", "--units", "8"], "--model convolutional has no --units"),
        (["--model", "stacked", "--binarisation", "static"], "none where layers are trained one"),
        (["--without-class", 11], "no class '11'; its classes: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9"),
        (["--units", "8,x"], "invalid numbers value: '8,x'"),
        (["--dataset", "photos"], "received 'photos', which is no file and no folder here"),
        (["--dataset", __file__], "test_train_autoencoder.py', which is a file of another kind"),
        (["--seed", -1], "the seed must be 0 to 4294967295; received -1"),
        (["--activation", "relu6x"], "activation must be one of linear, relu,"),
    ],
)
def test_bad_options(options, complaint, call, tmp_path):
    result = call("train_autoencoder", *options, "--run-dir", tmp_path / "run")
    assert result.status == 2
    assert complaint in result.complaint
    assert not (tmp_path / "run").exists() or not os.listdir(tmp_path / "run")


def test_bad_images(call, tmp_path, npz):
    folder = write_folder(tmp_path / "photos")
    (tmp_path / "empty").mkdir()
    assert "no image" in call("train_autoencoder", "--dataset", tmp_path / "empty").complaint
    write_folder(folder / "loose", (9, 9), 1)
    mixed = call("train_autoencoder", "--dataset", folder)
    assert "subfolder" in mixed.complaint
    (tmp_path / "sizes").mkdir()
    write_folder(tmp_path / "sizes" / "small")
    write_folder(tmp_path / "sizes" / "odd", (9, 9))
    unlike = call("train_autoencoder", "--dataset", tmp_path / "sizes")
    assert "one size" in unlike.complaint
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "a.png").write_bytes(b"no image")
    assert "a.png" in call("train_autoencoder", "--dataset", tmp_path / "broken").complaint


def test_the_directory_of_another_model(tiny_inputs, autoencoder_run, call):
    other = ["--run-dir", autoencoder_run]
    wider = call(*changed(command_of("autoencoder", tiny_inputs), "--units", "9"), *other)
    assert "model.units was [8] and is [9] now" in wider.complaint
    of_vae = call(*command_of("vae", tiny_inputs), *other)
    assert "a run of kind autoencoder, not vae" in of_vae.complaint
