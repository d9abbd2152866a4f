"""The Transformer as a step function for search: one token at a time, nothing computed twice."""

from collections.abc import Sequence
from typing import NamedTuple

import tensorflow as tf

from tf_models.search.search import StepFunction
from tf_models.search.top_k import CHUNK, IMPOSSIBLE
from tf_models.transformer.layers import KeysAndValues
from tf_models.transformer.masks import create_padding_mask
from tf_models.transformer.model import Transformer

KVCaches = list[KeysAndValues]  # for each layer, of the tokens so far


class Memory(NamedTuple):
    """What the decoder reads of the sources.

    keys_and_values: for each layer, (batch, num_heads, inp_len, depth) each.
    padding_mask: (batch, 1, 1, inp_len).
    """

    keys_and_values: list[KeysAndValues]
    padding_mask: tf.Tensor


def encode(model: Transformer, inp: tf.Tensor) -> Memory:
    """Encode the sources once: ids (batch, inp_len)."""
    padding_mask = create_padding_mask(inp)
    enc_output, _ = model.encoder(inp, training=False, padding_mask=padding_mask)
    return Memory(model.decoder.cross_attention_caches(enc_output), padding_mask)


def transformer_step(model: Transformer, suppressed_ids: Sequence[int]) -> StepFunction:
    """The step that decodes from a `Memory`, with `empty_kv_caches` as the first state.

    Args:
        model: built.
        suppressed_ids: ids that must not be chosen, one at least. Their bias leaves them out of
            the softmax, once, which costs nothing in the steps.

    Its logits have as many impossible ids more as whole chunks need (see `continuations`).
    """
    kernel, bias = model.output_layer()
    kernel = tf.pad(kernel, [[0, 0], [0, -kernel.shape[1] % CHUNK]])
    bias = tf.pad(bias, [[0, -bias.shape[0] % CHUNK]], constant_values=IMPOSSIBLE)
    bias = tf.tensor_scatter_nd_update(
        bias, [[i] for i in suppressed_ids], [IMPOSSIBLE] * len(suppressed_ids)
    )
    mha = model.decoder.dec_layers[0].mha1

    def step(ids: tf.Tensor, memory: Memory, kv_caches: KVCaches) -> tuple[tf.Tensor, KVCaches]:
        batch, n = tf.unstack(tf.shape(ids))
        t = tf.shape(kv_caches[0][0])[3]

        def reshape(kv_caches: KVCaches, *shape) -> KVCaches:
            return tf.nest.map_structure(lambda kv_cache: tf.reshape(kv_cache, shape), kv_caches)

        rows = reshape(
            kv_caches, batch * n, mha.num_heads, t, mha.depth
        )  # (batch * n, heads, t, depth)
        x, rows = model.decoder.step(ids, rows, memory.keys_and_values, memory.padding_mask)
        x = tf.cast(tf.reshape(x, (-1, kernel.shape[0])), kernel.dtype)  # (batch * n, d_model)
        logits = tf.nn.bias_add(tf.matmul(x, kernel), bias)  # (batch * n, vocabulary)
        return (
            tf.reshape(logits, (batch, n, kernel.shape[1])),
            reshape(rows, batch, n, mha.num_heads, t + 1, mha.depth),
        )

    return step


def empty_kv_caches(model: Transformer, batch: int | tf.Tensor, n: int) -> KVCaches:
    """The state before the first token, n hypotheses a sentence: (batch, n, heads, 0, depth)."""
    mha = model.decoder.dec_layers[0].mha1
    empty = tf.zeros((batch, n, mha.num_heads, 0, mha.depth), mha.compute_dtype)
    return [(empty, empty) for _ in model.decoder.dec_layers]
