import shutil

import numpy as np
import pytest
from matplotlib.text import Text

from tests.support.images import write_folder, write_folders
from tf_models.autoencoding import train
from tf_models.autoencoding.figures import default_classes
from tf_models.autoencoding.model import ImageModel
from tf_models.data.images import ImageSet, ImageSplit
from tf_models.plotting import files


def draw(call, run_dir, figure, tmp_path, *options):
    output = tmp_path / f"{figure}.png"
    result = call(
        "plot_figures", "--run-dir", run_dir, "--figure", figure, "--output", output, *options
    )  # fmt: skip
    assert output.exists() == (result.status == 0)
    return result, output


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--classes", 0, 9], "--classes must name two of 0, 1, 2; received '9'"),
        (["--temperature", 2], "--figure interpolation has no --temperature"),
    ],
)
def test_bad_options(options, complaint, autoencoder_run, call, tmp_path):
    result, _ = draw(call, autoencoder_run, "interpolation", tmp_path, *options)
    assert complaint in result.complaint


def test_fading_between_the_first_and_the_last_class(autoencoder_run, call, tmp_path):
    """The images have no sevens."""
    _, chosen = draw(call, autoencoder_run, "interpolation", tmp_path)
    by_default = chosen.read_bytes()
    _, named = draw(call, autoencoder_run, "interpolation", tmp_path, "--classes", 0, 2)
    assert named.read_bytes() == by_default
    _, other = draw(call, autoencoder_run, "interpolation", tmp_path, "--classes", 0, 1)
    assert other.read_bytes() != by_default


@pytest.fixture
def texts(monkeypatch):
    """texts(): all that is written on the figure that was saved last."""
    saved, save = [], files.save_figure
    monkeypatch.setattr(
        files, "save_figure", lambda figure, *a: (saved.append(figure), save(figure, *a))
    )
    return lambda: [text.get_text() for text in saved[-1].findobj(Text)]


def test_a_zero_becomes_a_seven_where_there_are_both():
    def images(labels):
        split = ImageSplit(np.zeros((len(labels), 1, 1, 1), np.uint8), np.array(labels))
        return ImageSet("images", split, split, split)

    assert default_classes(images([9, 7, 1, 0, 0])) == ("0", "7")
    assert default_classes(images([9, 7, 1])) == ("1", "9")


@pytest.fixture
def without_figures(monkeypatch):
    """A training draws none at its end."""
    monkeypatch.setattr(train, "draw_figures", lambda *drawn_later: None)


@pytest.mark.usefixtures("without_figures")
def test_own_images_of_any_sizes_that_move_away(call, tmp_path):
    """A run draws what it keeps."""
    folder, run_dir = tmp_path / "own", tmp_path / "run"
    for number, shape in enumerate(((6, 5, 3), (9, 7, 3), (6, 6))):
        write_folder(folder / str(number), shape, count=7)
    train = ["--dataset", folder, "--epochs", 1, "--code-size", 3, "--run-dir", run_dir]
    complaint = call("train_autoencoder", *train).complaint
    assert "of one size" in complaint
    assert "--image-size N" in complaint
    result = call("train_autoencoder", *train, "--image-size", "5x4")
    assert "15 training, 2 validation and 4 test images of 5 x 4 x 3" in result.out

    evaluate = ["evaluate", "--run-dir", run_dir]
    measured = call(*evaluate).out
    folder.rename(tmp_path / "moved")
    assert call(*evaluate, "--dataset", tmp_path / "moved").out == measured
    for figure in ("reconstructions", "interpolation", "latent-space"):
        assert draw(call, run_dir, figure, tmp_path)[0].status == 0


@pytest.mark.usefixtures("without_figures")
def test_what_was_left_out_stays_out(npz, call, tmp_path):
    run_dir = tmp_path / "run"
    train = ["--dataset", npz, "--epochs", 1, "--without-class", 1, "--run-dir", run_dir]
    assert call("train_autoencoder", *train).status == 0
    moved = shutil.copy(npz, tmp_path / "moved.npz")
    for name in (None, str(npz), str(moved)):
        images = ImageModel.load(run_dir).origin.load(name)
        assert set(images.train.labels) == {0, 2}
        assert set(images.test.labels) == {0, 1, 2}


def test_samples_are_decided_by_the_seed(vae_run, call, tmp_path):
    drawn = [
        draw(call, vae_run, "samples", tmp_path, "--seed", s)[1].read_bytes() for s in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_samples_of_two_runs_beside_real_images(vae_run, hierarchical_run, call, tmp_path, texts):
    runs = ["--run-dir", vae_run, hierarchical_run, "--label", "one", "deep"]
    output = tmp_path / "samples.png"
    assert call("plot_figures", "--figure", "sharpness", *runs, "--output", output).status == 0
    assert "test images\nsharpness 1.00" in texts()
    assert {"one", "deep"} <= {text.split("\n")[0] for text in texts()}


@pytest.mark.parametrize("figure", ["samples", "pca", "roc"])
def test_what_a_run_cannot_show_is_refused(figure, autoencoder_run, call, tmp_path):
    complaint = draw(call, autoencoder_run, figure, tmp_path)[0].complaint
    assert f"--figure {figure} does not fit this run" in complaint
    assert "one of reconstructions, traversal, latent-space" in complaint


@pytest.mark.usefixtures("without_figures")
def test_classes_have_the_names_of_their_folders(call, tmp_path, texts):
    run_dir, folder = tmp_path / "run", write_folders(tmp_path / "own", "cat", "dog", "owl")
    train = ["--dataset", folder, "--epochs", 1, "--code-size", 2, "--run-dir", run_dir]
    result = call("train_autoencoder", *train, "--without-class", "dog")
    assert "class dog by its error: area under the ROC curve" in result.out
    drawn = {}
    for figure in ("latent-space", "interpolation", "roc"):
        assert draw(call, run_dir, figure, tmp_path)[0].status == 0
        drawn[figure] = texts()
    assert "from cat to owl, codes of 2" in drawn["interpolation"]
    assert "images of class dog found" in drawn["roc"]
    assert {"cat", "dog", "owl"} <= set(drawn["latent-space"])
