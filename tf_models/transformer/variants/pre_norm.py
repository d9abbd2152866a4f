"""Layer normalisation before each sublayer (Xiong et al. 2020, table 1, figure 1b)."""

from typing import Any

import keras
import tensorflow as tf

from tf_models.layers import LayerNormalization, Shape
from tf_models.transformer.layers import DecoderLayer, EncoderLayer, KeysAndValues
from tf_models.transformer.masks import with_keras_mask
from tf_models.transformer.model import Decoder, Encoder, Transformer


class PreNormEncoderLayer(EncoderLayer):
    """Self-attention and a feed-forward network, each x + Sublayer(LayerNorm(x))."""

    def call(
        self, x: tf.Tensor, training: bool = False, padding_mask: tf.Tensor | None = None
    ) -> tuple[tf.Tensor, tf.Tensor]:
        normed = self.layernorm1(x)
        attn_output, attn_weights = self.mha(normed, normed, normed, mask=padding_mask)
        out1 = x + self.dropout1(attn_output, training=training)  # (batch, inp_len, d_model)

        ffn_output = self.ffn(self.layernorm2(out1))
        return out1 + self.dropout2(ffn_output, training=training), attn_weights


class PreNormDecoderLayer(DecoderLayer):
    """The three sublayers of the decoder, each x + Sublayer(LayerNorm(x))."""

    def call(
        self,
        x: tf.Tensor,
        enc_output: tf.Tensor,
        training: bool = False,
        look_ahead_mask: tf.Tensor | None = None,
        padding_mask: tf.Tensor | None = None,
        enc_output_mask: tf.Tensor | None = None,
    ) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        padding_mask = with_keras_mask(padding_mask, enc_output_mask)
        normed = self.layernorm1(x)
        attn1, attn_weights_block1 = self.mha1(normed, normed, normed, mask=look_ahead_mask)
        cross_attention_cache = self.mha2.keys_and_values(enc_output, enc_output)
        out3, attn_weights_block2 = self._after_self_attention(
            x, attn1, cross_attention_cache, padding_mask, training
        )
        return out3, attn_weights_block1, attn_weights_block2

    def _after_self_attention(
        self,
        x: tf.Tensor,
        attn1: tf.Tensor,
        cross_attention_cache: KeysAndValues,
        padding_mask: tf.Tensor | None,
        training: bool,
    ) -> tuple[tf.Tensor, tf.Tensor]:
        out1 = x + self.dropout1(attn1, training=training)  # (batch, tar_len, d_model)

        attn2, attn_weights_block2 = self.mha2.attend(
            *cross_attention_cache, self.layernorm2(out1), padding_mask
        )
        out2 = out1 + self.dropout2(attn2, training=training)  # (batch, tar_len, d_model)

        ffn_output = self.ffn(self.layernorm3(out2))
        return out2 + self.dropout3(ffn_output, training=training), attn_weights_block2

    def _attend_to_tokens_before(
        self, x: tf.Tensor, kv_cache: KeysAndValues
    ) -> tuple[tf.Tensor, KeysAndValues]:
        return super()._attend_to_tokens_before(self.layernorm1(x), kv_cache)


class FinalNorm(keras.layers.Layer):
    """Mixin of an `Encoder` or a `Decoder`: one normalisation more after the last layer."""

    def __init__(self, *sizes: int, **options: Any):
        super().__init__(*sizes, **options)
        self.layernorm = LayerNormalization(epsilon=1e-6, dtype=self.dtype_policy, name="layernorm")

    def build(self, x_shape: Shape | None = None, *further: Shape) -> None:
        super().build(x_shape, *further)
        self.layernorm.build((None, None, self.d_model))

    def layer_states(
        self, *inputs: tf.Tensor, **options: Any
    ) -> tuple[list[tf.Tensor], dict[str, tf.Tensor]]:
        (*states, last), attention_weights = super().layer_states(*inputs, **options)
        return [*states, self.layernorm(last)], attention_weights


class PreNormEncoder(FinalNorm, Encoder):
    """`Encoder` with `PreNormEncoderLayer`."""

    layer_class = PreNormEncoderLayer


class PreNormDecoder(FinalNorm, Decoder):
    """`Decoder` with `PreNormDecoderLayer`."""

    layer_class = PreNormDecoderLayer

    def step(self, *inputs: Any) -> tuple[tf.Tensor, list[KeysAndValues]]:
        x, kv_caches = super().step(*inputs)
        return self.layernorm(x), kv_caches


@keras.saving.register_keras_serializable(package="tf_models")
class PreNormTransformer(Transformer):
    """`Transformer` with normalisation before the sublayers, not after them."""

    encoder_class, decoder_class = PreNormEncoder, PreNormDecoder
