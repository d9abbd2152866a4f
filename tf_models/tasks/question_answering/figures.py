"""The figures of a question answering model, by name. The functions stand in `drawing`."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from tf_models.plotting.registry import FigureRegistry


def _drawing() -> ModuleType:
    from tf_models.tasks.question_answering import drawing

    return drawing


def load(run_dirs: Sequence[Path], checkpoint: str | None):
    """A trained question answering model."""
    from tf_models.tasks.question_answering.answerer import Answerer

    return Answerer.load(run_dirs[0], checkpoint)


FIGURES = FigureRegistry(
    "a question answering model",
    {
        "story": "which facts were read for an answer, hop by hop and word by word",
        "training": "loss over the epochs",
    },
    _drawing,
    kinds=("question answering",),
    load=load,
)
