"""A trained classifier of images: pixels to probabilities of classes, and to attention."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

from tf_models.classification.images.settings import ImageClassifierSettings
from tf_models.data.images.batches import INFERENCE_BATCH_SIZE
from tf_models.data.images.dataset import BYTE, show_shape
from tf_models.data.images.loading import read_images
from tf_models.data.images.origin import ImageOrigin
from tf_models.errors import Report
from tf_models.training.checkpoints import BEST, load_weights
from tf_models.training.run_directory import RunDirectory
from tf_models.transformer.vision import VisionTransformer

KIND = "image classifier"
DARK, LIGHT = 0.1, 0.5  # shades of an edge


@dataclass(frozen=True)
class ImageClassifier:
    """A trained classifier of images. Pixels are (n, height, width, channels), 0 to 1.

    model: built, its weights loaded.
    classes: in the order of the model's outputs.
    origin: of the images that it was trained on.
    """

    model: VisionTransformer
    classes: tuple[str, ...]
    origin: ImageOrigin

    @classmethod
    def load(cls, run_dir: str | Path, checkpoint: str | None = None) -> "ImageClassifier":
        """Load a run's checkpoint: "best" (the default), "latest" or a name. Raises InputError: no
        run of a classifier of images, no such checkpoint, or a damaged file.
        """
        run = RunDirectory(Path(run_dir))
        with run.reading(KIND) as config:
            settings, data = ImageClassifierSettings.from_config(config), config["data"]
            model = build_classifier(settings, tuple(data["shape"]), len(data["classes"]))
        load_weights(model, run.checkpoints, checkpoint or BEST)
        origin = ImageOrigin(run.path, data, config["seed"], run.images_file)
        return cls(model, tuple(data["classes"]), origin)

    def read(self, paths: Sequence[Path], report: Report = print) -> np.ndarray:
        """Pixels of image files, (n, height, width, channels), of the training images' shape.

        If these have a dark edge, as digits have that are light on dark, a grey image with a light
        edge is inverted, and it is said. Raises InputError: a file cannot be read.
        """
        shape = self.model.image_shape
        pixels = read_images(paths, shape) / np.float32(BYTE)
        report(f"images are brought to {show_shape(shape)}")
        kept = self.origin.load_kept()
        if shape[-1] == 1 and np.median(_edges(kept.pixels(kept.test))) < DARK:
            for i in np.flatnonzero(_edges(pixels) > LIGHT):
                report(f"{paths[i]} is inverted: training images are light on dark")
                pixels[i] = 1 - pixels[i]
        return pixels

    def probabilities(self, pixels: np.ndarray) -> np.ndarray:
        """Probabilities of each class for each image, (n, classes)."""
        logits = [outputs[0] for outputs in self._outputs(pixels)]
        return tf.nn.softmax(tf.concat(logits, axis=0)).numpy()

    def attention(self, pixels: np.ndarray) -> np.ndarray:
        """Weights of all layers, (layers, n, heads, 1 + patches, 1 + patches); the class token
        comes first.
        """
        weights = [list(weights.values()) for _, weights in self._outputs(pixels)]
        return np.concatenate(weights, axis=1)

    def _outputs(self, pixels: np.ndarray) -> Iterator[tuple[tf.Tensor, dict[str, tf.Tensor]]]:
        for start in range(0, len(pixels), INFERENCE_BATCH_SIZE):
            yield self.model(pixels[start : start + INFERENCE_BATCH_SIZE], training=False)


def _edges(pixels: np.ndarray) -> np.ndarray:
    """The median shade at the edge of each image (n, height, width, channels): (n,)."""
    sides = [pixels[:, 0], pixels[:, -1], pixels[:, :, 0], pixels[:, :, -1]]
    return np.median(np.concatenate(sides, axis=1), axis=(1, 2))


def build_classifier(
    settings: ImageClassifierSettings, shape: tuple[int, int, int], num_classes: int
) -> VisionTransformer:
    """The untrained model of these settings, built."""
    sizes = dict(vars(settings.model))
    rate = sizes.pop("dropout")
    model = VisionTransformer(shape, num_classes=num_classes, rate=rate, **sizes)
    model.build()
    return model
