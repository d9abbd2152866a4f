"""The figures of a text classifier: an entry each. The functions stand in `drawing`."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from tf_models.data.text.article_sentences import IT_STANDS_FOR
from tf_models.plotting.registry import FigureEntry, FigureRegistry


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
        "attention": FigureEntry(
            "heat maps of the encoder while it reads --sentence; --query first or mean: one row",
            lambda: _drawing().draw_attention,
            {
                "sentence": next(iter(IT_STANDS_FOR)),
                "layer": "all",
                "query": None,
                "words": False,
            },
        ),
        "confusion": FigureEntry(
            "which classes are taken for which, of --texts",
            lambda: _drawing().draw_confusion,
            {"texts": None, "scores": None},
        ),
        "training": FigureEntry(
            "loss and accuracy over the epochs", lambda: _drawing().draw_training, {"run_dir": None}
        ),
    },
    kinds=("classifier",),
    load=load,
)
