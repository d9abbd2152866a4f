"""The figures of a question answering model: an entry each. The functions stand in `drawing`."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from tf_models.plotting.registry import FigureEntry, FigureRegistry

# Two facts answer the question: who has the apple, and where that one went.
FACTS = (
    "Anna went to the kitchen.",
    "Ben ran to the garden.",
    "Anna picked up the apple.",
    "Clara walked to school.",
    "Anna hurried to the office.",
    "Ben went to the kitchen.",
)
QUESTION = "Where is the apple?"


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
        "story": FigureEntry(
            "which facts were read for an answer, hop by hop and word by word",
            lambda: _drawing().draw_story,
            {"facts": FACTS, "question": QUESTION},
        ),
        "training": FigureEntry(
            "loss over the epochs", lambda: _drawing().draw_training, {"run_dir": None}
        ),
    },
    kinds=("question answering",),
    load=load,
)
