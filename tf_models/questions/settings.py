"""Settings and presets of the training of question answering models."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, SerializeAsAny, field_validator

from tf_models.training.settings import NotNegative, RunSettings, Settings, Share, Size, read_preset

Preset = Literal["attention", "lstm"]


class LSTMSettings(Settings):
    """LSTMs alone (see `tf_models.recurrent.question_answering`)."""

    embedding_dim: Size = 32
    """Width of the embeddings."""
    units: Size = 128
    """Units of every recurrent network, in each direction if it has two."""
    dropout: Share = 0.0
    """Dropout rate on embeddings, and on annotations if there are any."""


class AttentionSettings(LSTMSettings):
    """GRUs and attention (see `tf_models.recurrent.question_answering`)."""

    hops: Annotated[int, Field(ge=0, le=1000)] = 3
    """Attention steps over the facts before the answer."""
    support_weight: NotNegative = 3.0
    """Weight of the auxiliary loss that makes hops attend to the facts that an answer follows from,
    where they are named; 0 leaves it out."""


class StorySettings(Settings):
    """Stories and questions."""

    training_questions: Size = 60_000
    """Embedded questions to train on; files have their own."""


class QuestionRunSettings(RunSettings):
    """All settings of a question answering run but its data and its seed."""

    model: SerializeAsAny[LSTMSettings] = AttentionSettings()
    stories: StorySettings = StorySettings()

    @field_validator("model", mode="before")
    @classmethod
    def _with_or_without_attention(cls, model: Any) -> Any:
        if not isinstance(model, Mapping):
            return model
        return AttentionSettings(**model) if "hops" in model else LSTMSettings(**model)


def preset(name: Preset) -> QuestionRunSettings:
    """The settings of a preset file: with attention, or with LSTMs alone."""
    return QuestionRunSettings(**read_preset(__file__, name))
