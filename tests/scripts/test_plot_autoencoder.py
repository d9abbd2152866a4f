import shutil

import numpy as np
import pytest
from matplotlib.text import Text
from PIL import Image

from tests.support.images import write_folder, write_folders
from tf_models.data.images.dataset import ImageSet, ImageSplit
from tf_models.plotting import files
from tf_models.tasks.autoencoding.figure_options import FIGURE_NAMES, FigureOptions
from tf_models.tasks.autoencoding.figures import FIGURES, default_classes
from tf_models.tasks.autoencoding.trained_model import ImageModel

NEEDS = {
    "pca": "holds no linear autoencoder; train one with --model linear",
    "roc": "was trained on all classes; train with --without-class",
    "samples": "holds an autoencoder, which has no prior to sample from",
}


def draw(call, run_dir, figure, tmp_path, *options):
    output = tmp_path / f"{figure}.png"
    result = call(
        "plot_autoencoder", "--run-dir", run_dir, "--figure", figure, "--output", output, *options
    )  # fmt: skip
    assert output.exists() == (result.status == 0)
    return result, output


def test_every_figure_is_described():
    assert FIGURE_NAMES.keys() == FIGURES.keys()


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_of_an_autoencoder(figure, autoencoder_run, call, tmp_path):
    result, output = draw(call, autoencoder_run, figure, tmp_path)
    if figure in NEEDS:
        assert NEEDS[figure] in result.complaint
        return
    assert result.out.strip() == str(output)
    assert Image.open(output).size[0] > 100
    english = output.read_bytes()
    result, output = draw(call, autoencoder_run, figure, tmp_path, "--language", "de")
    assert result.status == 0  # every word has its translation
    assert output.read_bytes() != english


@pytest.mark.parametrize("figure", ["samples", "traversal", "interpolation", "latent-space"])
def test_figures_of_a_vae(figure, vae_run, call, tmp_path):
    one, first = draw(call, vae_run, figure, tmp_path, "--seed", 1)
    before = first.read_bytes()
    again, second = draw(call, vae_run, figure, tmp_path, "--seed", 1)
    assert one.status == again.status == 0
    assert second.read_bytes() == before
    if figure == "samples":
        _, other = draw(call, vae_run, figure, tmp_path, "--seed", 2)
        assert other.read_bytes() != before


def test_a_hierarchical_model_has_no_single_code(hierarchical_run, call, tmp_path):
    for figure in ("samples", "reconstructions", "denoising"):
        assert draw(call, hierarchical_run, figure, tmp_path)[0].status == 0
    for figure in ("codes", "interpolation"):
        result, _ = draw(call, hierarchical_run, figure, tmp_path)
        assert "whose latents are no single code" in result.complaint


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            ["--classes", 0, 9],
            "--classes must name classes of the test images (0, 1, 2); received '9'",
        ),
        (["--count", 1], "--count must be at least 2; received 1"),
        (["--temperature", 2], "--figure interpolation has no --temperature"),
        (["--dataset", "digits"], "was trained on images of 6 x 5 x 1; digits has 8 x 8 x 1"),
        (["--checkpoint", "ckpt-99"], "ckpt-99"),
    ],
)
def test_bad_options(options, complaint, autoencoder_run, call, tmp_path):
    result, _ = draw(call, autoencoder_run, "interpolation", tmp_path, *options)
    assert complaint in result.complaint


def test_options_of_other_figures(vae_run, call, tmp_path):
    result, _ = draw(call, vae_run, "samples", tmp_path, "--temperature", -1)
    assert "--temperature must be 0 to 10; received -1.0" in result.complaint
    result, _ = draw(call, vae_run, "latent-space", tmp_path, "--count", 3, "--classes", 0, 1)
    assert "--figure latent-space has no --count, --classes" in result.complaint


def test_fading_between_the_first_and_the_last_class(autoencoder_run, call, tmp_path):
    """The images have no sevens."""
    _, chosen = draw(call, autoencoder_run, "interpolation", tmp_path)
    by_default = chosen.read_bytes()
    _, named = draw(call, autoencoder_run, "interpolation", tmp_path, "--classes", 0, 2)
    assert named.read_bytes() == by_default
    _, other = draw(call, autoencoder_run, "interpolation", tmp_path, "--classes", 0, 1)
    assert other.read_bytes() != by_default


def test_a_zero_becomes_a_seven_where_there_are_both():
    def images(labels):
        split = ImageSplit(np.zeros((len(labels), 1, 1, 1), np.uint8), np.array(labels))
        return ImageSet("images", split, split, split)

    assert default_classes(images([9, 7, 1, 0, 0])) == ("0", "7")
    assert default_classes(images([9, 7, 1])) == ("1", "9")


@pytest.mark.parametrize(
    ("noise", "amount"),
    [
        ([], "masking noise 0.3"),
        (
            ["--masking-noise", 0.2, "--gaussian-noise-std", 0.1],
            "masking noise 0.2, Gaussian noise std 0.1",
        ),
    ],
)
def test_the_noise_is_named(noise, amount, npz, call, tmp_path):
    train = ["--dataset", npz, "--epochs", 1, *noise, "--run-dir", tmp_path / "run"]
    assert call("train_autoencoder", *train).status == 0
    model = ImageModel.load(tmp_path / "run")
    figure = FIGURES["denoising"].draw(model, model.load_images(), FigureOptions())
    assert f"denoising ({amount})" in [text.get_text() for text in figure.texts]


def test_runs_and_files_that_it_cannot_use(run_dir, autoencoder_run, call, tmp_path):
    assert "of kind translator" in draw(call, run_dir, "codes", tmp_path)[0].complaint
    assert "train first" in draw(call, tmp_path / "none", "codes", tmp_path)[0].complaint
    result = call(
        "plot_autoencoder", "--run-dir", autoencoder_run, "--figure", "codes",
        "--output", tmp_path / "codes.txt",
    )  # fmt: skip
    assert "codes.txt" in result.complaint


def test_images_that_are_not_the_same_any_more(call, tmp_path):
    """With one image more the splits would be drawn anew: training images among the tests."""
    folder = write_folder(tmp_path / "own", count=20)
    run_dir = tmp_path / "run"
    train = ["--dataset", folder, "--epochs", 1, "--run-dir", run_dir]
    assert call("train_autoencoder", *train).status == 0
    assert draw(call, run_dir, "codes", tmp_path)[0].status == 0
    (tmp_path / "codes.png").unlink()
    (folder / "new.png").write_bytes((folder / "0.png").read_bytes())
    result, _ = draw(call, run_dir, "codes", tmp_path)
    assert "are no longer those that" in result.complaint


def test_what_was_left_out_stays_out(npz, call, tmp_path):
    run_dir = tmp_path / "run"
    train = ["--dataset", npz, "--epochs", 1, "--without-class", 1, "--run-dir", run_dir]
    assert call("train_autoencoder", *train).status == 0
    moved = shutil.copy(npz, tmp_path / "moved.npz")
    for name in (None, str(npz), str(moved)):
        images = ImageModel.load(run_dir).load_images(name)
        assert set(images.train.labels) == {0, 2}
        assert set(images.test.labels) == {0, 1, 2}


def test_classes_have_the_names_of_their_folders(call, tmp_path, monkeypatch):
    titles = []
    save = files.save_figure

    def save_and_read(figure, path):
        titles.append(" ".join(text.get_text() for text in figure.findobj(Text)))
        return save(figure, path)

    monkeypatch.setattr(files, "save_figure", save_and_read)
    run_dir, folder = tmp_path / "run", write_folders(tmp_path / "own", "cat", "dog", "owl")
    train = ["--dataset", folder, "--epochs", 1, "--code-size", 2, "--run-dir", run_dir]
    result = call("train_autoencoder", *train, "--without-class", "dog")
    assert "class dog by its error: area under the ROC curve" in result.out
    drawn = dict.fromkeys(("codes", "latent-space", "interpolation", "roc"))
    for figure in drawn:
        titles.clear()
        assert draw(call, run_dir, figure, tmp_path)[0].status == 0
        (drawn[figure],) = titles
    assert "from cat to owl" in drawn["interpolation"]
    assert "images of class dog found" in drawn["roc"]
    assert {"cat", "dog", "owl"} <= set(drawn["latent-space"].split())
    assert {"cat", "owl"} & set(drawn["codes"].split())
    draw(call, run_dir, "interpolation", tmp_path, "--classes", "owl", "dog")
    assert "from owl to dog" in titles[-1]


def test_images_of_ones_own_have_no_classes(autoencoder_run, call, tmp_path):
    folder = write_folder(tmp_path / "own")
    dataset = ["--dataset", folder]
    assert draw(call, autoencoder_run, "latent-space", tmp_path, *dataset)[0].status == 0
    result, _ = draw(call, autoencoder_run, "interpolation", tmp_path, *dataset)
    assert "interpolation needs two classes" in result.complaint
    classes = ["--classes", 0, 1]
    result, _ = draw(call, autoencoder_run, "interpolation", tmp_path, *dataset, *classes)
    assert "classes of the test images (none); received '0'" in result.complaint
