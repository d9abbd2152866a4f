import pytest

from tf_models.tasks.translation.figure_options import FIGURE_NAMES

SENTENCE = "The dog sees the fox."


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize(
    "options", [[], ["--layer", "all"], ["--layer", "1", "--head", "2"], ["--words"]]
)
def test_every_kind_of_picture(run_dir, call, tmp_path, kind, options):
    path = tmp_path / "new" / "figure.png"
    result = call(
        "plot_attention", "--run-dir", run_dir, "--sentence", SENTENCE, "--kind", kind,
        "--output", path, *options,
    )  # fmt: skip

    assert result.status == 0
    assert result.out.strip() == str(path)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_every_figure_is_described():
    from tf_models.tasks.translation.figures import FIGURES

    assert FIGURE_NAMES.keys() == FIGURES.keys()


@pytest.mark.parametrize("figure", FIGURE_NAMES)
def test_every_figure(run_dir, call, tmp_path, figure):
    path = tmp_path / "figure.png"
    takes_query = figure in ("query", "histogram")
    options = ["--query", "fox", "--words", "--kind", "encoder"] if takes_query else []
    result = call(
        "plot_attention", "--run-dir", run_dir, "--sentence", SENTENCE, "--figure", figure,
        "--output", path, *options,
    )  # fmt: skip

    assert result.status == 0
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_masks_of_every_kind(run_dir, call, tmp_path, kind):
    path = tmp_path / "mask.png"
    draw = ["plot_attention", "--run-dir", run_dir, "--sentence", SENTENCE, "--figure", "mask"]
    assert call(*draw, "--kind", kind, "--output", path).status == 0


@pytest.mark.parametrize(("suffix", "magic"), [("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_given_target_and_other_formats(run_dir, call, tmp_path, suffix, magic):
    path = tmp_path / f"figure.{suffix}"
    result = call(
        "plot_attention", "--run-dir", run_dir, "--sentence", SENTENCE, "--output", path,
        "--target", "Der Hund kennt den Fuchs.",
    )  # fmt: skip

    assert result.status == 0
    assert path.read_bytes().startswith(magic)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--layer", "2"], "--layer must be 1 to 1 or all; received 2"),
        (["--head", "3"], "--head must be 1 to 2; received 3"),
        (["--output", "figure.jpg"], "saved as .png, .pdf or .svg; received '.jpg'"),
        (["--sentence", ""], "the sentence is empty"),
        (["--sentence", "The fox. " * 30], "positions end at 32"),
        (["--target", " "], "the sentence is empty"),
        (["--kind", "all"], "invalid choice: 'all'"),
        (["--figure", "query"], "this figure needs --query, one of "),
        (["--query", "fox"], "--figure maps has no --query"),
        (["--figure", "mask", "--head", "1"], "--figure mask has no --head"),
        (["--figure", "query", "--query", "cat"], "received cat"),
    ],
)
def test_options_that_make_no_sense(run_dir, call, tmp_path, arguments, message):
    result = call(
        "plot_attention", "--run-dir", run_dir, "--sentence", SENTENCE,
        "--output", tmp_path / "figure.png", *arguments,
    )  # fmt: skip

    assert message in result.complaint
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written(run_dir, call, tmp_path):
    (tmp_path / "file").write_text("")
    result = call(
        "plot_attention", "--run-dir", run_dir, "--sentence", SENTENCE,
        "--output", tmp_path / "file" / "figure.png",
    )  # fmt: skip

    assert "figure.png: Not a directory" in result.complaint
