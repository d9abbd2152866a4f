"""Figures that need no trained model: masks, positions, attention steps."""

from collections.abc import Callable
from functools import partial
from typing import Any

import keras
import numpy as np
import tensorflow as tf
from matplotlib.figure import Figure

from tf_models.data.annotated import HOPKINS, HOPKINS_IN_GERMAN
from tf_models.data.batches import Rows
from tf_models.errors import InputError
from tf_models.ids import PADDING_ID
from tf_models.plotting.architecture import Arrow, Box, plot_architecture
from tf_models.plotting.attention_steps import plot_six_steps
from tf_models.plotting.masks import (
    LabeledMask,
    plot_masked_softmax,
    plot_masks,
    plot_positional_encoding,
)
from tf_models.plotting.number_grid import plot_normalization, plot_probabilities
from tf_models.plotting.query import plot_query_histogram
from tf_models.transformer.masks import create_masks
from tf_models.transformer.model import Transformer
from tf_models.transformer.positions import positional_encoding

# What "Michael" gives to each of the nine words of HOPKINS. The article says that they sum to 1;
# rounded as they are, they sum to 0.99.
MICHAEL_WEIGHTS = (0.06, 0.09, 0.05, 0.25, 0.18, 0.06, 0.09, 0.06, 0.15)
DEPTH = 64  # numbers of a query in one head
SCORES = 112, 96  # scores of the query in The Illustrated Transformer with its two keys
SHORT = (13, 12)  # tokens of target and source, padding included
WORDS = ("a", "am", "i", "thanks", "student", "<eos>")
ID = {word: number for number, word in enumerate(WORDS, start=1)}  # 0 is padding
START = len(WORDS) + 1
FRENCH = {"merci": 1, "je": 2, "suis": 3, "étudiant": 4}
PAIRS = {"merci": "thanks <eos>", "je suis étudiant": "i am a student <eos>"}
STEPS = 150
LAYERS = 4  # layers of the drawn stacks, as in the article


def draw_architecture(*, num_layers: int = LAYERS) -> Figure:
    """Both stacks: every decoder layer reads the last encoder layer's output."""
    boxes = {
        "encoder 0": Box("source ids:\nembedding + positions", (0, 0)),
        "decoder 0": Box("target ids so far:\nembedding + positions", (1, 0)),
        "final": Box("final_layer:\na logit for each id", (1, num_layers + 1)),
    }
    arrows = [Arrow(f"decoder {num_layers}", "final")]
    for i in range(1, num_layers + 1):
        boxes[f"encoder {i}"] = Box(f"EncoderLayer {i}\nmha, ffn", (0, i), "encoder")
        boxes[f"decoder {i}"] = Box(f"DecoderLayer {i}\nmha1, mha2, ffn", (1, i), "decoder")
        arrows += [Arrow(f"{stack} {i - 1}", f"{stack} {i}") for stack in ("encoder", "decoder")]
        arrows.append(Arrow(f"encoder {num_layers}", f"decoder {i}"))
    caption = (
        "Upwards: each layer reads what the layer below wrote. Across: the last output of the "
        "encoder, the keys and values of mha2 in every layer of the decoder. mha and mha1 are "
        "self-attention, ffn is the feed-forward network."
    )
    title = f"a Transformer of {num_layers} and {num_layers} layers"
    return plot_architecture(boxes, arrows, title=title, caption=caption)


def draw_masks(*, sizes: tuple[int, int] = SHORT) -> Figure:
    """Masks of the article's pair; `sizes` are tokens of target and source."""
    return plot_masks(_article_masks(sizes), title="masks of a padded sentence pair")


def _draw_masked(number: int, *, sizes: tuple[int, int] = SHORT) -> Figure:
    """Effect of one mask on the scores of random queries and keys."""
    name, mask, rows, columns = _article_masks(sizes)[number]
    random = np.random.default_rng(1)
    q, k = random.normal(size=(len(rows), DEPTH)), random.normal(size=(len(columns), DEPTH))
    scores = q @ k.T / np.sqrt(DEPTH)  # (rows, columns)
    title = f"{name}, {len(rows)} x {len(columns)}; scores of random queries and keys"
    return plot_masked_softmax(scores, mask, rows, columns, title=title)


draw_encoder_mask = partial(_draw_masked, 0)
draw_look_ahead_mask = partial(_draw_masked, 1)
draw_decoder_mask = partial(_draw_masked, 2)


def _article_masks(sizes: tuple[int, int]) -> list[LabeledMask]:
    target_length, source_length = sizes
    source, inp = _padded_words(HOPKINS, source_length)
    target, tar = _padded_words(HOPKINS_IN_GERMAN, target_length)
    enc_padding_mask, combined_mask, dec_padding_mask = create_masks(inp, tar)
    return [
        LabeledMask("encoder padding mask", enc_padding_mask.numpy(), source, source),
        LabeledMask("look-ahead and padding mask", combined_mask.numpy(), target, target),
        LabeledMask("decoder padding mask", dec_padding_mask.numpy(), target, source),
    ]


def _padded_words(sentence: str, length: int) -> tuple[list[str], tf.Tensor]:
    """Labels, and ids (1, length): 1, 2 … for the words, 0 for padding."""
    words = sentence.split()
    padding = length - len(words)
    if padding < 0:
        raise InputError(f"--sizes must be at least {len(words)} here; received {length}")
    ids = [*range(1, len(words) + 1), *[PADDING_ID] * padding]
    return [*words, *["<pad>"] * padding], tf.constant([ids])


def draw_positions(*, sizes: tuple[int, int] = (20, 512)) -> Figure:
    """Positional encoding in both layouts; `sizes` are positions, d_model."""
    positions, d_model = sizes
    layouts = {"interleaved (Vaswani et al.)": True, "concatenated (Tensor2Tensor)": False}
    encodings = {
        name: positional_encoding(positions, d_model, interleaved).numpy()
        for name, interleaved in layouts.items()
    }
    return plot_positional_encoding(encodings, title=f"{positions} positions x {d_model} numbers")


def draw_michael() -> Figure:
    """The article's nine weights; as they are rounded, they sum to 0.99."""
    weights = np.array(MICHAEL_WEIGHTS)
    title = f"what “Michael” attends to: {weights.sum():.2f} in all, not 1"
    return plot_query_histogram(weights, HOPKINS.split(), "Michael", title=title)


def draw_six_steps() -> Figure:
    """Six steps of attention: the article's 112 and 96, random vectors."""
    query, *keys, first, second = np.random.default_rng(0).normal(size=(5, DEPTH))
    keys = [
        key + (score - query @ key) / (query @ query) * query
        for key, score in zip(keys, SCORES, strict=True)
    ]
    title = "the six steps of attention, for the word Thinking"
    words = ("Thinking", "Machines")
    return plot_six_steps(query, np.stack(keys), np.stack([first, second]), words, title=title)


def draw_target_grid() -> Figure:
    """Target grid, beside a small Transformer's before and after training."""
    source, target = list(PAIRS.items())[-1]
    positions = [f"{i} {word}" for i, word in enumerate(target.split(), start=1)]
    return plot_probabilities(train_six_words(), positions, WORDS, title=source)


def draw_layer_normalisation() -> Figure:
    """Layer and batch normalisation of tokens with unlike scales and means."""
    tokens = ["the", "old", "dog", "sleeps", "she", "sings"]
    features = ["x1", "x2", "x3", "x4"]
    random = np.random.default_rng(0)
    scales = random.uniform(0.5, 3.0, (len(tokens), 1))
    means = random.uniform(-2.0, 2.0, (1, len(features)))
    x = scales * random.normal(size=(len(tokens), len(features))) + means
    return plot_normalization(x, tokens, features, title="which axis a normalisation goes along")


def train_six_words(steps: int = STEPS, seed: int = 8) -> dict[str, np.ndarray]:
    """Train a Transformer of one layer on `PAIRS`: seconds on two cores.

    Returns:
        distributions over `WORDS` at each position of "i am a student <eos>", (5, 6) each: the
        target, the untrained network's and the trained one's.
    """
    inp = Rows([FRENCH[word] for word in source.split()] for source in PAIRS).padded()
    tar = Rows([START, *(ID[word] for word in text.split())] for text in PAIRS.values()).padded()
    sizes: dict[str, Any] = {"input_vocab_size": len(FRENCH) + 1, "target_vocab_size": START + 1}
    keras.utils.set_random_seed(seed)
    network = Transformer(
        1, 32, 4, 64, pe_input=inp.shape[1], pe_target=tar.shape[1], rate=0.0, **sizes
    )
    network.compile(keras.optimizers.Adam(0.003))

    def predict() -> np.ndarray:
        """Probabilities for the longer pair, without padding and start token."""
        logits, _ = network(inp[1:], tar[1:, :-1], training=False)
        return tf.nn.softmax(logits[0, :, 1:START]).numpy()  # (5, 6)

    untrained = predict()
    network.fit(tf.data.Dataset.from_tensors((inp, tar)).repeat(steps), shuffle=False, verbose=0)
    target = tf.one_hot(tar[1, 1:] - 1, len(WORDS)).numpy()
    return {"target": target, "untrained": untrained, "trained": predict()}


FIGURES: dict[str, Callable[..., Figure]] = {
    "architecture": draw_architecture,
    "masks": draw_masks,
    "encoder-mask": draw_encoder_mask,
    "look-ahead-mask": draw_look_ahead_mask,
    "decoder-mask": draw_decoder_mask,
    "positions": draw_positions,
    "michael": draw_michael,
    "six-steps": draw_six_steps,
    "target-grid": draw_target_grid,
    "layer-normalisation": draw_layer_normalisation,
}
