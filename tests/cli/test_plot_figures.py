"""Every figure of every task, as the command draws it of a tiny run: it can be read."""

import inspect

import pytest
from PIL import Image

from tests.support.readable import unreadable
from tf_models.autoencoding import figures as of_images
from tf_models.classification import figures as of_texts
from tf_models.cli import plot_figures
from tf_models.plotting import files
from tf_models.questions import figures as of_questions
from tf_models.translation import figures as of_translator, figures_by_hand
from tf_models.translation.figures_by_hand import train_six_words

WIDEST = 1600  # pixels
SENTENCE, TARGET = "The dog sees the fox.", "Der Hund sieht den Fuchs."
# The articles' sentences have letters that the tiny runs do not know.
KNOWN = {"sentence": SENTENCE, "target": TARGET, "query": "fox"}


def known(draw, *left_out):
    """Options of a figure, with words that the tiny runs know."""
    taken = KNOWN.keys() & inspect.signature(draw).parameters.keys() - set(left_out)
    return [word for name in taken for word in (f"--{name}", KNOWN[name])]


def test_help_names_the_figures_that_there_are():
    by_hand = [*figures_by_hand.FIGURES, *of_images.FIGURES_BY_HAND]
    of_runs = (
        *(of_translator.FIGURES, of_images.FIGURES),
        *(of_texts.FIGURES, of_texts.IMAGE_FIGURES, of_questions.FIGURES),
    )
    listed = [list(figures) for figures in plot_figures.FIGURES.values()]
    assert listed == [by_hand, *map(list, of_runs), ["training"]]


@pytest.fixture
def saved(monkeypatch):
    """The figures that a script saves."""
    figures, save = [], files.save_figure

    def keep(figure, path):
        figures.append(figure)
        return save(figure, path)

    monkeypatch.setattr(files, "save_figure", keep)
    return figures


@pytest.fixture
def draw(call, saved, tmp_path):
    """draw("masks", …): the figure that the script draws, which can be read."""

    def run(figure, *options):
        path = tmp_path / "new" / "figure.png"
        result = call("plot_figures", "--figure", figure, "--output", path, *options)
        assert result.status == 0, result.err
        assert result.out.splitlines() == [str(path)]
        with Image.open(path) as picture:
            assert picture.width <= WIDEST or figure == "training"  # a panel for each number
        assert unreadable(saved[-1]) == []
        return saved[-1]

    return run


@pytest.mark.parametrize("figure", plot_figures.FIGURES["no run"])
def test_figures_of_no_run(figure, draw, monkeypatch):
    monkeypatch.setattr(figures_by_hand, "train_six_words", lambda: train_six_words(1))
    draw(figure)


@pytest.mark.parametrize("figure", [*of_translator.FIGURES, "training"])
def test_figures_of_a_translator(figure, draw, run_dir):
    whole = ("query",) if figure in ("maps", "forced-map", "32-maps") else ()
    options = [] if figure == "training" else known(of_translator.FIGURES[figure], *whole)
    draw(figure, "--run-dir", run_dir, *options)


@pytest.mark.parametrize(
    "figure", sorted({*of_images.FIGURES} - {"classes", "pca", "roc", "samples", "sharpness"})
)
def test_figures_of_an_autoencoder(figure, draw, autoencoder_run):
    draw(figure, "--run-dir", autoencoder_run)


@pytest.mark.parametrize("figure", ["samples", "sharpness", "traversal", "training"])
def test_figures_of_a_vae(figure, draw, vae_run):
    draw(figure, "--run-dir", vae_run)


@pytest.mark.parametrize("figure", ["interpolation", "sharpness"])
def test_figures_of_the_models_of_the_package(figure, draw):
    draw(figure)


def test_figures_of_a_conditional_vae(draw, call, npz, tmp_path):
    """A row for each class; its reconstructions take the classes of the test images."""
    tiny = ["--units", 4, "--latents", 2, "--epochs", 1, "--batch-size", 40]
    run = ["--run-dir", tmp_path / "run"]
    train = ["--model", "conditional", "--dataset", npz, *tiny, *run]
    result = call("train_vae", *train)
    assert "active latents" in result.out
    assert [t.get_text() for t in draw("classes", *run).axes[0].get_yticklabels()] == [*"012"]
    result = call("plot_figures", "--figure", "traversal", *run, "--output", tmp_path / "moves.png")
    assert "--figure traversal does not fit this run" in result.complaint


def test_figures_of_a_linear_autoencoder_that_lacks_a_class(draw, call, npz, tmp_path):
    options = ["--model", "linear", "--code-size", 2, "--epochs", 1, "--without-class", 1]
    run = ["--run-dir", tmp_path / "run"]
    assert call("train_autoencoder", "--dataset", npz, *options, *run).status == 0
    for figure in ("pca", "roc"):
        draw(figure, *run)


@pytest.mark.parametrize("figure", [*of_texts.IMAGE_FIGURES, "training"])
def test_figures_of_a_classifier_of_images(figure, draw, image_classifier_run):
    draw(figure, "--run-dir", image_classifier_run)


@pytest.mark.parametrize("figure", of_texts.FIGURES)
def test_figures_of_a_classifier(figure, draw, classifier_run, tiny_inputs):
    options = ["--sentence", SENTENCE]
    if figure == "confusion":
        options = ["--test", tiny_inputs / "test.tsv"]
    draw(figure, "--run-dir", classifier_run, *options)


def test_figures_of_question_answering(draw, questions_run):
    draw("story", "--run-dir", questions_run)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["masks", "--layer", "1"], "--figure masks has no --layer"),
        (["masks", "--output", "masks.gif"], "saved as .png, .pdf or .svg"),
        (["story"], "without --run-dir"),
    ],
)
def test_what_makes_no_sense_is_refused(call, tmp_path, arguments, message):
    output = [] if "--output" in arguments else ["--output", tmp_path / "figure.png"]
    result = call("plot_figures", "--figure", *arguments, *output)
    assert message in result.complaint
    assert list(tmp_path.iterdir()) == []
