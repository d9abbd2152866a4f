import pytest


def test_figure_and_sharpness(vae_run, hierarchical_run, call, tmp_path):
    figure = tmp_path / "samples.png"
    arguments = [
        "--run-dir", vae_run, hierarchical_run, "--label", "one", "deep", "--output", figure,
    ]  # fmt: skip
    result = call("compare_samples", *arguments)

    assert result.status == 0
    header, *rows = [line.split() for line in result.out.splitlines()]
    assert header == ["sharpness"]
    assert [row[0] for row in rows] == ["test", "one", "deep", str(figure)]
    assert rows[0][-1] == "1.00"
    assert figure.read_bytes().startswith(b"\x89PNG")
    assert call("compare_samples", *arguments).out == result.out


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--label", "one", "two"], "--label must name each run; received 2 for 1 runs"),
        (
            ["--label", "test images"],
            "must give different names; received test images, test images",
        ),
        (["--temperature", 11], "--temperature must be 0 to 10; received 11.0"),
    ],
)
def test_bad_options(options, complaint, vae_run, call, tmp_path):
    result = call("compare_samples", "--run-dir", vae_run, "--output", tmp_path / "f.png", *options)
    assert complaint in result.complaint


def test_an_autoencoder_has_no_samples(autoencoder_run, call, tmp_path):
    result = call("compare_samples", "--run-dir", autoencoder_run, "--output", tmp_path / "f.png")
    assert "has no prior to sample from" in result.complaint
