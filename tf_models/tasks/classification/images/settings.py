"""Settings of the training of a Vision Transformer."""

from collections.abc import Collection
from dataclasses import dataclass

from tf_models.errors import InputError
from tf_models.tasks.classification.settings import EncoderSettings, PatientSettings
from tf_models.training.settings import OptimizerSettings, RunSettings, Settings, setting

MAX_PATCHES = 64  # by default: attention to twice as many takes four times as long
FEW_IMAGES, EPOCHS_OF_FEW = 10_000, 100


@dataclass(frozen=True)
class VisionSettings(EncoderSettings):
    """The model (see `tf_models.transformer.variants.vision.VisionTransformer`)."""

    patch: int = setting(4, "pixels of a patch's side; must divide height and width", ge=1)


@dataclass(frozen=True)
class AugmentationSettings(Settings):
    """What happens to training images, anew in each epoch."""

    shift: int = setting(
        1, "pixels by which a training image is moved at most, up or down, left or right", ge=0
    )


@dataclass(frozen=True, kw_only=True)
class ImageClassifierSettings(RunSettings):
    """All settings of a classifier of images but the images and the seed."""

    augmentation: AugmentationSettings = AugmentationSettings()


DEFAULTS = ImageClassifierSettings(
    model=VisionSettings(num_layers=4, d_model=64, num_heads=4, dff=128, dropout=0.0),
    optimizer=OptimizerSettings(learning_rate=2e-3, clip_norm=1.0),
    training=PatientSettings(batch_size=64, epochs=10),
)


def suited(given: Collection[str], shape: tuple[int, int, int], count: int) -> dict[str, object]:
    """Settings, by name, that suit so many training images of this shape better than the defaults,
    where nothing else is `given`.

    Raises:
        InputError: no patch of fitting size covers the images.
    """
    better: dict[str, object] = {}
    if "patch" not in given:
        better["patch"] = _patch_for(*shape[:2])
    if count < FEW_IMAGES and "epochs" not in given:
        better["epochs"] = EPOCHS_OF_FEW
    return better


def _patch_for(height: int, width: int) -> int:
    """The smallest patch of two pixels or more that cuts an image into a few dozen."""
    for patch in range(2, min(height, width)):
        if height % patch == width % patch == 0 and height * width <= MAX_PATCHES * patch**2:
            return patch
    raise InputError(
        f"images of {height} x {width} pixels cannot be cut into equal patches; bring them to "
        "another size, as with --image-size 32, or pass --patch"
    )
