import numpy as np
import pytest
from matplotlib.text import Text

from tests.support.images import write_folder
from tf_models.autoencoding import train
from tf_models.autoencoding.figures import default_classes
from tf_models.data.images import ImageSet, ImageSplit
from tf_models.plotting import files


def draw(call, run_dir, figure, tmp_path, *options):
    output = tmp_path / f"{figure}.png"
    result = call(
        "plot_figures", "--run-dir", run_dir, "--figure", figure, "--output", output, *options
    )  # fmt: skip
    assert output.exists() == (result.status == 0)
    return result, output


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
        return ImageSet("images", split, split, split, class_names=tuple("0123456789"))

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


def test_samples_of_two_runs_beside_real_images(vae_run, hierarchical_run, call, tmp_path, texts):
    runs = ["--run-dir", vae_run, hierarchical_run]
    output = tmp_path / "samples.png"
    assert call("plot_figures", "--figure", "sharpness", *runs, "--output", output).status == 0
    assert "test images\nsharpness 1.00" in texts()
    names = {vae_run.name, hierarchical_run.name}
    assert names <= {text.split("\n")[0] for text in texts()}
