"""The figures of an autoencoder or VAE, by name. The functions stand in `drawing`."""

from tf_models.plotting.registry import FigureRegistry, Need

MAX_COUNT = 400  # images of a figure
_CODES = Need(lambda runs: runs.model.has_codes, "a model with one code")
FIGURES = FigureRegistry(
    "an autoencoder or VAE",
    {
        "reconstructions": "test images, and what comes back",
        "samples": "new images",
        "classes": "new images of each class, a row for each, from the same z in each column",
        "sharpness": "samples of one run or several beside test images, and how sharp they are",
        "traversal": "one number of the code moves",
        "codes": "codes as shades",
        "latent-space": "images as points, coloured by class: two numbers of the code, beside PCA",
        "interpolation": "from one class to another, in code space and in pixel space",
        "denoising": "clean, noisy, restored",
        "pca": "a linear autoencoder beside as many principal components",
        "roc": "the class left out in training, found by its error",
        "training": "loss over the epochs",
    },
    "tf_models.autoencoding.drawing",
    needs={
        "samples": Need(lambda runs: runs.model.is_generative, "a VAE"),
        "classes": Need(
            lambda runs: runs.model.settings.is_conditional, "a VAE of --model conditional"
        ),
        "sharpness": Need(
            lambda runs: all(model.is_generative for model in runs.models.values()), "VAEs"
        ),
        "traversal": _CODES,
        "codes": _CODES,
        "latent-space": Need(
            lambda runs: (
                runs.model.has_codes and runs.model.code_size > 1 and len(runs.images.test) > 1
            ),
            "a code of two numbers or more, and several test images",
        ),
        "interpolation": Need(
            lambda runs: runs.model.has_codes and len(runs.images.classes(runs.images.test)) > 1,
            "a model with one code, and test images of two classes",
        ),
        "pca": Need(
            lambda runs: runs.model.has_pca(runs.images),
            "a linear autoencoder (--model linear) with few numbers in its code",
        ),
        "roc": Need(
            lambda runs: (
                runs.model.origin.left_out_class is not None and runs.images.test.labels is not None
            ),
            "a run trained with --without-class, and labels",
        ),
        "training": Need(lambda runs: bool(runs.model.history.columns()), "a run with a history"),
    },
    kinds=("autoencoder", "vae"),
)

FIGURES_BY_HAND = FigureRegistry(
    "no run",
    {
        "autoencoder-and-vae": "the layers of an autoencoder beside those of a VAE",
        "interpolation-weights": "linear, cubic, bilinear and bicubic between two vectors",
    },
    "tf_models.autoencoding.drawing_by_hand",
)
