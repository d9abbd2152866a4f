"""The Illustrated Transformer's six words, and a Transformer that learns two pairs of them."""

from typing import NamedTuple

import keras
import numpy as np
import tensorflow as tf

from tf_models.layers.loss import loss_function
from tf_models.transformer.model import Transformer

WORDS = ("a", "am", "i", "thanks", "student", "<eos>")
ID = {word: number for number, word in enumerate(WORDS, start=1)}  # 0 is padding
START = len(WORDS) + 1
FRENCH = {"merci": 1, "je": 2, "suis": 3, "étudiant": 4}
PAIRS = {"merci": "thanks <eos>", "je suis étudiant": "i am a student <eos>"}
STEPS = 150


class Grids(NamedTuple):
    """Distributions over `WORDS` at each position of "i am a student <eos>": (5, 6) each."""

    target: np.ndarray
    untrained: np.ndarray
    trained: np.ndarray


def train_six_words(steps: int = STEPS, seed: int = 8) -> Grids:
    """Train a Transformer of one layer on `PAIRS`: seconds on two cores.

    Args:
        steps: of Adam.
        seed: of the weights.
    """
    inp = _padded([[FRENCH[word] for word in source.split()] for source in PAIRS])
    tar = _padded([[START, *(ID[word] for word in text.split())] for text in PAIRS.values()])
    sizes = {"input_vocab_size": len(FRENCH) + 1, "target_vocab_size": START + 1}
    keras.utils.set_random_seed(seed)
    network = Transformer(
        1, 32, 4, 64, pe_input=inp.shape[1], pe_target=tar.shape[1], rate=0.0, **sizes
    )
    optimizer = keras.optimizers.Adam(0.003)

    def predict() -> np.ndarray:
        """Probabilities for the longer pair; padding and the start token are never written."""
        logits, _ = network(inp[1:], tar[1:, :-1], training=False)
        return tf.nn.softmax(logits[0, :, 1:START]).numpy()  # (5, 6)

    @tf.function
    def train_step() -> None:
        with tf.GradientTape() as tape:
            loss = loss_function(tar[:, 1:], network(inp, tar[:, :-1], training=True)[0])
        variables = network.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))

    untrained = predict()
    for _ in range(steps):
        train_step()
    target = tf.one_hot(tar[1, 1:] - 1, len(WORDS)).numpy()
    return Grids(target, untrained, predict())


def _padded(ids: list[list[int]]) -> tf.Tensor:
    return tf.ragged.constant(ids, dtype=tf.int32).to_tensor()  # (pairs, longest)
