"""Ablation of a head in a trained Transformer: its rows of W^O become zero."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from tf_models.transformer.attention import MultiHeadAttention
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
