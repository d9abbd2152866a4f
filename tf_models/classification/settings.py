"""Settings and presets of the training of a classifier of texts or images."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import Field

from tf_models.training.settings import (
    Count,
    MaxLength,
    Pieces,
    RunSettings,
    Settings,
    Share,
    Size,
    TrainingSettings,
    read_preset,
)

# Subwords of few texts: see `TextClassifierSettings.for_texts`.
FEWEST_MERGES = 64
CHARACTERS_A_MERGE = 100


class EncoderSettings(Settings):
    """Sizes and dropout rate of an encoder of texts or images."""

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


class TextEncoderSettings(EncoderSettings):
    """The model, `tf_models.transformer.classifier.TransformerClassifier`."""

    max_length: MaxLength = 64
    """Tokens of a text that the model reads; a longer one is cut."""
    pooling: Literal["mean", "first"] = "mean"
    """Pooling of the outputs to one vector: their mean, or the one at the first token."""


class VisionSettings(EncoderSettings):
    """The model, `tf_models.transformer.vision.VisionTransformer`."""

    patch: Size = 4
    """Pixels of a patch's side; must divide height and width."""


class TextSettings(Settings):
    """Texts to ids."""

    pieces: Pieces = 2000
    """Subwords of the tokenizer."""
    plain: bool = False
    """Read texts in lower case without marks at the end, so that neither gives a label away."""


class AugmentationSettings(Settings):
    """Data augmentation of the training images, anew in each epoch."""

    shift: Count = 1
    """Greatest shift of a training image in pixels, up or down, left or right."""


class TextTrainingSettings(TrainingSettings):
    """Length of a training, early stopping, and frozen weights."""

    patience: Count = 0
    """Epochs to wait for a better validation accuracy; 0 never stops early."""
    freeze: bool = False
    """Freeze the encoder of --encoder-from: train only the other weights."""


class TextClassifierSettings(RunSettings):
    """All settings of a classifier of texts but its texts and its seed."""

    model: TextEncoderSettings = TextEncoderSettings()
    text: TextSettings = TextSettings()
    training: TextTrainingSettings = TextTrainingSettings()

    def for_texts(self, texts: Sequence[str]) -> Self:
        """Settings with fewer subwords if the texts are few.

        A subword that stands in few places is not learnt (Sennrich & Zhang 2019, section 3.2). So
        there is one merge for `CHARACTERS_A_MERGE` characters of the texts, and `FEWEST_MERGES`
        at least. Neither a number that an option sets nor one without `min_steps` changes.
        """
        if self.min_steps == 0 or "pieces" in self.fixed:
            return self
        alphabet = set().union(*texts)
        merges = max(FEWEST_MERGES, sum(map(len, texts)) // CHARACTERS_A_MERGE)
        return self.changed(pieces=min(self.text.pieces, len(alphabet) + merges))


class ImageClassifierSettings(RunSettings):
    """All settings of a classifier of images but the images and the seed."""

    model: VisionSettings = VisionSettings()
    augmentation: AugmentationSettings = AugmentationSettings()


def text_preset(name: str) -> TextClassifierSettings:
    """Preset by the labels of the embedded sentences, or "own-texts"."""
    return TextClassifierSettings(**read_preset(__file__, name))


def image_preset(dataset: str) -> ImageClassifierSettings:
    """Preset for a data set, by its name on the command line."""
    names = {"digits": "digits", "mnist": "mnist", "fashion_mnist": "mnist"}
    return ImageClassifierSettings(**read_preset(__file__, names.get(dataset, "photos")))
