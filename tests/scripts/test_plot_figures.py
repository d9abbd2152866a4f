"""The articles' figures: each as the script draws it, from a tiny run that keeps its epochs."""

import pytest
from PIL import Image

from tests.support.commands import TINY, printed_by
from tf_models.tasks.translation.figure_options import ARTICLE_FIGURE_NAMES

MAGIC = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}
WIDEST = 1600  # pixels
SENTENCE, TARGET = "The dog sees the fox.", "Der Hund sieht den Fuchs."
GIVEN = {  # the articles' sentences have letters that the tiny run does not know
    "sentence": ("padded-encoder", "padded-cross", "pipeline", "32-maps", "all-maps", "lines",
                 "forced-map", "statistics", "film"),
    "target": ("padded-encoder", "padded-cross", "forced-map", "film"),
    "query": ("lines",),
}  # fmt: skip
VALUES = {"sentence": SENTENCE, "target": TARGET, "query": "fox"}


def given(figure):
    return [
        word
        for option, figures in GIVEN.items()
        if figure in figures
        for word in (f"--{option}", VALUES[option])
    ]


@pytest.fixture(scope="module")
def epochs_run(table, tmp_path_factory):
    """A run directory that keeps the weights of two epochs."""
    run_dir = tmp_path_factory.mktemp("runs") / "epochs"
    options = ["--epochs", 2, "--average-last-n", 2, *TINY]
    printed_by("train_translator", "--corpus", table, "--run-dir", run_dir, *options)
    return run_dir


@pytest.fixture
def quick(monkeypatch):
    """The one figure that trains does so for a moment."""
    from tf_models.tasks.translation import article_figures
    from tf_models.tasks.translation.six_words import train_six_words

    monkeypatch.setattr(article_figures, "train_six_words", lambda: train_six_words(1))


@pytest.mark.parametrize("figure", ARTICLE_FIGURE_NAMES)
def test_every_figure(epochs_run, call, tmp_path, quick, figure):
    """Some of them in every format."""
    suffixes = MAGIC if figure in ("all-maps", "lines") else ("png",)
    paths = [tmp_path / f"figure.{suffix}" for suffix in suffixes]
    result = call(
        "plot_figures", "--figure", figure, "--run-dir", epochs_run, *given(figure),
        "--output", *paths,
    )  # fmt: skip

    assert result.status == 0, result.err
    assert result.out.splitlines() == [str(path) for path in paths]
    for suffix, path in zip(suffixes, paths, strict=True):
        assert path.read_bytes().startswith(MAGIC[suffix])
    with Image.open(paths[0]) as picture:
        assert picture.width <= WIDEST


def test_the_film_moves(epochs_run, call, tmp_path):
    path = tmp_path / "film.gif"
    result = call(
        "plot_figures", "--figure", "film", "--run-dir", epochs_run, "--sentence", SENTENCE,
        "--target", TARGET, "--kind", "encoder", "--output", path,
    )  # fmt: skip

    assert result.status == 0, result.err
    with Image.open(path) as film:
        assert film.n_frames == 2


def test_every_figure_is_described_and_listed(call):
    from tf_models.tasks.translation.article_figures import ARTICLE_FIGURES

    assert ARTICLE_FIGURE_NAMES.keys() == ARTICLE_FIGURES.keys()
    listed = call("plot_figures", "--list").out.splitlines()
    assert [line.split()[0] for line in listed] == list(ARTICLE_FIGURE_NAMES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--figure", "mask"], "invalid choice: 'mask'"),
        ([], "pass --figure NAME and --output F.png, or --list for the names"),
        (["--figure", "masks", "--layer", "1"], "--figure masks has no --layer"),
        (["--figure", "masks", "--output", "masks.gif"], "saved as .png, .pdf or .svg"),
        (["--figure", "lines", "--sentence", SENTENCE, "--query", "cat"], "received cat"),
        (["--figure", "pipeline", "--sentence", SENTENCE, "--layer", "7"], "--layer must be 1 to"),
        (["--figure", "padded-cross", *given("padded-cross"), "--head", "9"], "--head must be"),
        (
            ["--figure", "film", "--sentence", SENTENCE],
            "keeps no epochs; train with --average",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(run_dir, call, tmp_path, arguments, message):
    output = [] if "--output" in arguments else ["--output", tmp_path / "figure.png"]
    result = call("plot_figures", "--run-dir", run_dir, *arguments, *output)

    assert message in result.complaint
    assert list(tmp_path.iterdir()) == []
