import pytest


def test_a_figure(call, tmp_path):
    figure = tmp_path / "axes.png"
    result = call("plot_layer_normalization", "--output", figure, "--seed", 3)
    assert result.status == 0
    assert result.out.strip() == str(figure)
    assert figure.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--features", 13], "--features must be 2 to 12; received 13"),
        (["--tokens", "dog"], "--tokens must be 2 to 12; received 1"),
        (["--output", "axes.txt"], "received '.txt'"),
    ],
)
def test_bad_options(options, complaint, call, tmp_path):
    arguments = ["--output", tmp_path / "axes.png", *options]
    assert complaint in call("plot_layer_normalization", *arguments).complaint
    assert not list(tmp_path.iterdir())
