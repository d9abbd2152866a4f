"""Encoder, Decoder and Transformer (Vaswani et al. 2017, section 3)."""

from typing import Any

import keras
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.layers import Dropout, LogitsModel, Shape, constructor_arguments
from tf_models.losses import TiedProjection, TokenLossMixin, TokenSums, linear_cross_entropy
from tf_models.transformer.layers import DecoderLayer, EncoderLayer, KeysAndValues
from tf_models.transformer.masks import check_ids, create_masks
from tf_models.transformer.positions import positional_encoding


class _Stack(keras.layers.Layer):
    """Embedding, positions and dropout below a stack of layers: half a Transformer.

    `embedding` is a table (vocab_size, d_model) to share, in place of one of its own.
    """

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
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.autocast = False  # ids that come as floats have no room in 16 bits
        self.num_layers, self.d_model = num_layers, d_model
        self.num_heads, self.dff = num_heads, dff
        self.vocab_size, self.rate = vocab_size, rate
        self.maximum_position_encoding = maximum_position_encoding
        self.embedding = embedding or keras.layers.Embedding(
            vocab_size, d_model, dtype=self.dtype_policy, name="embedding"
        )
        self.pos_encoding = positional_encoding(maximum_position_encoding, d_model)
        self.dropout = Dropout(rate, dtype=self.dtype_policy)
        self.stack = [
            self.layer_class(
                d_model, num_heads, dff, rate, dtype=self.dtype_policy, name=f"layer{i + 1}"
            )
            for i in range(num_layers)
        ]

    def build(self, x_shape: Shape | None = None) -> None:
        if not self.embedding.built:
            self.embedding.build((None, None))
        for layer in self.stack:
            layer.build((None, None, self.d_model))

    def embed(self, ids: tf.Tensor, pos_encoding: tf.Tensor | None = None) -> tf.Tensor:
        """Embeddings times sqrt(d_model) (section 3.4), plus positions: (batch, len, d_model).

        Args:
            ids: (batch, len).
            pos_encoding: broadcastable to (batch, len, d_model); None: of the first positions.

        Raises:
            InputError: ids are not (batch, len), or there are more of them than positions.
        """
        check_ids(ids, None if pos_encoding is not None else self.maximum_position_encoding)
        x = self.embedding(ids)  # (batch, len, d_model)
        x *= tf.sqrt(tf.cast(self.d_model, x.dtype))
        if pos_encoding is None:
            pos_encoding = self.pos_encoding[:, : tf.shape(ids)[1]]
        return x + tf.cast(pos_encoding, x.dtype)

    def _mask_of_each_layer(self, mask: Any) -> list[tf.Tensor | None]:
        """A mask of all layers, or a list with one for each, as a list."""
        return mask if isinstance(mask, list) else [mask] * self.num_layers

    def get_config(self) -> dict[str, Any]:
        sizes = ("num_layers", "d_model", "num_heads", "dff", "vocab_size")
        names = (*sizes, "maximum_position_encoding", "rate")
        return {**super().get_config(), **{name: getattr(self, name) for name in names}}


@keras.saving.register_keras_serializable(package="tf_models")
class Encoder(_Stack):
    """A stack of `EncoderLayer`s.

    Call it with source ids (batch, inp_len); it returns (batch, inp_len, d_model) and
    {"encoder_layer1": weights, …}, each (batch, num_heads, inp_len, inp_len). `padding_mask`
    (batch, 1, 1, inp_len), 1 where a key is blocked, is one for all layers, or a list with one for
    each.

    Args:
        num_layers, d_model, num_heads, dff, rate: as in `Transformer`.
        vocab_size: number of ids.
        maximum_position_encoding: longest sentence, in tokens.

    Raises:
        InputError: in a call, there are more tokens than positions, or ids are not (batch, len).

    Example:
        >>> sizes = {"num_layers": 2, "d_model": 64, "num_heads": 4, "dff": 256}
        >>> encoder = Encoder(**sizes, vocab_size=100, maximum_position_encoding=50)
        >>> enc_output, attention = encoder(tf.ones((1, 9), tf.int32))
        >>> print(enc_output.shape, attention["encoder_layer2"].shape)
        (1, 9, 64) (1, 4, 9, 9)
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
        states, attention_weights = self.layer_states(x, training, padding_mask)
        return states[-1], attention_weights  # (batch, inp_len, d_model)

    def layer_states(
        self, x: tf.Tensor, training: bool = False, padding_mask: tf.Tensor | None = None
    ) -> tuple[list[tf.Tensor], dict[str, tf.Tensor]]:
        """What goes through the layers.

        Args:
            x: what the first layer reads, (batch, inp_len, d_model), as `embed` gives it.
            training, padding_mask: as in a call.

        Returns:
            what each layer reads, and behind it the output of the last one, num_layers + 1 tensors
            (batch, inp_len, d_model); and the attention weights of each layer, as in a call.
        """
        states, attention_weights = [x], {}
        masks = self._mask_of_each_layer(padding_mask)
        for i, (layer, mask) in enumerate(zip(self.enc_layers, masks, strict=True), start=1):
            x, weights = layer(x, training=training, padding_mask=mask)
            attention_weights[f"encoder_layer{i}"] = weights
            states.append(x)
        return states, attention_weights


@keras.saving.register_keras_serializable(package="tf_models")
class Decoder(_Stack):
    """A stack of `DecoderLayer`s, each reading the encoder's last output.

    Call it with target ids (batch, tar_len) and enc_output (batch, inp_len, d_model); it returns
    (batch, tar_len, d_model) and {"decoder_layer1_block1": (batch, num_heads, tar_len, tar_len),
    "decoder_layer1_block2": (batch, num_heads, tar_len, inp_len), …}. A mask is one for all layers,
    or a list with one for each: `look_ahead_mask` (batch, 1, tar_len, tar_len) and `padding_mask`
    (batch, 1, 1, inp_len), 1 where a key is blocked. Arguments and errors are those of `Encoder`.

    Example:
        >>> decoder = Decoder(2, 64, 4, 256, vocab_size=120, maximum_position_encoding=50)
        >>> output, attention = decoder(tf.ones((1, 7), tf.int32), tf.ones((1, 9, 64)))
        >>> print(output.shape, attention["decoder_layer2_block2"].shape)
        (1, 7, 64) (1, 4, 7, 9)
    """

    layer_class = DecoderLayer

    def build(self, x_shape: Shape | None = None, enc_output_shape: Shape | None = None) -> None:
        super().build(x_shape)

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
        masks = (look_ahead_mask, padding_mask)
        states, attention_weights = self.layer_states(x, enc_output, training, *masks)
        return states[-1], attention_weights  # (batch, tar_len, d_model)

    def layer_states(
        self,
        x: tf.Tensor,
        enc_output: tf.Tensor,
        training: bool = False,
        look_ahead_mask: tf.Tensor | None = None,
        padding_mask: tf.Tensor | None = None,
    ) -> tuple[list[tf.Tensor], dict[str, tf.Tensor]]:
        """What goes through the layers, as `Encoder.layer_states` gives it."""
        states, attention_weights = [x], {}
        masks = map(self._mask_of_each_layer, (look_ahead_mask, padding_mask))
        for i, (layer, *of_layer) in enumerate(zip(self.dec_layers, *masks, strict=True), start=1):
            look_ahead, padding = of_layer
            x, block1, block2 = layer(
                x, enc_output, training=training, look_ahead_mask=look_ahead, padding_mask=padding
            )
            states.append(x)
            attention_weights[f"decoder_layer{i}_block1"] = block1
            attention_weights[f"decoder_layer{i}_block2"] = block2
        return states, attention_weights

    def cross_attention_caches(self, enc_output: tf.Tensor) -> list[KeysAndValues]:
        """Keys and values of the source (batch, inp_len, d_model), for each layer, once."""
        return [layer.mha2.keys_and_values(enc_output, enc_output) for layer in self.dec_layers]

    def step(
        self,
        ids: tf.Tensor,
        kv_caches: list[KeysAndValues],
        cross_attention_caches: list[KeysAndValues],
        padding_mask: tf.Tensor,
    ) -> tuple[tf.Tensor, list[KeysAndValues]]:
        """Decode one token more, at the cost of one token (see `DecoderLayer.step`).

        Args:
            ids: the newest token of each hypothesis, (batch, hypotheses).
            kv_caches: for each layer, keys and values of the t tokens before.
            cross_attention_caches: for each layer, keys and values of the source.
            padding_mask: (batch, 1, 1, inp_len).

        Returns:
            (batch, hypotheses, d_model), and the kv_caches with the new token.
        """
        t = tf.shape(kv_caches[0][0])[2]  # all hypotheses are t tokens long
        x = self.embed(ids, tf.gather(self.pos_encoding, [t], axis=1))
        updated = []
        caches = (kv_caches, cross_attention_caches)
        for layer, kv_cache, of_source in zip(self.dec_layers, *caches, strict=True):
            x, kv_cache = layer.step(x, kv_cache, of_source, padding_mask)
            updated.append(kv_cache)
        return x, updated


@keras.saving.register_keras_serializable(package="tf_models")
class Transformer(TokenLossMixin, LogitsModel):
    """The whole model: ids of two languages in, logits over the target vocabulary out.

    Call it with inp (batch, inp_len) and tar (batch, tar_len); masks that are left out are
    computed. It returns

    - logits, (batch, tar_len, target_vocab_size), float32;
    - attention weights by name: "encoder_layer1" …, "decoder_layer1_block1" (self-attention),
      "decoder_layer1_block2" (attention to the source) …

    Compiled with an optimizer alone, `fit(inp, tar)` minimises its own loss, the cross-entropy of
    the real tokens after each of tar. With a loss of yours, such as `loss_function`, `fit` takes a
    pair (inp, tar without its last token) and the targets, tar without its first one.

    Args:
        num_layers: layers in the encoder, and as many in the decoder.
        d_model: width of the model.
        num_heads: heads in each attention block; must divide d_model.
        dff: width of the hidden layer in the feed-forward networks.
        input_vocab_size, target_vocab_size: numbers of ids.
        pe_input, pe_target: longest source and target, in tokens.
        rate: dropout rate.
        tie_embeddings: one table for source, target and output layer (section 3.4; Press & Wolf
            2017); the two vocabularies must then be one.

    Raises:
        InputError: num_heads does not divide d_model, or embeddings of unlike size are to be tied;
            in a call, there are more tokens than positions, or ids are not (batch, len).

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

    encoder_class: type[Encoder] = Encoder  # a variant may have others
    decoder_class: type[Decoder] = Decoder
    inputs_of_call = ("inp", "tar")

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
        sizes = (num_layers, d_model, num_heads, dff)
        options = {"rate": rate, "dtype": self.dtype_policy}
        if tie_embeddings:
            options["embedding"] = keras.layers.Embedding(
                target_vocab_size, d_model, dtype=self.dtype_policy, name="embedding"
            )
        sources, targets = (input_vocab_size, pe_input), (target_vocab_size, pe_target)
        self.encoder = self.encoder_class(*sizes, *sources, name="encoder", **options)
        self.decoder = self.decoder_class(*sizes, *targets, name="decoder", **options)
        # float32 also under mixed precision: cross-entropy needs the digits.
        last = {"dtype": "float32", "name": "final_layer"}
        if tie_embeddings:
            self.final_layer = TiedProjection(self.decoder.embedding, **last)
        else:
            self.final_layer = keras.layers.Dense(target_vocab_size, **last)

    def build(self, inp_shape: Shape | None = None, tar_shape: Shape | None = None) -> None:
        self.encoder.build((None, None))
        self.decoder.build((None, None))
        self.final_layer.build((None, None, self._arguments["d_model"]))

    def call(
        self, inp: Any, tar: tf.Tensor | None = None, training: bool = False, **masks: Any
    ) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
        if tar is None:
            inp, tar = _pair(inp)
        dec_output, attention_weights = self.decoder_states(inp, tar, training, **masks)
        final_output = self.final_layer(dec_output)  # (batch, tar_len, target_vocab_size)
        return final_output, attention_weights

    def decoder_states(
        self,
        inp: tf.Tensor,
        tar: tf.Tensor,
        training: bool = False,
        enc_padding_mask: tf.Tensor | None = None,
        look_ahead_mask: tf.Tensor | None = None,
        dec_padding_mask: tf.Tensor | None = None,
    ) -> tuple[tf.Tensor, dict[str, tf.Tensor]]:
        """What the final layer reads, (batch, tar_len, d_model), and all attention weights."""
        given = (enc_padding_mask, look_ahead_mask, dec_padding_mask)
        enc_padding_mask, look_ahead_mask, dec_padding_mask = (
            computed if mask is None else mask
            for mask, computed in zip(given, create_masks(inp, tar), strict=True)
        )
        enc_output, encoder_weights = self.encoder(
            inp, training=training, padding_mask=enc_padding_mask
        )
        masks = {"look_ahead_mask": look_ahead_mask, "padding_mask": dec_padding_mask}
        dec_output, decoder_weights = self.decoder(tar, enc_output, training=training, **masks)
        return dec_output, {**encoder_weights, **decoder_weights}

    def cross_entropy(
        self, states: tf.Tensor, labels: tf.Tensor, smoothing: float = 0.0
    ) -> TokenSums:
        """Output layer and loss in one, for training (see `TiedProjection.cross_entropy`)."""
        layer = self.final_layer
        if self.tie_embeddings:
            return layer.cross_entropy(states, labels, smoothing)
        kernel = tf.cast(layer.kernel, states.dtype)
        return linear_cross_entropy(states, kernel, layer.bias, labels, smoothing=smoothing)

    def output_layer(self) -> tuple[tf.Tensor, tf.Tensor]:
        """Kernel (d_model, target_vocab_size) and bias (target_vocab_size,) of the final layer."""
        layer = self.final_layer
        if self.tie_embeddings:
            return layer.kernel_and_bias()
        return tf.convert_to_tensor(layer.kernel), tf.convert_to_tensor(layer.bias)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **self._arguments}


def _pair(x: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Source and target ids as `fit` hands them over."""
    if isinstance(x, dict) and x.keys() == {"inp", "tar"}:
        return x["inp"], x["tar"]
    if isinstance(x, (tuple, list)) and len(x) == 2:
        return tuple(x)
    raise InputError(
        'a Transformer reads source and target: pass (inp, tar), or {"inp": inp, "tar": tar}; '
        f"received {type(x).__name__} alone"
    )
