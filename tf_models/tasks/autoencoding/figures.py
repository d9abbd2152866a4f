"""The figures of an autoencoder or VAE: an entry each. The functions stand in `drawing`."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from tf_models.plotting.registry import FigureEntry, FigureRegistry

COUNT = 10  # images in a row
_TEMPERATURE = {"temperature": 1.0, "seed": 0}


def _drawing() -> ModuleType:
    from tf_models.tasks.autoencoding import drawing

    return drawing


def load(
    run_dirs: Sequence[Path],
    checkpoint: str | None,
    names: Sequence[str],
    *,
    dataset: str | None = None,
    data_dir: Path | None = None,
):
    """Trained models, each with its name, and images to show them."""
    from tf_models.tasks.autoencoding.drawing import ImageRuns
    from tf_models.tasks.autoencoding.models import ImageModel

    models = [ImageModel.load(path, checkpoint) for path in run_dirs]
    images = models[0].load_images(dataset, data_dir)
    return ImageRuns(dict(zip(names, models, strict=True)), images)


FIGURES = FigureRegistry(
    "an autoencoder or VAE",
    {
        "reconstructions": FigureEntry(
            "test images, and what comes back",
            lambda: _drawing().draw_reconstructions,
            {"count": COUNT},
        ),
        "samples": FigureEntry(
            "new images",
            lambda: _drawing().draw_samples,
            {"count": COUNT, **_TEMPERATURE},
            lambda runs: runs.model.is_generative,
            "a VAE",
        ),
        "sharpness": FigureEntry(
            "samples of one run or several beside test images, and how sharp they are",
            lambda: _drawing().draw_sharpness,
            _TEMPERATURE,
            lambda runs: all(model.is_generative for model in runs.models.values()),
            "VAEs",
        ),
        "traversal": FigureEntry(
            "one number of the code moves",
            lambda: _drawing().draw_traversal,
            {"count": COUNT},
            lambda runs: runs.model.has_codes,
            "a model with one code",
        ),
        "codes": FigureEntry(
            "codes as shades",
            lambda: _drawing().draw_codes,
            {"count": COUNT},
            lambda runs: runs.model.has_codes,
            "a model with one code",
        ),
        "latent-space": FigureEntry(
            "codes as points, coloured by class",
            lambda: _drawing().draw_latent_space,
            applies=lambda runs: _drawing().has_plane(runs),
            needs="a code of two numbers or more, and several test images",
        ),
        "interpolation": FigureEntry(
            "from one class to another, in code space and in pixel space",
            lambda: _drawing().draw_interpolation,
            {"count": COUNT, "classes": None},
            lambda runs: _drawing().has_classes(runs),
            "a model with one code, and test images of two classes",
        ),
        "denoising": FigureEntry(
            "clean, noisy, restored",
            lambda: _drawing().draw_denoising,
            {"count": COUNT, "seed": 0},
        ),
        "pca": FigureEntry(
            "a linear autoencoder beside as many principal components",
            lambda: _drawing().draw_pca,
            {"count": COUNT},
            lambda runs: _drawing().has_pca(runs.model, runs.images),
            "a linear autoencoder (--model linear) with few numbers in its code",
        ),
        "roc": FigureEntry(
            "the class left out in training, found by its error",
            lambda: _drawing().draw_roc,
            applies=lambda runs: _drawing().has_anomalies(runs),
            needs="a run trained with --without-class, and labels",
        ),
        "training": FigureEntry(
            "loss over the epochs",
            lambda: _drawing().draw_training,
            applies=lambda runs: _drawing().has_history(runs),
            needs="a run with a history",
        ),
    },
    kinds=("autoencoder", "vae"),
    load=load,
)
