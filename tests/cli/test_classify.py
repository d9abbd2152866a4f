import numpy as np
import pytest
from PIL import Image, ImageOps

SENTENCES = ["The dog sees the fox.", "The wolf hears the fox."]


@pytest.fixture
def run_dir(classifier_run):
    return classifier_run


def test_probabilities_of_each_class(run_dir, call):
    result = call("classify", "--run-dir", run_dir, *SENTENCES)

    assert result.status == 0
    for line in result.out.splitlines():
        ranked = [part.split() for part in line.split("\t")]
        assert {label for label, _ in ranked} == {"rising", "falling"}
        shares = [float(share) for _, share in ranked]
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) == pytest.approx(1, abs=2e-4)


@pytest.mark.parametrize(
    "options", [[], ["--layer", 1, "--words"], ["--query", "mean"], ["--query", "first"]]
)
def test_attention(run_dir, call, tmp_path, options):
    figure = tmp_path / "it.png"
    result = call("classify", "--run-dir", run_dir, SENTENCES[0], "--output", figure, *options)
    assert result.out.splitlines()[-1] == str(figure)
    assert figure.read_bytes().startswith(b"\x89PNG")


@pytest.fixture
def picture(tmp_path):
    """An image like those of class 1, but dark on light, larger, and in colour."""
    pixels = np.full((12, 10, 3), 255, np.uint8)
    pixels[2:4, 1:-1] = 20
    Image.fromarray(pixels).save(tmp_path / "row.png")
    return tmp_path / "row.png"


def test_an_image_and_what_the_class_token_looks_at(image_classifier_run, picture, call, tmp_path):
    figure = tmp_path / "row.pdf"
    result = call("classify", "--run-dir", image_classifier_run, picture, "--output", figure)

    assert result.status == 0
    line, path = result.out.splitlines()
    assert {part.split()[0] for part in line.split("\t")} == {"0", "1", "2"}
    assert path == str(figure)
    assert figure.read_bytes().startswith(b"%PDF")
    assert "row.png is dark on light; turned to light on dark" in result.err
    dark = picture.with_name("dark.png")
    ImageOps.invert(Image.open(picture)).save(dark)
    turned = call("classify", "--run-dir", image_classifier_run, dark)
    assert turned.out.splitlines() == [line]
    assert "turned" not in turned.err


def test_the_name_of_a_file_is_no_text(run_dir, picture, call):
    result = call("classify", "--run-dir", run_dir, picture)

    assert result.status == 1
    assert "row.png is a file" in result.err
