"""Encoder, Decoder and Transformer (Vaswani et al. 2017, section 3)."""

from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from tf_models.errors import InputError, check_choice
from tf_models.layers import LayerNormalization, constructor_arguments
from tf_models.loss_sums import LossSums
from tf_models.output_layer import Projection, TiedProjection, next_token_sums
from tf_models.sequence_to_sequence import SequenceToSequenceModel, teacher_forcing
from tf_models.transformer.attention import MultiHeadAttention, rows_of
from tf_models.transformer.layers import VARIANT, DecoderLayer, EncoderLayer, KeysAndValues
from tf_models.transformer.masks import create_masks
from tf_models.transformer.positions import positional_encoding


class _Stack(keras.layers.Layer):
    """Embedding, positions and dropout, then a stack of layers."""

    layer_class: type[keras.layers.Layer]

    def __init__(
        self,
        num_layers: int,
        d_model: int,
        num_heads: int,
        dff: int,
        vocab_size: int,
        maximum_position_encoding: int,
        rate: float = 0.1,
        embedding: keras.layers.Embedding | None = None,
        activation: str = "relu",
        normalize_first: bool = False,
        attention: str | type[MultiHeadAttention] = "dot_product",
        num_kv_heads: int = 2,
        position_encoding: str = "sinusoidal",
        **kwargs: Any,
    ):
        self._arguments = constructor_arguments(locals())
        self._arguments.pop("embedding")  # whoever shares the table saves it
        super().__init__(**kwargs)
        self.autocast = False  # ids that come as floats have no room in 16 bits
        check_choice("position_encoding", position_encoding, ("sinusoidal", "learned", "none"))
        self.num_layers = num_layers
        self.d_model = d_model
        self.num_heads = num_heads
        self.maximum_position_encoding = maximum_position_encoding
        self.embedding = embedding or keras.layers.Embedding(
            vocab_size, d_model, dtype=self.dtype_policy, name="embedding"
        )
        self.pos_encoding = positional_encoding(maximum_position_encoding, d_model)
        if position_encoding == "none" or attention in ("relative", "rotary"):
            self.pos_encoding = tf.zeros_like(self.pos_encoding)  # (1, positions, d_model)
        self.dropout = keras.layers.Dropout(rate, dtype=self.dtype_policy)
        variant = {name: self._arguments[name] for name in VARIANT} | {"dtype": self.dtype_policy}
        self.stack = [
            self.layer_class(d_model, num_heads, dff, rate, name=f"layer{i + 1}", **variant)
            for i in range(num_layers)
        ]
        self.layernorm = None
        if normalize_first:
            self.layernorm = LayerNormalization(epsilon=1e-6, dtype=self.dtype_policy)

    def build(self, *shapes: Any) -> None:
        if not self.embedding.built:
            self.embedding.build((None, None))
        for layer in self.stack:
            layer.build((None, None, self.d_model))
        if self.layernorm:
            self.layernorm.build((None, None, self.d_model))
        if self._arguments["position_encoding"] == "learned":
            initializer = keras.initializers.RandomNormal(stddev=0.1)
            shape = self.pos_encoding.shape  # (1, positions, d_model)
            self.pos_encoding = self.add_weight(shape, initializer, name="position_embedding")

    def embed(self, ids: tf.Tensor, pos_encoding: tf.Tensor | None = None) -> tf.Tensor:
        """Embeddings times sqrt(d_model) (section 3.4), plus positions.

        ids (batch, len) -> (batch, len, d_model); without `pos_encoding`, at the first positions.
        """
        if pos_encoding is None and (ids.shape[1] or 0) > self.maximum_position_encoding:
            raise InputError(
                f"sentences have {ids.shape[1]} tokens, and positions end at "
                f"{self.maximum_position_encoding}; cut them, or raise maximum_position_encoding "
                "(pe_input or pe_target of a Transformer)"
            )
        x = self.embedding(ids)  # (batch, len, d_model)
        x *= tf.sqrt(tf.cast(self.d_model, x.dtype))
        if pos_encoding is None:
            pos_encoding = self.pos_encoding[:, : tf.shape(ids)[1]]
        return x + tf.cast(pos_encoding, x.dtype)

    def _last(self, x: tf.Tensor) -> tf.Tensor:
        return self.layernorm(x) if self.layernorm else x

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **self._arguments}


@keras.saving.register_keras_serializable(package="tf_models")
class Encoder(_Stack):
    """A stack of `EncoderLayer`s.

    Call it with source ids (batch, inp_len) and the mask of `EncoderLayer`; it returns (batch,
    inp_len, d_model) and {"encoder_layer1": weights, …}, (batch, num_heads, inp_len, inp_len) each.

    Args:
        vocab_size: number of ids.
        maximum_position_encoding: longest sentence, in tokens.
        embedding: a table (vocab_size, d_model) to share, in place of one of its own.
        others: as in `Transformer`.

    Raises:
        InputError: in a call, there are more tokens than positions.
    """

    layer_class = EncoderLayer

    @property
    def enc_layers(self) -> list[EncoderLayer]:
        """The layers, first to last."""
        return self.stack

    def call(
        self, x: tf.Tensor, training: bool = False, padding_mask: tf.Tensor | None = None
    ) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
        x = self.dropout(self.embed(x), training=training)
        attention_weights = {}
        for i, layer in enumerate(self.enc_layers, start=1):
            x, weights = layer(x, training=training, padding_mask=padding_mask)
            attention_weights[f"encoder_layer{i}"] = weights
        return self._last(x), attention_weights  # (batch, inp_len, d_model)


@keras.saving.register_keras_serializable(package="tf_models")
class Decoder(_Stack):
    """A stack of `DecoderLayer`s, each reading the encoder's last output.

    Call it with target ids (batch, tar_len) and enc_output (batch, inp_len, d_model); it returns
    (batch, tar_len, d_model) and {"decoder_layer1_block1": (batch, num_heads, tar_len, tar_len),
    "decoder_layer1_block2": (batch, num_heads, tar_len, inp_len), …}. Arguments and errors are
    those of `Encoder`, masks those of `DecoderLayer`.
    """

    layer_class = DecoderLayer

    @property
    def dec_layers(self) -> list[DecoderLayer]:
        """The layers, first to last."""
        return self.stack

    def call(
        self,
        x: tf.Tensor,
        enc_output: tf.Tensor,
        training: bool = False,
        look_ahead_mask: tf.Tensor | None = None,
        padding_mask: tf.Tensor | None = None,
    ) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
        x = self.dropout(self.embed(x), training=training)
        attention_weights = {}
        for i, layer in enumerate(self.dec_layers, start=1):
            x, block1, block2 = layer(
                x,
                enc_output,
                training=training,
                look_ahead_mask=look_ahead_mask,
                padding_mask=padding_mask,
            )
            attention_weights[f"decoder_layer{i}_block1"] = block1
            attention_weights[f"decoder_layer{i}_block2"] = block2
        return self._last(x), attention_weights  # (batch, tar_len, d_model)

    def cross_attention_caches(self, enc_output: tf.Tensor) -> list[KeysAndValues]:
        """Keys and values of the source (batch, inp_len, d_model) for each layer."""
        return [layer.mha2.keys_and_values(enc_output, enc_output) for layer in self.dec_layers]

    def step(
        self,
        ids: tf.Tensor,
        kv_caches: list[KeysAndValues],
        cross_attention_caches: list[KeysAndValues],
        padding_mask: tf.Tensor,
    ) -> tuple[tf.Tensor, list[KeysAndValues]]:
        """Decode one more token from caches; shapes: `DecoderLayer.step`.

        ids (batch, hypotheses) are the newest tokens; each layer has its own caches. It returns
        (batch * hypotheses, d_model), and the kv_caches with the new token.
        """
        t = tf.shape(kv_caches[0][0])[2]  # all hypotheses are t tokens long
        x = rows_of(self.embed(ids, tf.gather(self.pos_encoding, [t], axis=1)))
        updated_caches = []
        caches = (kv_caches, cross_attention_caches)
        for layer, kv_cache, source_cache in zip(self.dec_layers, *caches, strict=True):
            x, kv_cache = layer.step(x, kv_cache, source_cache, padding_mask)
            updated_caches.append(kv_cache)
        return self._last(x), updated_caches


@keras.saving.register_keras_serializable(package="tf_models")
class Transformer(SequenceToSequenceModel):
    """The whole model: ids of two languages in, logits of target ids out.

    Call it with inp (batch, inp_len) and tar (batch, tar_len); masks that are left out are
    computed. It returns

    - logits, (batch, tar_len, target_vocab_size), float32;
    - attention weights by name: "encoder_layer1" …, "decoder_layer1_block1" (self-attention),
      "decoder_layer1_block2" (attention to the source) …

    Compile it with an optimizer alone: `fit(inp, tar)` minimises the cross-entropy of the real
    tokens after each of tar; `fit((inp, tar_inp), tar_real)` is the same.

    Attributes:
        label_smoothing: share of the target distribution that all ids have in common, in training.

    Args:
        num_layers: layers in the encoder, and as many in the decoder.
        d_model: width of the model; num_heads, of each attention block, must divide it.
        dff: width of the hidden layer in the feed-forward networks.
        input_vocab_size, target_vocab_size: numbers of ids.
        pe_input, pe_target: longest source and target, in tokens.
        rate: dropout rate.
        tie_embeddings: one table for source, target and output layer (section 3.4; Press & Wolf
            2017); the two vocabularies must then be one.
        activation: of the feed-forward networks, by Keras' name; "gelu": Hendrycks & Gimpel 2016.
        normalize_first: x + Sublayer(LayerNorm(x)) in place of LayerNorm(x + Sublayer(x)), and
            another normalisation behind the last layer (Xiong et al. 2020, table 1, figure 1b).
        attention: "dot_product"; "relative" or "rotary", in self-attention, without positions in
            the embeddings; "grouped_query", in the decoder (Ainslie et al. 2023, section 2.2); or
            a class of yours, in all blocks (its weights can be saved, but not by `model.save`).
            See `tf_models.transformer.variants`.
        num_kv_heads: heads of keys and values of "grouped_query".
        position_encoding: "sinusoidal"; "learned" (Gehring et al. 2017, section 3.1; Vaswani et al.
            2017, table 3, row E); or "none".

    Raises:
        ValueError: num_heads does not divide d_model; an `InputError` if there is no such variant,
            or two vocabularies are to be tied; in a call, if there are more tokens than positions.

    Example:
        >>> sizes = {"num_layers": 2, "d_model": 64, "num_heads": 4, "dff": 256}
        >>> vocabularies = {"input_vocab_size": 100, "target_vocab_size": 120}
        >>> transformer = Transformer(**sizes, **vocabularies, pe_input=41, pe_target=42)
        >>> inp, tar = tf.ones((8, 9), tf.int32), tf.ones((8, 12), tf.int32)
        >>> logits, attention = transformer(inp, tar, training=False)
        >>> print(logits.shape, attention["decoder_layer2_block2"].shape)
        (8, 12, 120) (8, 4, 12, 9)
        >>> transformer.compile(optimizer="adam")
        >>> history = transformer.fit(inp, tar, verbose=0)
    """

    label_smoothing = 0.0

    def __init__(
        self,
        num_layers: int,
        d_model: int,
        num_heads: int,
        dff: int,
        input_vocab_size: int,
        target_vocab_size: int,
        pe_input: int,
        pe_target: int,
        rate: float = 0.1,
        tie_embeddings: bool = False,
        activation: str = "relu",
        normalize_first: bool = False,
        attention: str | type[MultiHeadAttention] = "dot_product",
        num_kv_heads: int = 2,
        position_encoding: str = "sinusoidal",
        **kwargs: Any,
    ):
        self._arguments = constructor_arguments(locals())
        super().__init__(**kwargs)
        self.autocast = False
        self.supports_jit = False  # XLA compiles no shape that depends on the padding
        if tie_embeddings and input_vocab_size != target_vocab_size:
            raise InputError(
                "tied embeddings need one vocabulary for both languages; received "
                f"input_vocab_size={input_vocab_size}, target_vocab_size={target_vocab_size}"
            )
        self.tie_embeddings = tie_embeddings
        options = {"rate": rate, "position_encoding": position_encoding, "dtype": self.dtype_policy}
        options |= {name: self._arguments[name] for name in VARIANT}
        if tie_embeddings:
            options["embedding"] = keras.layers.Embedding(
                target_vocab_size, d_model, dtype=self.dtype_policy, name="embedding"
            )
        sizes = (num_layers, d_model, num_heads, dff)
        encoder_options = {"attention": "dot_product"} if attention == "grouped_query" else {}
        self.encoder = Encoder(
            *sizes, input_vocab_size, pe_input, name="encoder", **options | encoder_options
        )
        self.decoder = Decoder(*sizes, target_vocab_size, pe_target, name="decoder", **options)
        # float32 also under mixed precision: cross-entropy needs the digits.
        layer_options = {"dtype": "float32", "name": "final_layer"}
        if tie_embeddings:
            self.final_layer = TiedProjection(self.decoder.embedding, **layer_options)
        else:
            self.final_layer = Projection(target_vocab_size, **layer_options)

        self.encoder.build((None, None))
        self.decoder.build((None, None))
        self.final_layer.build((None, None, d_model))
        self.built = True

    def call(
        self,
        inp: tf.Tensor,
        tar: tf.Tensor,
        training: bool = False,
        enc_padding_mask: tf.Tensor | None = None,
        look_ahead_mask: tf.Tensor | None = None,
        dec_padding_mask: tf.Tensor | None = None,
    ) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
        masks = (enc_padding_mask, look_ahead_mask, dec_padding_mask)
        dec_output, attention_weights = self.decoder_states(inp, tar, training, masks)
        final_output = self.final_layer(dec_output)  # (batch, tar_len, target_vocab_size)
        return final_output, attention_weights

    def decoder_states(
        self,
        inp: tf.Tensor,
        tar: tf.Tensor,
        training: bool = False,
        masks: Sequence[tf.Tensor | None] = (None, None, None),
    ) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
        """Final layer's input, (batch, tar_len, d_model), and attention weights.

        Masks are those of `create_masks`; each that is None is computed.
        """
        enc_padding_mask, look_ahead_mask, dec_padding_mask = [
            computed if mask is None else mask
            for mask, computed in zip(masks, create_masks(inp, tar), strict=True)
        ]
        enc_output, encoder_weights = self.encoder(
            inp, training=training, padding_mask=enc_padding_mask
        )
        dec_output, decoder_weights = self.decoder(
            tar,
            enc_output,
            training=training,
            look_ahead_mask=look_ahead_mask,
            padding_mask=dec_padding_mask,
        )
        return dec_output, {**encoder_weights, **decoder_weights}

    def loss_sums(
        self,
        inp: tf.Tensor,
        tar: tf.Tensor,
        labels: tf.Tensor | None = None,
        *,
        training: bool,
        sample_weight: tf.Tensor | None = None,
    ) -> LossSums:
        """Sums over the real tokens (see `next_token_sums` and `teacher_forcing`)."""
        tar_inp, tar_real = teacher_forcing(tar, labels)
        states, _ = self.decoder_states(inp, tar_inp, training=training)
        return next_token_sums(
            self.final_layer, states, tar_real, training, self.label_smoothing, sample_weight
        )
