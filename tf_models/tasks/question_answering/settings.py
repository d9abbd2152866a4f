"""Settings of a question answering model's training, section by section."""

from dataclasses import dataclass, replace

from tf_models.data.stories.story import StoryLimits
from tf_models.training.settings import (
    OptimizerSettings,
    RunSettings,
    Settings,
    TrainingSettings,
    setting,
)


@dataclass(frozen=True)
class LSTMSettings(Settings):
    """The model (see `tf_models.recurrent.question_answering.LSTMAnsweringModel`)."""

    embedding_dim: int = setting(32, "width of the embeddings", ge=1)
    units: int = setting(128, "of every recurrent network, in each direction", ge=1)
    dropout: float = setting(
        0.0, "dropout rate on embeddings and annotations", metavar="RATE", ge=0, lt=1
    )


@dataclass(frozen=True)
class AttentionSettings(LSTMSettings):
    """The model (see `tf_models.recurrent.question_answering.QuestionAnsweringModel`)."""

    hops: int = setting(3, "attention steps over the facts before the answer", ge=0, le=1000)
    support_weight: float = setting(
        3.0,
        "of the loss that teaches hops to attend to the facts that an answer follows from, where "
        "they are named; 0 leaves hops alone; without hops it does nothing",
        metavar="W",
        ge=0,
    )


@dataclass(frozen=True)
class StorySettings(Settings):
    """What is read."""

    training_questions: int = setting(
        60_000, "embedded questions to train on; files have their own", ge=1
    )
    max_facts: int = setting(100, "facts of a story at most", metavar="FACTS", ge=1)

    @property
    def limits(self) -> StoryLimits:
        """What the model reads and writes at most."""
        return StoryLimits(self.max_facts)


@dataclass(frozen=True, kw_only=True)
class QuestionRunSettings(RunSettings):
    """All settings of a question answering model but its questions and its seed."""

    stories: StorySettings = StorySettings()


DEFAULTS = QuestionRunSettings(
    model=AttentionSettings(units=64),
    optimizer=OptimizerSettings(learning_rate=6e-3),
    training=TrainingSettings(epochs=4),
)
ATTENTION = "attention"
MODELS = {ATTENTION: DEFAULTS, "lstm": replace(DEFAULTS, model=LSTMSettings())}


def of_config(config: dict) -> QuestionRunSettings:
    """Those of a run; its model attends if it has settings of attention, be they all or not (see
    `Settings.from_config`).
    """
    of_attention = vars(AttentionSettings()).keys() - vars(LSTMSettings()).keys()
    attends = of_attention & config["model"].keys()
    return MODELS[ATTENTION if attends else "lstm"].from_config(config)
