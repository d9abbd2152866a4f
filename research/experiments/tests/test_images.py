"""Recipes of autoencoders: the cost of the bottleneck, and what codes are worth."""

import pytest

from tests.support.images import write_folder
from tf_models.tasks.autoencoding import classification


@pytest.fixture(autouse=True)
def few_steps(monkeypatch):
    monkeypatch.setattr(classification, "STEPS", 20)


def test_more_numbers_less_error(npz, experiment, tmp_path):
    figure = tmp_path / "sizes.png"
    arguments = [
        "code-sizes", "--model", "linear", "--dataset", npz, "--sizes", "4,1", "--epochs", 3,
        "--run-dir", tmp_path / "sizes", "--output", figure,
    ]  # fmt: skip
    result = experiment(*arguments)

    assert result.status == 0
    header, *rows, own, output = result.out.splitlines()[-5:]
    assert header.split() == ["1", "numbers", "4", "numbers"]
    linear, pca = ([float(cell) for cell in row.split()[1:]] for row in rows)
    assert all(error >= other for error, other in zip(linear, pca, strict=True))
    assert pca[0] > pca[1]
    assert output == str(figure)
    assert figure.read_bytes().startswith(b"\x89PNG")
    again = experiment(*arguments)
    assert again.out.count("finished before") == 2
    assert again.out.splitlines()[-5:] == result.out.splitlines()[-5:]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--sizes", 0], "code_size must be at least 1; received 0"),
        (["--model", "one-hot"], "--model must be one of linear, dense, convolutional, stacked"),
        (["--output", "sizes.doc"], "sizes.doc"),
        (["--image-size", 8], "only images of a folder or of tfds:NAME are brought to another"),
    ],
)
def test_bad_sizes(options, complaint, npz, experiment, tmp_path):
    result = experiment("code-sizes", "--dataset", npz, "--run-dir", tmp_path / "r", *options)
    assert complaint in result.complaint
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("run", ["autoencoder_run", "vae_run"])
def test_codes(run, request, experiment, tmp_path):
    run_dir, figure = request.getfixturevalue(run), tmp_path / "transfer.png"
    result = experiment(
        "codes", "--encoder-from", run_dir, "--counts", "9,all", "--seeds", "0,1",
        "--output", figure,
    )  # fmt: skip

    assert result.status == 0
    header, *rows, output = result.out.splitlines()[-6:]
    assert header.split() == ["9", "labels,", "%", "81", "labels,", "%"]  # nine are for validation
    assert [row[:28].strip() for row in rows] == [
        *("SVM on pixels", "SVM on codes"),
        *("network from random weights", "network from trained weights"),
    ]
    assert output == str(figure)
    assert figure.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--counts", 1000], "must be 3 (one a class) to 81; received 1000"),
        (["--counts", "many"], '--counts must be whole numbers or "all"; received many'),
    ],
)
def test_bad_labels(options, complaint, autoencoder_run, experiment):
    assert complaint in experiment("codes", "--encoder-from", autoencoder_run, *options).complaint


def test_models_and_images_without_classes(autoencoder_run, hierarchical_run, experiment, tmp_path):
    own = write_folder(tmp_path / "own")
    result = experiment("codes", "--encoder-from", autoencoder_run, "--dataset", own)
    assert "no labels" in result.complaint
    deep = experiment("codes", "--encoder-from", hierarchical_run)
    assert "which has no single code" in deep.complaint
