"""The figures of classifiers, by name. The functions stand in `drawing` and `images.drawing`."""

from tf_models.plotting.registry import FigureRegistry

FIGURES = FigureRegistry(
    "a classifier",
    {
        "attention": "heat maps of the encoder while it reads --sentence; --query first or mean: "
        "one row",
        "confusion": "which classes are taken for which, of --test",
        "training": "loss and accuracy over the epochs",
    },
    "tf_models.classification.drawing",
    kinds=("classifier",),
)

OF_IMAGES = FigureRegistry(
    "a classifier of images",
    {
        "attention": "what the class token looks at, laid over test images; --layer of the heads",
        "confusion": "which classes are taken for which",
        "training": "loss and accuracy over the epochs",
    },
    "tf_models.classification.image_drawing",
    kinds=("image classifier",),
)
