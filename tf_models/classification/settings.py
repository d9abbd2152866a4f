"""Settings of the training of a classifier, of texts or images, and the presets to start from."""

from typing import Annotated, Literal

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


class TextEncoderSettings(EncoderSettings):
    """The model (see `tf_models.transformer.classifier.TransformerClassifier`)."""

    max_length: MaxLength = 64
    """Tokens of a text that the model reads; a longer one is cut."""
    pooling: Literal["mean", "first"] = "mean"
    """What stands for the text: the mean of the outputs, or the one at the first token."""


class VisionSettings(EncoderSettings):
    """The model (see `tf_models.transformer.vision.VisionTransformer`)."""

    patch: Size = 4
    """Pixels of a patch's side; must divide height and width."""


class TextSettings(Settings):
    """Texts to ids."""

    pieces: Pieces = 2000
    """Subwords of the tokenizer."""
    plain: bool = False
    """Lower case and no mark at the end, so that neither gives a label away."""


class AugmentationSettings(Settings):
    """Changes of the training images, anew in each epoch."""

    shift: Count = 1
    """Pixels by which a training image is moved at most, up or down, left or right."""


class TextTrainingSettings(TrainingSettings):
    """Length of a training, at most, and the weights that it changes."""

    patience: Count = 0
    """Epochs to wait for a better validation accuracy; 0 never ends early."""
    freeze: bool = False
    """Leave the encoder as --encoder-from has it."""


class TextClassifierSettings(RunSettings):
    """All settings of a classifier of texts but its texts and its seed."""

    model: TextEncoderSettings = TextEncoderSettings()
    text: TextSettings = TextSettings()
    training: TextTrainingSettings = TextTrainingSettings()


class ImageClassifierSettings(RunSettings):
    """All settings of a classifier of images but the images and the seed."""

    model: VisionSettings = VisionSettings()
    augmentation: AugmentationSettings = AugmentationSettings()


def text_preset(name: str) -> TextClassifierSettings:
    """The settings of a preset file: by the labels of the embedded sentences, or "own-texts"."""
    return TextClassifierSettings(**read_preset(__file__, name))


def image_preset(dataset: str) -> ImageClassifierSettings:
    """The settings of the preset file for a data set, by its name on the command line."""
    names = {"digits": "digits", "mnist": "mnist", "fashion_mnist": "mnist"}
    return ImageClassifierSettings(**read_preset(__file__, names.get(dataset, "photos")))
