"""The five classes with the tutorial's arguments: options by position, the encoder's output alone.

`tf_models.tutorial` offers them; the library's own are their bases.
"""
# mypy: allow-untyped-defs

import inspect

from tf_models.transformer import layers, model


class _Printed:
    """A layer that takes `training` and masks by position, too; Keras 3 takes only tensors so."""

    def __call__(self, *inputs, **options):
        names = inspect.signature(self.call).parameters
        return super().__call__(**dict(zip(names, inputs, strict=False)), **options)


class EncoderLayer(_Printed, layers.EncoderLayer):
    """`layers.EncoderLayer` without its attention weights."""

    def call(self, x, training=False, mask=None):
        return super().call(x, training, mask)[0]


class DecoderLayer(_Printed, layers.DecoderLayer):
    """`layers.DecoderLayer`."""


class Encoder(_Printed, model.Encoder):
    """`model.Encoder` without its attention weights."""

    def __init__(self, num_layers, d_model, num_heads, dff, input_vocab_size, *others, **named):
        super().__init__(num_layers, d_model, num_heads, dff, input_vocab_size, *others, **named)

    def call(self, x, training=False, mask=None):
        return super().call(x, training, mask)[0]


class Decoder(_Printed, model.Decoder):
    """`model.Decoder`."""

    def __init__(self, num_layers, d_model, num_heads, dff, target_vocab_size, *others, **named):
        super().__init__(num_layers, d_model, num_heads, dff, target_vocab_size, *others, **named)


class Transformer(_Printed, model.Transformer):
    """`model.Transformer`."""
