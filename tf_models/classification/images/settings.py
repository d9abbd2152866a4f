"""Settings of the training of a Vision Transformer, and the presets to start from."""

from typing import Literal

from tf_models.classification.settings import EncoderSettings, PatientSettings
from tf_models.training.settings import Count, RunSettings, Settings, Size, read_preset

Preset = Literal["digits", "mnist", "photos"]


class VisionSettings(EncoderSettings):
    """The model (see `tf_models.transformer.vision.VisionTransformer`)."""

    patch: Size = 4
    """Pixels of a patch's side; must divide height and width."""


class AugmentationSettings(Settings):
    """Changes of the training images, anew in each epoch."""

    shift: Count = 1
    """Pixels by which a training image is moved at most, up or down, left or right."""


class ImageClassifierSettings(RunSettings):
    """All settings of a classifier of images but the images and the seed."""

    model: VisionSettings = VisionSettings()
    training: PatientSettings = PatientSettings()
    augmentation: AugmentationSettings = AugmentationSettings()


def preset(name: Preset) -> ImageClassifierSettings:
    """The settings of a preset file."""
    return ImageClassifierSettings(**read_preset(__file__, name))


def preset_for(dataset: str) -> Preset:
    """The preset for a data set, by its name on the command line."""
    names: dict[str, Preset] = {"digits": "digits", "mnist": "mnist", "fashion_mnist": "mnist"}
    return names.get(dataset, "photos")
