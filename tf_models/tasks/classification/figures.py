"""The figures of a text classifier, by name. The functions stand in `drawing`."""

from tf_models.plotting.registry import FigureRegistry

FIGURES = FigureRegistry(
    "a classifier",
    {
        "attention": "heat maps of the encoder while it reads --sentence; --query first or mean: "
        "one row",
        "confusion": "which classes are taken for which, of --test",
        "training": "loss and accuracy over the epochs",
    },
    "tf_models.tasks.classification.drawing",
    kinds=("classifier",),
)
