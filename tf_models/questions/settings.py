"""Settings of a question answering model's training, and the presets to start from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, SerializeAsAny, field_validator

from tf_models.data.text_files import split_words, words_read
from tf_models.training.settings import NotNegative, RunSettings, Settings, Share, Size, read_preset

Preset = Literal["attention", "lstm"]


class LSTMSettings(Settings):
    """The model (see `tf_models.recurrent.question_answering.LSTMAnsweringModel`)."""

    embedding_dim: Size = 32
    """Width of the embeddings."""
    units: Size = 128
    """Of every recurrent network, in each direction."""
    dropout: Share = 0.0
    """Dropout rate on embeddings and annotations."""


class AttentionSettings(LSTMSettings):
    """The model (see `tf_models.recurrent.question_answering.QuestionAnsweringModel`)."""

    hops: Annotated[int, Field(ge=0, le=1000)] = 3
    """Attention steps over the facts before the answer."""
    support_weight: NotNegative = 3.0
    """Weight of the auxiliary loss that makes hops attend to the facts that an answer follows from,
    where they are named; 0 leaves it out."""


@dataclass(frozen=True)
class StoryLimits:
    """Longest input and output of a model.

    facts: of a story. words: of a fact or a question. answer_words: of an answer.
    """

    facts: int
    words: int = 40
    answer_words: int = 10

    def problem(self, question: Any) -> str | None:
        """A sentence about what is too long in a `tf_models.data.stories.Question`, or None."""
        if len(question.facts) > self.facts:
            return f"the story has {len(question.facts)} facts, and the model reads {self.facts}"
        longest = max((*question.facts, question.question), key=lambda text: len(words_read(text)))
        if (words := len(words_read(longest))) > self.words:
            return f"a sentence has {words} words, and the model reads {self.words}: {longest!r}"
        if (words := len(split_words(question.answer))) > self.answer_words:
            return f"the answer has {words} words, and the model writes {self.answer_words}"
        return None


class StorySettings(Settings):
    """Stories and questions."""

    training_questions: Size = 60_000
    """Embedded questions to train on; files have their own."""
    max_facts: Size = 100
    """Facts of a story at most."""

    @property
    def limits(self) -> StoryLimits:
        """What the model reads and writes at most."""
        return StoryLimits(self.max_facts)


class QuestionRunSettings(RunSettings):
    """All settings of a question answering model but its questions and its seed."""

    model: SerializeAsAny[LSTMSettings] = AttentionSettings()
    stories: StorySettings = StorySettings()

    @field_validator("model", mode="before")
    @classmethod
    def _with_or_without_attention(cls, model: Any) -> Any:
        if not isinstance(model, Mapping):
            return model
        return AttentionSettings(**model) if "hops" in model else LSTMSettings(**model)


def preset(name: Preset) -> QuestionRunSettings:
    """The settings of a preset file: with attention, or one LSTM that reads and answers."""
    return QuestionRunSettings(**read_preset(__file__, name))
