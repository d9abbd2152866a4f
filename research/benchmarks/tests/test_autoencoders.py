import json

import pytest

from research.benchmarks.tests.same_process import WorkerInThisProcess


@pytest.fixture(autouse=True)
def without_processes(monkeypatch):
    monkeypatch.setattr("research.benchmarks.comparison.Worker", WorkerInThisProcess)


def test_table_and_json(npz, call, tmp_path):
    file = tmp_path / "speed.json"
    result = call(
        "research.benchmarks.autoencoders", "--dataset", npz, "--units", "8", "--latents", 2,
        "--rounds", 2, "--wait-seconds", 0, "--output", file,
    )  # fmt: skip

    assert result.status == 0
    assert "EPOCHS of 81 images of rows.npz, a VAE with 2 latents" in result.out
    found = json.loads(file.read_text())
    assert found["vae"]["systems"]["tf-models"]["epoch_seconds"]["median"] > 0


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--rounds", 0], "--rounds must be at least 1; received 0"),
        (["--threads", 999], "--threads must be 1 to "),
        (["--units", ","], "--units must name the width of at least one hidden layer"),
        (["--latents", 0], "latents must be at least 1; received 0"),
        (["--output", "/no/such/folder/speed.json"], "cannot write /no/such/folder/speed.json"),
        (["--wait-seconds", -1], "--wait-seconds must be 0 to 100000 seconds; received -1.0"),
    ],
)
def test_bad_options(options, complaint, call):
    result = call("research.benchmarks.autoencoders", *options)
    assert complaint in result.complaint
    assert result.out == ""  # nothing was measured first
