"""A gentler start for a deep stack of layers."""

import keras

from tf_models.transformer.model import Transformer


def shrink_residual_branches(model: Transformer, gain: float) -> None:
    """Multiply the initial kernels of what is added to x in LayerNorm(x + Sublayer(x)) by `gain`.

    Every layer then starts close to the identity, and the decoder sees the source through the whole
    stack from the first step (Wang et al. 2022, "DeepNet", section 4: values, output projections
    and feed-forward networks; queries and keys stay as they are).
    """
    for kernel in _kernels(model):
        kernel.assign(gain * kernel)


def _kernels(model: Transformer) -> list[keras.Variable]:
    kernels = []
    for layer in (*model.encoder.enc_layers, *model.decoder.dec_layers):
        for attention in layer.attentions:
            kernels += [attention.wv.kernel, attention.dense.kernel]
        kernels += [dense.kernel for dense in layer.ffn.layers]
    return kernels
