import os

import pytest

from tests.support.commands import changed, drawn
from tests.support.images import write_folder
from tf_models.tasks.autoencoding import evaluation

QUICK = ["--epochs", 2, "--batch-size", 16]
FIGURES = {"training", "reconstructions", "samples"}


@pytest.mark.parametrize(
    ("options", "figures"),
    [
        (
            [
                *("--latents", 2, "--units", "8", "--masking-noise", 0.2),
                *("--beta", 2, "--kl-warmup-epochs", 1),
            ],
            {"traversal", "latent-space", "denoising"},
        ),
        pytest.param(
            ["--network", "convolutional", "--filters", "2", "--binarisation", "none"],
            {"traversal"},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            [
                *("--likelihood", "gaussian", "--units", "8"),
                *("--importance-samples", 3, "--gradient-samples", 1),
            ],
            {"traversal"},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ["--model", "hierarchical", "--groups", "1", "--channels", 4],
            set(),
            marks=pytest.mark.slow,
        ),
    ],
)
@pytest.mark.usefixtures("compiled")
def test_what_it_prints_and_leaves(options, figures, npz, call, tmp_path):
    run_dir = tmp_path / "run"
    result = call("train_vae", "--dataset", npz, *QUICK, *options, "--run-dir", run_dir)

    assert result.status == 0
    density = "log-likelihood"
    if "gaussian" in options:
        density = "log-density of non-binarised pixels"
    elif "none" in options:
        density = "negative cross-entropy of non-binarised pixels"
    for name in ("elbo (nats)", "kl (nats)", f"{density} (nats)", "importance samples"):
        assert name in result.out
    assert drawn(run_dir) >= FIGURES | figures
    if "hierarchical" in options:
        assert "kl_1 (nats)" in result.out


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        ([], "--likelihood gaussian --binarisation none --network convolutional --batch-size 8"),
        (["--binarisation", "dynamic", "--units", "8"], "--batch-size 8"),
    ],
)
def test_what_suits_coloured_pictures_is_taken_and_said(
    options, chosen, call, tmp_path, monkeypatch
):
    monkeypatch.setattr(evaluation, "report_images", lambda *shown_later: None)
    folder = write_folder(tmp_path / "own", (6, 5, 3))
    run = ["--run-dir", tmp_path / "run", "--epochs", 1, "--image-size", 4]
    result = call("train_vae", "--dataset", folder, *run, *options)

    assert f"for these images: {chosen}\n" in result.out
    assert ("pixels become 0 or 1: --binarisation dynamic" in result.out) == bool(options)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--model", "conditional", "--dataset", "NO CLASSES"], "needs images with labels"),
        (["--image-size", 5], "digits has images of 8 x 8 x 1, not 5 x 5"),
        (["--image-size", "5x0"], "must be a number of pixels, 1 to 1024, or HEIGHTxWIDTH"),
        (["--latents", 0], "latents must be at least 1; received 0"),
        (["--model", "deep"], "one of vae, conditional, hierarchical; received 'deep'"),
        (["--likelihood", "poisson"], "one of bernoulli, gaussian; received poisson"),
        (["--importance-samples", 5, "--beta", 2], "no KL term to weigh"),
        (["--gradient-samples", 2], "below importance_samples=1; received 2"),
        (["--start-from", "nowhere"], "no run directory at nowhere"),
        (["--likelihood", "gaussian", "--binarisation", "static"], "none for a Gaussian"),
        (["--model", "hierarchical", "--latents", 3], "--model hierarchical has no --latents"),
        (["--groups", "1"], "--model vae has no --groups"),
        (["--filters", "2"], "--network dense has no --filters"),
        (["--network", "convolutional", "--units", "2"], "--network convolutional has no --units"),
        (["--model", "hierarchical", "--patch", 1], "patch must be at least 2; received 1"),
        (["--kl-warmup-epochs", "inf"], "at most 1e+06; received inf"),
        (["--masking-noise", -0.5], "must be 0 to 1; received -0.5"),
    ],
)
def test_bad_options(options, complaint, call, tmp_path):
    if "NO CLASSES" in options:
        options = changed(options, "--dataset", write_folder(tmp_path / "own"))
    result = call("train_vae", *options, "--run-dir", tmp_path / "run")
    assert result.status == 2
    assert complaint in result.complaint
    assert not (tmp_path / "run").exists() or not os.listdir(tmp_path / "run")
