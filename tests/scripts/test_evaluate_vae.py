import json

import pytest


@pytest.mark.parametrize("run", ["vae_run", "hierarchical_run"])
def test_the_estimate_lies_above_the_bound(run, request, call):
    run_dir = request.getfixturevalue(run)
    result = call("evaluate_vae", "--run-dir", run_dir, "--importance-samples", 50, "--json")
    found = json.loads(result.out)

    assert found["images"] == 30
    assert found["importance samples"] == 50
    assert found["log-likelihood (nats)"] > found["elbo (nats)"]
    assert found["elbo (nats)"] == pytest.approx(
        -found["reconstruction (nats)"] - found["kl (nats)"], rel=1e-5
    )
    assert ("active latents" in found) == (run == "vae_run")


def test_as_text_and_again(vae_run, call):
    arguments = ["--run-dir", vae_run, "--importance-samples", 7, "--images", 10, "--chunk", 3]
    one, other = (call("evaluate_vae", *arguments) for _ in range(2))
    assert one.out == other.out
    assert "images                           10" in one.out


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--importance-samples", 0], "--importance-samples must be 1 to 1000000; received 0"),
        (["--images", 0], "--images must be 1 to 1000000; received 0"),
        (["--dataset", "digits"], "was trained on images of 6 x 5 x 1; digits has 8 x 8 x 1"),
    ],
)
def test_bad_options(options, complaint, vae_run, call):
    result = call("evaluate_vae", "--run-dir", vae_run, *options)
    assert complaint in result.complaint


def test_an_autoencoder_has_no_likelihood(autoencoder_run, call):
    result = call("evaluate_vae", "--run-dir", autoencoder_run)
    assert "holds an autoencoder, which has no likelihood" in result.complaint
