"""Every public model at its smallest, with four examples to fit it on."""

from collections.abc import Callable
from typing import Any, NamedTuple

import keras
import numpy as np

from tf_models import tutorial
from tf_models.autoencoders.autoencoder import Autoencoder
from tf_models.autoencoders.hierarchical import HierarchicalVAE
from tf_models.autoencoders.networks import (
    dense_decoder,
    dense_encoder,
    normal_encoder,
    with_classes,
)
from tf_models.autoencoders.variational import VAE, ConditionalVAE
from tf_models.recurrent.question_answering import LSTMAnsweringModel, QuestionAnsweringModel
from tf_models.recurrent.sequence_autoencoder import SequenceAutoencoder
from tf_models.recurrent.translator import RecurrentTranslator
from tf_models.transformer.classifier import TransformerClassifier
from tf_models.transformer.model import Transformer
from tf_models.transformer.vision import VisionTransformer

random = np.random.default_rng(0)
INP = np.array([[8, 3, 4, 5, 9], [8, 7, 6, 9, 0], [8, 2, 9, 0, 0], [8, 3, 3, 2, 9]])
TAR = np.array([[8, 4, 5, 9], [8, 6, 9, 0], [8, 9, 0, 0], [8, 2, 2, 9]])
CLASSES = np.array([0, 2, 1, 2])
IMAGES = (random.random((4, 4, 4, 1)) < 0.5).astype(np.float32)
FACTS = random.integers(1, 10, (4, 3, 4))
SUPPORT = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]])
SIZES = {"num_layers": 1, "d_model": 8, "num_heads": 2, "dff": 16, "rate": 0.0}
TEXTS = {"input_vocab_size": 10, "target_vocab_size": 10, "pe_input": 6, "pe_target": 6}


class Case(NamedTuple):
    """A model and its data; `inputs` are those of `call`, `names` those of the data."""

    make: Callable[[], keras.Model]
    x: Any
    y: Any
    inputs: Any
    names: tuple[str, ...]
    loss: str = "sparse"  # that of `compile` which suits its labels
    is_random: bool = False  # outputs are new samples each time

    def data(self) -> tuple:
        """What `fit` takes: x, or x and y."""
        return (self.x,) if self.y is None else (self.x, self.y)

    def named(self) -> dict[str, np.ndarray]:
        """The data by the names of their arguments."""
        parts = [
            part for side in self.data() for part in (side if type(side) is tuple else (side,))
        ]
        return dict(zip(self.names, parts, strict=True))


def sequence(make: Callable[[], keras.Model]) -> Case:
    return Case(make, INP, TAR, (INP, TAR), ("inp", "tar"))


def story(make: Callable[[], keras.Model]) -> Case:
    names = ("facts", "question", "answer", "support")
    return Case(make, (FACTS, INP), (TAR, SUPPORT), (FACTS, INP, TAR), names)


def images(make: Callable[[], keras.Model], is_random: bool = True) -> Case:
    return Case(make, IMAGES, None, IMAGES, ("x",), "mse", is_random)


def autoencoder() -> Autoencoder:
    return Autoencoder(dense_encoder((4, 4, 1), 3), dense_decoder((4, 4, 1), 3))


def vae() -> VAE:
    encoder = normal_encoder(dense_encoder((4, 4, 1), 8, [8]), 2)
    return VAE(encoder, dense_decoder((4, 4, 1), 2, [8], output_activation="linear"))


def conditional_vae() -> ConditionalVAE:
    encoder = normal_encoder(with_classes(dense_encoder((4, 4, 2), 8, [8]), 3), 2)
    decoder = dense_decoder((4, 4, 1), 2 + 3, [8], output_activation="linear")
    return ConditionalVAE(encoder, decoder)


def classifier() -> TransformerClassifier:
    return TransformerClassifier(**SIZES, vocab_size=10, maximum_position_encoding=6, num_classes=3)


def vision_transformer() -> VisionTransformer:
    return VisionTransformer((4, 4, 1), patch=2, **SIZES, num_classes=3)


CASES = {
    "Transformer": sequence(lambda: Transformer(**SIZES, **TEXTS)),
    "tutorial.Transformer": sequence(lambda: tutorial.Transformer(**SIZES, **TEXTS)),
    "TransformerClassifier": Case(classifier, INP, CLASSES, INP, ("ids", "labels")),
    "VisionTransformer": Case(vision_transformer, IMAGES, CLASSES, IMAGES, ("images", "labels")),
    "RecurrentTranslator": sequence(lambda: RecurrentTranslator(10, 10, 4, 4)),
    "SequenceAutoencoder": sequence(lambda: SequenceAutoencoder(10, 4, 4)),
    "QuestionAnsweringModel": story(lambda: QuestionAnsweringModel(10, 10, 4, 4)),
    "LSTMAnsweringModel": story(lambda: LSTMAnsweringModel(10, 10, 4, 4)),
    "Autoencoder": images(autoencoder, is_random=False),
    "VAE": images(vae),
    "ConditionalVAE": Case(
        conditional_vae, IMAGES, CLASSES, (IMAGES, CLASSES), ("x", "labels"), "mse", is_random=True
    ),
    "HierarchicalVAE": images(lambda: HierarchicalVAE((4, 4, 1), (1, 1), 4, 2)),
}
