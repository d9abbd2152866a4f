"""The figures of a text classifier, by name. The functions stand in `drawing`."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from tf_models.plotting.registry import FigureRegistry


def _drawing() -> ModuleType:
    from tf_models.tasks.classification import drawing

    return drawing


def load(run_dirs: Sequence[Path], checkpoint: str | None):
    """A trained classifier."""
    from tf_models.runtime import use_cores_for_inference
    from tf_models.tasks.classification.text_classifier import TextClassifier

    use_cores_for_inference()
    return TextClassifier.load(run_dirs[0], checkpoint)


FIGURES = FigureRegistry(
    "a classifier",
    {
        "attention": "heat maps of the encoder while it reads --sentence; --query first or mean: "
        "one row",
        "confusion": "which classes are taken for which, of --texts",
        "training": "loss and accuracy over the epochs",
    },
    _drawing,
    kinds=("classifier",),
    load=load,
)
