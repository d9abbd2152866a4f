"""Initialisations beyond random kernels: smaller residual branches, copying cross-attention."""

import keras
import tensorflow as tf

from tf_models.transformer.model import Transformer


def scale_residual_branches(model: Transformer, scale: float) -> None:
    """Multiply the initial kernels of values, outputs and feed-forward networks by `scale`.

    Every layer then starts close to the identity, and the decoder sees the source through the whole
    stack from the first step (Wang et al. 2022, "DeepNet", section 4).
    """
    for layer in (*model.encoder.enc_layers, *model.decoder.dec_layers):
        kernels = [dense.kernel for dense in layer.ffn.layers]
        for attention in layer.attentions:
            kernels += [attention.wv.kernel, attention.dense.kernel]
        for kernel in kernels:
            kernel.assign(scale * kernel)


def initialise_mimetically(model: Transformer) -> None:
    """Let cross-attention start by attending to equal vectors and passing them on.

    Queries and keys are projected alike; values and output undo each other. With one table for both
    languages an unknown name is then copied sooner. (Trockman & Kolter 2023, "Mimetic
    Initialization of Self-Attention Layers", section 3, start self-attention in this way.)
    """
    for layer in model.decoder.dec_layers:
        attention = layer.mha2
        group = attention.num_heads // attention.num_kv_heads
        if group > 1:  # all queries of a group are compared with the same keys
            attention.wq.kernel.assign(_repeat_heads(attention.wk.kernel, attention.depth, group))
        else:
            attention.wk.kernel.assign(attention.wq.kernel)
        rotate = keras.initializers.Orthogonal()  # another seed for each layer
        rotation = rotate(attention.wv.kernel.shape)  # (d_model, d_model), or fewer values
        attention.wv.kernel.assign(rotation)
        back = keras.ops.transpose(_repeat_heads(rotation, attention.depth, group)) / group
        attention.dense.kernel.assign(back)


def _repeat_heads(kernel: tf.Tensor, depth: int, times: int) -> tf.Tensor:
    """(d_model, heads * depth) -> (d_model, heads * times * depth), each head several times."""
    heads = keras.ops.reshape(kernel, (kernel.shape[0], -1, depth))
    return keras.ops.reshape(keras.ops.repeat(heads, times, axis=1), (kernel.shape[0], -1))
