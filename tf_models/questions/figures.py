"""The figures of a question answering model, by name. The functions stand in `drawing`."""

from tf_models.plotting.registry import FigureRegistry, Need

FIGURES = FigureRegistry(
    "a question answering model",
    {
        "story": "which facts were read for an answer, hop by hop and word by word",
        "training": "loss over the epochs",
    },
    "tf_models.questions.drawing",
    needs={"story": Need(lambda answerer: answerer.model.attends, "a model with attention")},
    kinds=("question answering",),
)
