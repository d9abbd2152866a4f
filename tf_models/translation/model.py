"""Translation models built from settings: Transformers and RNNs."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import keras
import numpy as np
import tensorflow as tf

from tf_models.data.tokenizers import TokenizerPair
from tf_models.recurrent.translator import EncoderOutput, RecurrentTranslator, scaled
from tf_models.search import Nested, output_layer, weights_for_search
from tf_models.transformer.attention import rows_of
from tf_models.transformer.layers import KeysAndValues
from tf_models.transformer.masks import create_padding_mask
from tf_models.transformer.model import Transformer
from tf_models.translation.settings import (
    TRANSFORMER,
    VARIANTS,
    RecurrentSettings,
    TransformerSettings,
    TranslatorSettings,
)

# Kinds of attention that a model may have, and their names in titles.
ATTENTION_KINDS = {
    "encoder": "encoder self-attention",
    "decoder": "decoder self-attention",
    "cross": "cross-attention",
}
# The tutorial's names of the weights of each kind, layer by layer.
TUTORIAL_NAMES = {
    "encoder": "encoder_layer{}",
    "decoder": "decoder_layer{}_block1",
    "cross": "decoder_layer{}_block2",
}
# The arguments that make a `Transformer` that of the article.
ARTICLE = {
    "activation": "relu",
    "normalize_first": False,
    "attention": "dot_product",
    "position_encoding": "sinusoidal",
}
KVCaches = list[KeysAndValues]  # for each layer, of the tokens so far


class TranslationModel(Protocol):
    """Interface of a model for training, search, export and plotting.

    network: the Keras model, built, whose variables are trained and saved.
    attention_kinds: those of `ATTENTION_KINDS` that it has; a recurrent model has "cross" only.
    """

    network: keras.Model

    @property
    def attention_kinds(self) -> Sequence[str]: ...

    def encode(self, inp: tf.Tensor) -> Nested:
        """Encode sources (batch, inp_len) into memory: tensors (batch, ...)."""

    def initial_state(self, memory: Nested) -> Nested:
        """Decoder state before the first id, of one hypothesis: (batch, 1, ...)."""

    def weights(self, suppressed_ids: Sequence[int]) -> Sequence[tf.Tensor]:
        """Weights that `step` takes; suppressed ids get probability 0."""

    def step(
        self, ids: tf.Tensor, memory: Nested, state: Nested, *weights: tf.Tensor
    ) -> tuple[tf.Tensor, Nested]:
        """The step of `tf_models.search`."""

    def attention(self, inp: tf.Tensor, tar: tf.Tensor) -> Mapping[str, tf.Tensor]:
        """Attention weights while tar is read, for each of `attention_kinds`.

        They are (batch, layers, heads, rows, columns); tar is (batch, tar_len).
        """


def build_model(
    settings: TranslatorSettings,
    tokenizers: TokenizerPair,
    dtype: str = "float32",
    transformer_class: type[Transformer] = Transformer,
) -> TranslationModel:
    """Build the untrained model of these settings.

    `dtype` is a Keras dtype policy; a Transformer is of the given `transformer_class`.
    """
    name = settings.architecture
    if not settings.is_recurrent:
        return build_transformer(settings.model, tokenizers, dtype, name, transformer_class)
    network = RecurrentTranslator(
        embedding_dim=settings.model.d_model,
        units=settings.model.units,
        attends=name == "rnn-attention",
        **_common_arguments(settings.model, tokenizers, dtype),
    )
    network.build()
    return RecurrentModel(network)


def build_transformer(
    settings: TransformerSettings,
    tokenizers: TokenizerPair,
    dtype: str = "float32",
    name: str = TRANSFORMER,
    transformer_class: type[Transformer] = Transformer,
) -> "TransformerModel":
    """Build an untrained Transformer: the article's, or one of `VARIANTS`."""
    network = transformer_class(
        num_layers=settings.num_layers,
        d_model=settings.d_model,
        num_heads=settings.num_heads,
        dff=settings.dff,
        pe_input=settings.positions,
        pe_target=settings.positions,
        **_common_arguments(settings, tokenizers, dtype),
        **VARIANTS.get(name, {}),
    )
    network.build()
    return TransformerModel(network)


def _common_arguments(
    settings: TransformerSettings | RecurrentSettings, tokenizers: TokenizerPair, dtype: str
) -> dict[str, Any]:
    return {
        "input_vocab_size": tokenizers.source.vocabulary_size,
        "target_vocab_size": tokenizers.target.vocabulary_size,
        "rate": settings.dropout,
        "tie_embeddings": settings.tie_embeddings,
        "dtype": dtype,
    }


def set_vectors(network: Transformer, vectors: Sequence[np.ndarray]) -> None:
    """Set source and target embeddings to vectors, (pieces, d_model) each."""
    for stack, pretrained in zip((network.encoder, network.decoder), vectors, strict=True):
        table = stack.embedding.embeddings
        values = table.numpy()  # (vocabulary, d_model)
        # As large as the random ones, or they would drown the positions.
        values[: len(pretrained)] = pretrained * (values.std() / pretrained.std())
        table.assign(values)


class Memory(NamedTuple):
    """Encoded sources, as the decoder reads them.

    keys_and_values: the cross-attention caches, (batch, num_kv_heads, inp_len, depth) each.
    padding_mask: (batch, 1, 1, inp_len).
    """

    keys_and_values: list[KeysAndValues]
    padding_mask: tf.Tensor


class TransformerModel:
    """A Transformer, already built, as a `TranslationModel`."""

    attention_kinds = tuple(TUTORIAL_NAMES)

    def __init__(self, network: Transformer):
        self.network = network

    def encode(self, inp: tf.Tensor) -> Memory:
        """Encode the sources once: ids (batch, inp_len)."""
        padding_mask = create_padding_mask(inp)
        enc_output, _ = self.network.encoder(inp, training=False, padding_mask=padding_mask)
        return Memory(self.network.decoder.cross_attention_caches(enc_output), padding_mask)

    def initial_state(self, memory: Memory) -> KVCaches:
        """Empty KV caches: (batch, 1, num_kv_heads, 0, depth) each."""
        mha = self.network.decoder.dec_layers[0].mha1
        batch = tf.shape(memory.padding_mask)[0]
        empty = tf.zeros((batch, 1, mha.num_kv_heads, 0, mha.depth), mha.compute_dtype)
        return [(empty, empty) for _ in self.network.decoder.dec_layers]

    def weights(self, suppressed_ids: Sequence[int]) -> tuple[tf.Tensor, tf.Tensor]:
        """Kernel and bias of the output layer, suppressed ids made impossible."""
        return weights_for_search(*self.network.final_layer.kernel_and_bias(), suppressed_ids)

    def step(
        self, ids: tf.Tensor, memory: Memory, kv_caches: KVCaches, *weights: tf.Tensor
    ) -> tuple[tf.Tensor, KVCaches]:
        """The search step; with KV caches it computes the newest token only."""
        decoder = self.network.decoder
        mha = decoder.dec_layers[0].mha1
        batch, n = tf.unstack(tf.shape(ids))
        t = tf.shape(kv_caches[0][0])[3]

        def reshape(caches: KVCaches, shape: tf.Tensor) -> KVCaches:
            return [(tf.reshape(k, shape), tf.reshape(v, shape)) for k, v in caches]

        # (batch * n, num_kv_heads, t, depth)
        rows = reshape(kv_caches, tf.stack([batch * n, mha.num_kv_heads, t, mha.depth]))
        x, rows = decoder.step(ids, rows, memory.keys_and_values, memory.padding_mask)
        kv_caches = reshape(rows, tf.stack([batch, n, mha.num_kv_heads, t + 1, mha.depth]))
        logits = output_layer(x, *weights)  # (batch * n, vocabulary)
        return tf.reshape(logits, (batch, n, logits.shape[-1])), kv_caches

    def attention(self, inp: tf.Tensor, tar: tf.Tensor) -> dict[str, tf.Tensor]:
        """Weights of each kind, (batch, layers, heads, rows, columns)."""
        _, weights = self.network(inp, tar, training=False)
        layers = range(1, self.network.encoder.num_layers + 1)
        return {
            kind: tf.stack([weights[name.format(layer)] for layer in layers], axis=1)
            for kind, name in TUTORIAL_NAMES.items()
        }


class RecurrentModel:
    """A `RecurrentTranslator`, already built, as a `TranslationModel`."""

    def __init__(self, network: RecurrentTranslator):
        self.network = network
        self.attention_kinds = ("cross",) if network.decoder.attention else ()

    def encode(self, inp: tf.Tensor) -> EncoderOutput:
        """Encode the sources once: ids (batch, inp_len)."""
        return self.network.read(inp)

    def initial_state(self, memory: EncoderOutput) -> tf.Tensor:
        """s_0, (batch, 1, units)."""
        return memory.state[:, tf.newaxis]

    def weights(self, suppressed_ids: Sequence[int]) -> tuple[tf.Tensor, tf.Tensor]:
        """Kernel and bias of the output layer, suppressed ids made impossible."""
        return weights_for_search(*self.network.final_layer.kernel_and_bias(), suppressed_ids)

    def step(
        self, ids: tf.Tensor, memory: EncoderOutput, state: tf.Tensor, *weights: tf.Tensor
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """The search step: one step of the decoder's GRU."""
        decoder = self.network.decoder
        x = scaled(decoder.embedding, ids)  # (batch, n, embedding_dim)
        context, state, _ = decoder.step(x, state, memory)
        outputs = decoder.output(state, context, x, training=False)  # (batch, n, embedding_dim)
        logits = output_layer(rows_of(outputs), *weights)
        return tf.reshape(logits, (*tf.unstack(tf.shape(ids)), logits.shape[-1])), state

    def attention(self, inp: tf.Tensor, tar: tf.Tensor) -> dict[str, tf.Tensor]:
        """The alignments, (batch, 1, 1, tar_len, inp_len): one layer, one head."""
        if not self.attention_kinds:
            return {}
        _, weights = self.network(inp, tar, training=False)
        return {"cross": weights[:, tf.newaxis, tf.newaxis]}


def translation_model(model: TranslationModel | keras.Model) -> TranslationModel:
    """The interface of a `Transformer` or a `RecurrentTranslator`, both built.

    What has the interface already is returned as it is.
    """
    if isinstance(model, Transformer):
        return TransformerModel(model)
    return RecurrentModel(model) if isinstance(model, RecurrentTranslator) else model


def inner_transformer(model: TranslationModel) -> Transformer | None:
    """The article's Transformer, or None for a variant or a recurrent model.

    Figures of its layers, the attention page and the export to CTranslate2 need it.
    """
    network = model.network
    is_article = type(network) is Transformer and ARTICLE.items() <= network.get_config().items()
    return network if is_article else None
