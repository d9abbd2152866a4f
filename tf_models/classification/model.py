"""Trained classifiers of texts or images: class probabilities, attention."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import keras
import numpy as np
import tensorflow as tf

from tf_models.classification.settings import ImageClassifierSettings, TextClassifierSettings
from tf_models.data.batches import chunks, padded_batches
from tf_models.data.image_batches import IMAGES_TOGETHER
from tf_models.data.images import BYTE, ImageSet, read_images
from tf_models.data.labelled import LabelledText, read_labelled
from tf_models.data.tokenizers import SentenceEncoder, SubwordTokenizer
from tf_models.errors import InputError, StrPath
from tf_models.training.checkpoints import BEST, load_weights
from tf_models.training.image_origin import ImageOrigin
from tf_models.training.run_directory import RunDirectory, summary
from tf_models.transformer.classifier import TransformerClassifier
from tf_models.transformer.vision import VisionTransformer

OF_TEXTS, OF_IMAGES = "classifier", "image classifier"  # kinds of runs
TEXTS_TOGETHER = 128  # number of texts that a classifier reads at a time


@dataclass(frozen=True)
class TextClassifier:
    """A trained classifier of texts.

    model: built, its weights loaded.
    encoder: encodes its texts, and cuts those that are too long.
    classes: names of the classes, in the order of the model's outputs.
    plain: True if it reads lower case without the mark at the end.
    run_dir: the run directory that it comes from, if there is one.

    Example:
        >>> classifier = TextClassifier.load("runs/reference-classifier")
        >>> texts = ["The dog sees the fox.", "The fox sees the dog."]
        >>> classifier.probabilities(texts).shape == (2, len(classifier.classes))
        True
    """

    model: TransformerClassifier
    encoder: SentenceEncoder
    classes: tuple[str, ...]
    plain: bool = False
    run_dir: Path | None = None

    def __repr__(self) -> str:
        return summary(self, f"{len(self.classes)} classes", self.model, self.run_dir)

    @classmethod
    def load(cls, run_dir: StrPath, checkpoint: str | None = None) -> "TextClassifier":
        """Load a run's checkpoint: "best" (the default), "latest" or a name.

        Raises InputError: no run of a classifier, no such checkpoint, or a damaged file.
        """
        run = RunDirectory(run_dir)
        config = run.read_config(OF_TEXTS)
        settings = TextClassifierSettings.from_config(config)
        classes = tuple(config["data"]["classes"])
        tokenizer = load_tokenizer(run)
        model = build_text_model(settings, tokenizer, len(classes))
        load_weights(model, run.checkpoints, checkpoint or BEST)
        encoder = SentenceEncoder(tokenizer, settings.model.max_length, cuts=True)
        return cls(model, encoder, classes, settings.text.plain, run.path)

    def read(self, paths: Sequence[StrPath]) -> list[LabelledText]:
        """Texts of files of label<TAB>text; an InputError for an unknown label."""
        texts = [text for path in paths for text in read_labelled(Path(path))]
        if unknown := sorted({text.label for text in texts} - set(self.classes)):
            known = ", ".join(self.classes)
            raise InputError(f"the classifier has the classes {known}; received {unknown[0]}")
        return texts

    def encode(self, text: str) -> list[int]:
        """Ids of a text, from start to end token, as many as the model reads.

        Raises InputError: the text is empty, or has unknown characters only.
        """
        return self.encoder.encode(plain_text(text, self.plain))

    def probabilities(self, texts: Sequence[str]) -> np.ndarray:
        """Probabilities of each class for each text, (texts, classes)."""
        encoder = self.encoder
        ids = [encoder.cut(encoder.ids(plain_text(text, self.plain))) for text in texts]
        probabilities = np.empty((len(ids), len(self.classes)), np.float32)
        for indices, batch in padded_batches(ids, TEXTS_TOGETHER, "classifying"):
            probabilities[indices] = self._probabilities(batch)
        return probabilities

    @cached_property
    def _probabilities(self) -> Callable[[tf.Tensor], tf.Tensor]:
        return compiled(self.model, tf.TensorSpec((None, None), tf.int32))

    def classify(self, texts: Sequence[str]) -> list[str]:
        """The most probable class of each text."""
        return [self.classes[i] for i in self.probabilities(texts).argmax(axis=-1)]

    def attention(self, text: str) -> tuple[list[str], np.ndarray]:
        """Tokens, start and end too, and their weights (layers, heads, len, len)."""
        ids = self.encode(text)
        _, weights = self.model(tf.constant([ids]))
        return self.encoder.tokenizer.tokens(ids), np.concatenate(list(weights.values()))


@dataclass(frozen=True)
class ImageClassifier:
    """A trained classifier of images (n, height, width, channels), 0 to 1.

    model: built, its weights loaded.
    classes: names of the classes, in the order of the model's outputs.
    origin: provenance of the images that it was trained on.
    """

    model: VisionTransformer
    classes: tuple[str, ...]
    origin: ImageOrigin

    def __repr__(self) -> str:
        return summary(self, f"{len(self.classes)} classes", self.model, self.origin.run_dir)

    @classmethod
    def load(cls, run_dir: StrPath, checkpoint: str | None = None) -> "ImageClassifier":
        """Load a run's checkpoint, as `TextClassifier.load` does."""
        run = RunDirectory(run_dir)
        config = run.read_config(OF_IMAGES)
        settings = ImageClassifierSettings.from_config(config)
        data = config["data"]
        model = build_image_model(settings, tuple(data["shape"]), len(data["classes"]))
        load_weights(model, run.checkpoints, checkpoint or BEST)
        origin = ImageOrigin(run.path, data, config["seed"], run.images_file)
        return cls(model, tuple(data["classes"]), origin)

    def read(self, paths: Sequence[StrPath]) -> np.ndarray:
        """Pixels of image files in the model's shape; an InputError if unreadable."""
        return read_images(paths, self.model.image_shape) / np.float32(BYTE)

    def dark_on_light(self, pixels: np.ndarray) -> np.ndarray:
        """True for grey images on light, if the training's are on dark: (n,)."""
        kept = self.origin.load_kept()
        is_dark = pixels.shape[-1] == 1 and not np.median(_light(kept.pixels(kept.train)))
        return _light(pixels) & is_dark

    def probabilities(self, pixels: np.ndarray) -> np.ndarray:
        """Probabilities of each class for each image, (n, classes)."""
        batches = chunks(np.asarray(pixels, np.float32), IMAGES_TOGETHER)
        return np.concatenate([self._probabilities(batch) for batch in batches])

    @cached_property
    def _probabilities(self) -> Callable[[tf.Tensor], tf.Tensor]:
        return compiled(self.model, tf.TensorSpec((None, *self.model.image_shape)))

    def attention(self, pixels: np.ndarray) -> np.ndarray:
        """Weights (layers, n, heads, 1 + patches, 1 + patches), class token first."""
        _, weights = self.model(pixels)
        return np.stack(list(weights.values()))


def _light(pixels: np.ndarray) -> np.ndarray:
    """True for images with a border of mostly light pixels: (n,)."""
    border = np.ones(pixels.shape[1:3], bool)
    border[1:-1, 1:-1] = False
    return np.mean(pixels[:, border] > 0.5, axis=(1, 2)) > 0.5


def compiled(model: keras.Model, batch: tf.TensorSpec) -> Callable[[tf.Tensor], tf.Tensor]:
    """Class probabilities (n, classes) of a batch, in one graph for all."""
    return tf.function(
        lambda inputs: tf.nn.softmax(model(inputs)[0]), input_signature=[batch], autograph=False
    )


def build_text_model(
    settings: TextClassifierSettings, tokenizer: SubwordTokenizer, num_classes: int
) -> TransformerClassifier:
    """The untrained model of these settings."""
    sizes = dict(vars(settings.model))
    model = TransformerClassifier(
        vocab_size=tokenizer.vocabulary_size,
        maximum_position_encoding=sizes.pop("max_length"),
        num_classes=num_classes,
        rate=sizes.pop("dropout"),
        **sizes,
    )
    model.build()
    return model


def build_image_model(
    settings: ImageClassifierSettings, shape: tuple[int, int, int], num_classes: int
) -> VisionTransformer:
    """The untrained model of these settings."""
    sizes = dict(vars(settings.model))
    rate = sizes.pop("dropout")
    model = VisionTransformer(shape, num_classes=num_classes, rate=rate, **sizes)
    model.build()
    return model


def classify_tests(classifier: ImageClassifier, images: ImageSet) -> tuple[list[str], list[str]]:
    """Labels of test images, and the classes that are predicted.

    Raises InputError: they have no labels, or classes that the classifier does not have.
    """
    tests = images.test
    classes = classifier.classes
    if tests.labels is None or tests.labels.max() >= len(classes):
        raise InputError(
            f"the test images of {images.name} must be of the classes {', '.join(classes)}"
        )
    predicted = classifier.probabilities(images.pixels(tests)).argmax(axis=-1)
    return [classes[i] for i in tests.labels], [classes[i] for i in predicted]


def tokenizer_file(run: RunDirectory) -> Path:
    """Path of the subword model of a classifier's run."""
    return run.tokenizers / "text.model"


def load_tokenizer(run: RunDirectory) -> SubwordTokenizer:
    """The subword model of a trained classifier's run."""
    config = run.read_config(OF_TEXTS)
    return SubwordTokenizer(tokenizer_file(run), config["language"], config["lowercase"])


def plain_text(text: str, plain: bool = True) -> str:
    """The text, in lower case without marks at the end if it is to be `plain`."""
    return (text.lower().rstrip(" .?!") or text) if plain else text
