import pytest

from tests.support.commands import drawn

QUICK = ["--epochs", 2, "--batch-size", 16]
FIGURES = {"training", "reconstructions", "samples"}


@pytest.mark.parametrize(
    "options",
    [
        [
            *("--latents", 2, "--units", "8", "--masking-noise", 0.2),
            *("--beta", 2, "--kl-warmup-epochs", 1),
        ],
        pytest.param(
            [
                *("--likelihood", "gaussian", "--units", "8"),
                *("--importance-samples", 3, "--gradient-samples", 1),
            ],
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ["--model", "hierarchical", "--groups", "1", "--channels", 4], marks=pytest.mark.slow
        ),
    ],
)
@pytest.mark.usefixtures("compiled")
def test_what_it_prints_and_leaves(options, npz, call, tmp_path):
    run_dir = tmp_path / "run"
    result = call("train_vae", "--dataset", npz, *QUICK, *options, "--run-dir", run_dir)

    assert result.status == 0
    density = "log-likelihood"
    if "gaussian" in options:
        density = "log-density of non-binarised pixels"
    for name in ("elbo (nats)", "kl (nats)", f"{density} (nats)", "importance samples"):
        assert name in result.out
    assert drawn(run_dir) == FIGURES
    if "hierarchical" in options:
        assert "kl_1 (nats)" in result.out
