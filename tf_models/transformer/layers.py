"""Encoder and decoder layers (Vaswani et al. 2017, section 3.1, figure 1)."""

from typing import Any

import keras
import tensorflow as tf

from tf_models.errors import check_choice
from tf_models.layers import LayerNormalization
from tf_models.transformer.attention import MultiHeadAttention, rows_of
from tf_models.transformer.variants import ATTENTIONS

KeysAndValues = tuple[tf.Tensor, tf.Tensor]  # each (batch, num_kv_heads, len, depth)
# Arguments beyond the tutorial's, of a layer, a stack and the whole model.
VARIANT = ("activation", "normalize_first", "attention", "num_kv_heads")


def point_wise_feed_forward_network(
    d_model: int, dff: int, dtype: Any = None, activation: str = "relu"
) -> keras.Sequential:
    """FFN(x) = max(0, x W_1 + b_1) W_2 + b_2 (equation 2).

    It is the same at every position and keeps the shape (batch, len, d_model); dff is the width of
    the hidden layer; `activation`, by Keras' name, replaces max(0, …).
    """
    return keras.Sequential(
        [
            keras.layers.Dense(dff, activation=activation, dtype=dtype),  # (batch, len, dff)
            keras.layers.Dense(d_model, dtype=dtype),  # (batch, len, d_model)
        ]
    )


class _TransformerLayer(keras.layers.Layer):
    """Base of both kinds of layer: sublayers, post-norm or pre-norm."""

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        dff: int,
        rate: float = 0.1,
        activation: str = "relu",
        normalize_first: bool = False,
        attention: str | type[MultiHeadAttention] = "dot_product",
        num_kv_heads: int = 2,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.d_model = d_model
        self.num_heads = num_heads
        self.dff = dff
        self.rate = rate
        self.activation = activation
        self.normalize_first = normalize_first
        self.attention = attention
        self.num_kv_heads = num_kv_heads
        self.ffn = point_wise_feed_forward_network(d_model, dff, self.dtype_policy, activation)
        self._make_sublayers()

    def _make_sublayers(self) -> None:
        """Make attention blocks, normalisations and dropouts."""
        raise NotImplementedError

    def _attention(
        self, name: str, kind: str | type[MultiHeadAttention] | None = None
    ) -> MultiHeadAttention:
        kind = kind or self.attention
        options = {"num_kv_heads": self.num_kv_heads} if kind == "grouped_query" else {}
        if isinstance(kind, str):
            check_choice("attention", kind, ATTENTIONS)
            kind = ATTENTIONS[kind]
        return kind(self.d_model, self.num_heads, dtype=self.dtype_policy, name=name, **options)

    def _layer_norm(self, name: str) -> LayerNormalization:
        return LayerNormalization(epsilon=1e-6, dtype=self.dtype_policy, name=name)

    def _dropout(self) -> keras.layers.Dropout:
        return keras.layers.Dropout(self.rate, dtype=self.dtype_policy)

    def _feed_forward(self, x: tf.Tensor) -> tf.Tensor:
        rows = rows_of(x)
        for dense in self.ffn.layers:  # `self.ffn(x)`, as products of rows
            rows = dense(rows)  # (batch * len, dff), then (batch * len, d_model)
        return rows if x.shape.rank == 2 else tf.reshape(rows, tf.shape(x))

    def _before(self, layernorm: LayerNormalization, x: tf.Tensor) -> tf.Tensor:
        return layernorm(x) if self.normalize_first else x

    def _after(self, layernorm: LayerNormalization, x: tf.Tensor) -> tf.Tensor:
        return x if self.normalize_first else layernorm(x)

    @property
    def attentions(self) -> list[MultiHeadAttention]:
        """The attention blocks, in their order."""
        return [part for part in vars(self).values() if isinstance(part, MultiHeadAttention)]

    def _build_sublayers(self, inputs: dict[keras.layers.Layer, tuple]) -> None:
        """Build all sublayers, for inputs of width d_model or as named."""
        for part in vars(self).values():
            if isinstance(part, keras.layers.Layer):
                part.build(*inputs.get(part, [(None, None, self.d_model)]))

    def get_config(self) -> dict[str, Any]:
        names = ("d_model", "num_heads", "dff", "rate", *VARIANT)
        return {**super().get_config(), **{name: getattr(self, name) for name in names}}


@keras.saving.register_keras_serializable(package="tf_models")
class EncoderLayer(_TransformerLayer):
    """Self-attention, feed-forward network; each LayerNorm(x + Sublayer(x)).

    Args: those of `Transformer` with these names, and what any Keras layer takes.
    """

    def _make_sublayers(self) -> None:
        self.mha = self._attention("mha")
        self.layernorm1 = self._layer_norm("layernorm1")
        self.layernorm2 = self._layer_norm("layernorm2")
        self.dropout1 = self._dropout()
        self.dropout2 = self._dropout()

    def build(self, x_shape: tuple | None = None) -> None:
        self._build_sublayers({})

    def call(
        self, x: tf.Tensor, training: bool = False, padding_mask: tf.Tensor | None = None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Encode.

        Args:
            x: float (batch, inp_len, d_model).
            training: True for dropout.
            padding_mask: float, 1 where a key is blocked, (batch, 1, 1, inp_len).

        Returns:
            output: (batch, inp_len, d_model).
            attention_weights: (batch, num_heads, inp_len, inp_len), float32.
        """
        inputs = self._before(self.layernorm1, x)
        attn_output, attn_weights = self.mha(inputs, inputs, inputs, mask=padding_mask)
        attn_output = self.dropout1(attn_output, training=training)
        out1 = self._after(self.layernorm1, x + attn_output)  # (batch, inp_len, d_model)

        ffn_output = self._feed_forward(self._before(self.layernorm2, out1))
        ffn_output = self.dropout2(ffn_output, training=training)
        return self._after(self.layernorm2, out1 + ffn_output), attn_weights

    def compute_output_shape(self, x_shape: tuple) -> tuple[tuple, tuple]:
        """Shapes of output and weights."""
        batch, length = x_shape[:2]
        return tuple(x_shape), (batch, self.num_heads, length, length)


@keras.saving.register_keras_serializable(package="tf_models")
class DecoderLayer(_TransformerLayer):
    """Masked self-attention, cross-attention and a feed-forward network.

    Args: those of `EncoderLayer`.
    """

    def _make_sublayers(self) -> None:
        self.mha1 = self._attention("mha1")
        by_distance = self.attention in ("relative", "rotary")  # means nothing between languages
        self.mha2 = self._attention("mha2", "dot_product" if by_distance else None)
        self.layernorm1 = self._layer_norm("layernorm1")
        self.layernorm2 = self._layer_norm("layernorm2")
        self.layernorm3 = self._layer_norm("layernorm3")
        self.dropout1 = self._dropout()
        self.dropout2 = self._dropout()
        self.dropout3 = self._dropout()

    def build(self, x_shape: tuple | None = None, enc_output_shape: tuple | None = None) -> None:
        source_shape = enc_output_shape or (None, None, self.d_model)
        self._build_sublayers({self.mha2: (source_shape, source_shape)})

    def call(
        self,
        x: tf.Tensor,
        enc_output: tf.Tensor,
        training: bool = False,
        look_ahead_mask: tf.Tensor | None = None,
        padding_mask: tf.Tensor | None = None,
    ) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        """Decode, with the whole target known.

        Args:
            x: float (batch, tar_len, d_model).
            enc_output: float (batch, inp_len, width), the encoder's output, of any width.
            training: True for dropout.
            look_ahead_mask: float, 1 where a token of the target is blocked,
                (batch, 1, tar_len, tar_len).
            padding_mask: float, 1 where a token of the source is blocked, (batch, 1, 1, inp_len).

        Returns:
            output: (batch, tar_len, d_model).
            attn_weights_block1: of self-attention, (batch, num_heads, tar_len, tar_len), float32.
            attn_weights_block2: of cross-attention, (batch, num_heads, tar_len, inp_len), float32.
        """
        inputs = self._before(self.layernorm1, x)
        attn1, attn_weights_block1 = self.mha1(inputs, inputs, inputs, mask=look_ahead_mask)
        cross_attention_cache = self.mha2.keys_and_values(enc_output, enc_output)
        rows, attn_weights_block2 = self._after_self_attention(
            rows_of(x), rows_of(attn1), cross_attention_cache, padding_mask, training
        )
        out3 = tf.reshape(rows, tf.shape(x))  # (batch, tar_len, d_model)
        return out3, attn_weights_block1, attn_weights_block2

    def compute_output_shape(
        self, x_shape: tuple, enc_output_shape: tuple
    ) -> tuple[tuple, tuple, tuple]:
        """Shapes of output and weights."""
        batch, length = x_shape[:2]
        heads = (batch, self.num_heads, length)
        return tuple(x_shape), (*heads, length), (*heads, enc_output_shape[1])

    def _after_self_attention(
        self,
        x: tf.Tensor,
        attn1: tf.Tensor,
        cross_attention_cache: KeysAndValues,
        padding_mask: tf.Tensor | None,
        training: bool,
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """The other sublayers, of rows (batch * tar_len, d_model)."""
        attn1 = self.dropout1(attn1, training=training)
        out1 = self._after(self.layernorm1, attn1 + x)  # (batch * tar_len, d_model)

        inputs = self._before(self.layernorm2, out1)
        attn2, attn_weights_block2 = self.mha2.attend(*cross_attention_cache, inputs, padding_mask)
        attn2 = self.dropout2(attn2, training=training)
        out2 = self._after(self.layernorm2, attn2 + out1)  # (batch * tar_len, d_model)

        ffn_output = self._feed_forward(self._before(self.layernorm3, out2))
        ffn_output = self.dropout3(ffn_output, training=training)
        return self._after(self.layernorm3, ffn_output + out2), attn_weights_block2

    def step(
        self,
        x: tf.Tensor,
        kv_cache: KeysAndValues,
        cross_attention_cache: KeysAndValues,
        padding_mask: tf.Tensor,
    ) -> tuple[tf.Tensor, KeysAndValues]:
        """A call for one new token of each hypothesis.

        The hypotheses of a sentence are the queries to its cross-attention cache.

        Args:
            x: the newest tokens, (batch * hypotheses, d_model); the output has this shape.
            kv_cache: of the tokens before, (batch * hypotheses, num_kv_heads, t, depth) each; it is
                returned with the new token.
            cross_attention_cache: of the source, (batch, num_kv_heads, inp_len, depth) each.
            padding_mask: (batch, 1, 1, inp_len).
        """
        token = self._before(self.layernorm1, x)[:, tf.newaxis]  # (rows, 1, d_model)
        kv_cache = tuple(
            tf.concat([old, new], axis=2)  # (batch * hypotheses, num_kv_heads, t + 1, depth)
            for old, new in zip(kv_cache, self.mha1.keys_and_values(token, token), strict=True)
        )
        attn1, _ = self.mha1.attend(*kv_cache, rows_of(token))
        out3, _ = self._after_self_attention(
            x, attn1, cross_attention_cache, padding_mask, training=False
        )
        return out3, kv_cache
