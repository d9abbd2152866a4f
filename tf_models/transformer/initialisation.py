"""Initialisation: scaled residual branches and mimetic cross-attention."""

import keras
import tensorflow as tf

from tf_models.transformer.model import Transformer


def scale_residual_branches(model: Transformer, scale: float) -> None:
    """Scale the initial kernels of values, outputs and feed-forward networks.

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
    """Initialise cross-attention to attend to equal vectors and copy them.

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
        initializer = keras.initializers.Orthogonal()  # another seed for each layer
        rotation = initializer(attention.wv.kernel.shape)  # (d_model, d_model), or fewer values
        attention.wv.kernel.assign(rotation)
        inverse = keras.ops.transpose(_repeat_heads(rotation, attention.depth, group)) / group
        attention.dense.kernel.assign(inverse)


def _repeat_heads(kernel: tf.Tensor, depth: int, times: int) -> tf.Tensor:
    heads = keras.ops.reshape(kernel, (kernel.shape[0], -1, depth))
    heads = keras.ops.repeat(heads, times, axis=1)  # (d_model, heads * times, depth)
    return keras.ops.reshape(heads, (kernel.shape[0], -1))
