"""The Transformer as a step function for search: one token at a time, nothing computed twice."""

import tensorflow as tf

from tf_models.decoding.search import StepFunction
from tf_models.transformer.masks import create_padding_mask
from tf_models.transformer.model import Transformer

Pasts = list[tuple[tf.Tensor, tf.Tensor]]  # for each layer, keys and values of the tokens so far


def transformer_step(model: Transformer, inp: tf.Tensor) -> StepFunction:
    """Encode the sources once and return the step that decodes from them.

    Args:
        model: built.
        inp: source ids, (batch, inp_len).

    Returns:
        step(ids, pasts) -> (logits, pasts): ids (batch * n,) are the newest tokens of n hypotheses
        for each sentence, logits are (batch * n, target_vocab_size).
    """
    padding_mask = create_padding_mask(inp)
    enc_output, _ = model.encoder(inp, training=False, padding_mask=padding_mask)
    memories = model.decoder.memories(enc_output)
    batch = tf.shape(inp)[0]

    def step(ids: tf.Tensor, pasts: Pasts) -> tuple[tf.Tensor, Pasts]:
        ids = tf.reshape(ids, (batch, -1))  # (batch, n)
        x, pasts = model.decoder.step(ids, pasts, memories, padding_mask)
        logits = model.final_layer(x)  # (batch, n, vocabulary)
        return tf.reshape(logits, (-1, logits.shape[-1])), pasts

    return step


def empty_pasts(model: Transformer, rows: int | tf.Tensor) -> Pasts:
    """The state before the first token, for `rows` hypotheses: (rows, heads, 0, depth) each."""
    mha = model.decoder.dec_layers[0].mha1
    empty = tf.zeros((rows, mha.num_heads, 0, mha.depth), mha.compute_dtype)
    return [(empty, empty) for _ in model.decoder.dec_layers]
