"""Interventions on a trained Transformer: a head ablated, or an attention edge masked.

The layers stay as they are: a head is ablated when its rows of W^O are zero, and an edge is masked
by a mask that has an axis for the heads.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import tensorflow as tf

from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.masks import create_masks
from tf_models.transformer.model import Transformer

KINDS = ("encoder", "decoder", "cross")


class Head(NamedTuple):
    """One head: the kind of its attention, its layer and its number, both from 1."""

    kind: str
    layer: int
    number: int

    def __str__(self) -> str:
        return f"{self.kind} {self.layer}.{self.number}"


def heads_of(network: Transformer) -> list[Head]:
    """All heads, kind by kind and layer by layer."""
    layers = range(1, network.encoder.num_layers + 1)
    numbers = range(1, network.encoder.num_heads + 1)
    return [Head(kind, layer, n) for kind in KINDS for layer in layers for n in numbers]


def attention_block(network: Transformer, kind: str, layer: int) -> MultiHeadAttention:
    """The attention of one kind in one layer, counted from 1."""
    if kind == "encoder":
        return network.encoder.enc_layers[layer - 1].mha
    decoder_layer = network.decoder.dec_layers[layer - 1]
    return decoder_layer.mha1 if kind == "decoder" else decoder_layer.mha2


@contextmanager
def head_ablated(network: Transformer, head: Head) -> Iterator[None]:
    """One head adds nothing: MultiHead = sum over i of head_i W^O_i + bias, without its own term.

    Weights are changed in place, so that what is compiled stays so, and come back at the end.
    """
    block = attention_block(network, head.kind, head.layer)
    with _rows_ablated(block, _rows_of(block, head.number)):
        yield


@contextmanager
def others_ablated(network: Transformer, head: Head) -> Iterator[None]:
    """All heads of a block but this one add nothing; see `head_ablated`."""
    block = attention_block(network, head.kind, head.layer)
    with _rows_ablated(block, np.setdiff1d(np.arange(block.d_model), _rows_of(block, head.number))):
        yield


@contextmanager
def random_rows_ablated(
    network: Transformer, kind: str, layer: int, random: np.random.Generator
) -> Iterator[None]:
    """As many rows of W^O are zero as one head has, drawn from all heads of the block."""
    block = attention_block(network, kind, layer)
    with _rows_ablated(block, random.choice(block.d_model, block.depth, replace=False)):
        yield


def _rows_of(block: MultiHeadAttention, number: int) -> np.ndarray:
    """The rows of W^O that read the output of one head."""
    return np.arange((number - 1) * block.depth, number * block.depth)


@contextmanager
def _rows_ablated(block: MultiHeadAttention, rows: np.ndarray) -> Iterator[None]:
    kernel = block.dense.kernel
    before = kernel.numpy()  # (d_model, d_model)
    changed = before.copy()
    changed[rows] = 0
    kernel.assign(changed)
    try:
        yield
    finally:
        kernel.assign(before)


def masked_states(
    network: Transformer, inp: tf.Tensor, tar: tf.Tensor, masked: Mapping[str, tf.Tensor]
) -> tf.Tensor:
    """Outputs of the decoder, with further keys masked for some queries of some heads.

    Args:
        network: built.
        inp: source ids, (batch, inp_len).
        tar: target ids as the decoder reads them, (batch, tar_len).
        masked: for each of `KINDS` 1 where masked, broadcastable to (batch, layers, heads, rows,
            columns), with an axis for all five.

    Returns:
        (batch, tar_len, d_model).
    """
    padding, look_ahead, cross_padding = create_masks(inp, tar)
    encoder, decoder = network.encoder, network.decoder
    x = encoder.embed(inp, encoder.pos_encoding[:, : tf.shape(inp)[1]])  # (batch, inp_len, d_model)
    for i, layer in enumerate(encoder.enc_layers):
        mask = tf.maximum(padding, masked["encoder"][:, i])  # (batch, heads, inp_len, inp_len)
        x, _ = layer(x, training=False, padding_mask=mask)
    y = decoder.embed(tar, decoder.pos_encoding[:, : tf.shape(tar)[1]])  # (batch, tar_len, d_model)
    for i, layer in enumerate(decoder.dec_layers):
        masks = {
            "look_ahead_mask": tf.maximum(look_ahead, masked["decoder"][:, i]),
            "padding_mask": tf.maximum(cross_padding, masked["cross"][:, i]),
        }
        y, _, _ = layer(y, x, training=False, **masks)
    return y
