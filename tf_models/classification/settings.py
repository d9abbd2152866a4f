"""Settings of a text classifier's training, and the presets to start from."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from tf_models.training.settings import (
    Count,
    MaxLength,
    Pieces,
    RunSettings,
    Settings,
    Share,
    Size,
    TrainingSettings,
    check_heads,
    read_preset,
)

Preset = Literal["reference", "type", "voice", "own-texts"]
DEFAULT_LABELS = "reference"


class EncoderSettings(Settings):
    """The layers that texts and images go through."""

    num_layers: Annotated[int, Field(ge=1, le=1000)] = 2
    """Layers of the encoder."""
    d_model: Size = 128
    """Width of the model."""
    num_heads: Size = 4
    """Heads of each attention block; must divide d_model."""
    dff: Size = 256
    """Width of the feed-forward networks' hidden layer."""
    dropout: Share = 0.1
    """Dropout rate."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_heads(self.d_model, self.num_heads)
        return self


class ClassifierModelSettings(EncoderSettings):
    """The model (see `tf_models.transformer.classifier.TransformerClassifier`)."""

    max_length: MaxLength = 64
    """Tokens of a text that the model reads; a longer one is cut."""
    pooling: Literal["mean", "first"] = "mean"
    """What stands for the text: the mean of the outputs, or the one at the first token."""


class TextSettings(Settings):
    """Texts to ids."""

    pieces: Pieces = 2000
    """Subwords of the tokenizer."""
    plain: bool = False
    """Lower case and no mark at the end, so that neither gives a label away."""


class PatientSettings(TrainingSettings):
    """Length of a training, at most."""

    patience: Count = 0
    """Epochs to wait for a better validation accuracy; 0 never ends early."""


class ClassifierTrainingSettings(PatientSettings):
    """Length of a training, and the weights that it changes."""

    freeze: bool = False
    """Leave the encoder as --encoder-from has it."""


class ClassifierSettings(RunSettings):
    """All settings of a classifier but its texts and its seed."""

    model: ClassifierModelSettings = ClassifierModelSettings()
    text: TextSettings = TextSettings()
    training: ClassifierTrainingSettings = ClassifierTrainingSettings()


def preset(name: Preset) -> ClassifierSettings:
    """The settings of a preset file: by the labels of the embedded sentences, or for own texts."""
    return ClassifierSettings(**read_preset(__file__, name))
