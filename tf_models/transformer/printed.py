"""The tutorial's five classes: options by position, encoder output alone.

`tf_models.tutorial` offers them; the library's own are their bases.
"""
# mypy: allow-untyped-defs

import inspect

from tf_models.transformer import layers, model


class _Printed:
    """Layer with all options by position, where Keras 3 takes tensors only."""

    def __call__(self, *inputs, **options):
        names = inspect.signature(self.call).parameters
        return super().__call__(**dict(zip(names, inputs, strict=False)), **options)


class EncoderLayer(_Printed, layers.EncoderLayer):
    """`layers.EncoderLayer` without its attention weights."""

    def call(self, x, training=False, mask=None):
        return super().call(x, training, mask)[0]


class DecoderLayer(_Printed, layers.DecoderLayer):
    """`layers.DecoderLayer` with options by position."""


class Encoder(_Printed, model.Encoder):
    """`model.Encoder` without its attention weights."""

    def __init__(self, num_layers, d_model, num_heads, dff, input_vocab_size, *others, **named):
        super().__init__(num_layers, d_model, num_heads, dff, input_vocab_size, *others, **named)

    def call(self, x, training=False, mask=None):
        return super().call(x, training, mask)[0]


class Decoder(_Printed, model.Decoder):
    """`model.Decoder` with options by position."""

    def __init__(self, num_layers, d_model, num_heads, dff, target_vocab_size, *others, **named):
        super().__init__(num_layers, d_model, num_heads, dff, target_vocab_size, *others, **named)


class Transformer(_Printed, model.Transformer):
    """`model.Transformer` with options by position."""
