"""The Transformer as a `TranslationModel`: trained, decoded step by step, inspected."""

import importlib
import inspect
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tensorflow as tf

from tf_models.data.tokenizers import TokenizerPair
from tf_models.errors import InputError
from tf_models.search import StepFunction, output_layer_for_search
from tf_models.transformer.initialisation import initialise_mimetically, scale_residual_branches
from tf_models.transformer.layers import KeysAndValues
from tf_models.transformer.masks import create_padding_mask
from tf_models.transformer.model import Transformer
from tf_models.transformer.variants import NETWORKS, ORIGINAL
from tf_models.translation.protocol import TUTORIAL_NAMES
from tf_models.translation.settings import TransformerSettings

KVCaches = list[KeysAndValues]  # for each layer, of the tokens so far


def network_class(name: str) -> type[Transformer]:
    """The class of a variant by its name in `NETWORKS`, or a class of the user's, module:Class,
    which may lie in the current folder. Its module is imported, which runs its code.

    Raises:
        InputError: there is no such module or class, the module cannot be imported, or the class is
            no `Transformer` or takes other arguments.
    """
    module_name, _, class_name = NETWORKS.get(name, name).partition(":")
    own = name != ORIGINAL and name not in NETWORKS
    if own and str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))  # last: a file there hides nothing that is installed
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        raise InputError(
            f"network {name} cannot be imported: {error}; its module must lie in "
            f"the current folder ({Path.cwd()}) or be installed"
        ) from error
    found = getattr(module, class_name, None)
    if not (isinstance(found, type) and issubclass(found, Transformer)):
        raise InputError(
            f"network {name}: {class_name!r} of {module.__file__} is no subclass of "
            "tf_models.transformer.model.Transformer"
        )
    arguments = inspect.signature(Transformer).parameters.keys() - {"kwargs"}
    try:
        inspect.signature(found).bind(**dict.fromkeys(arguments), dtype=None)
    except TypeError as error:
        raise InputError(f"network {name} must take what Transformer takes: {error}") from error
    return found


def build_transformer(
    settings: TransformerSettings, tokenizers: TokenizerPair, dtype: str, network: str = ORIGINAL
) -> "TransformerModel":
    """The untrained Transformer of these settings, built; dtype is a Keras dtype policy, `network`
    the name of its class (see `network_class`).
    """
    network = network_class(network)(
        num_layers=settings.num_layers,
        d_model=settings.d_model,
        num_heads=settings.num_heads,
        dff=settings.dff,
        input_vocab_size=tokenizers.source.vocabulary_size,
        target_vocab_size=tokenizers.target.vocabulary_size,
        pe_input=settings.positions,
        pe_target=settings.positions,
        rate=settings.dropout,
        tie_embeddings=settings.tie_embeddings,
        dtype=dtype,
    )
    network.build()
    if settings.branch_scale != 1:
        scale_residual_branches(network, settings.branch_scale)
    if settings.mimetic_initialisation:
        initialise_mimetically(network)
    return TransformerModel(network)


def set_vectors(
    model: "TransformerModel", tokenizers: TokenizerPair, vectors: Sequence[np.ndarray]
) -> None:
    """Put pretrained vectors, of the source's and of the target's pieces, (pieces, d_model) each,
    in place of the random embeddings of the pieces.
    """
    stacks = (model.network.encoder, model.network.decoder)
    for stack, found in zip(stacks, vectors, strict=True):
        table = stack.embedding.embeddings
        values = table.numpy()  # (vocabulary, d_model)
        # As large as the random ones, or they would drown the positions.
        values[: len(found)] = found * (values.std() / found.std())
        table.assign(values)


class Memory(NamedTuple):
    """What the decoder reads of the sources.

    keys_and_values: the cross-attention cache: for each layer,
        (batch, key_value_heads, inp_len, depth) each.
    padding_mask: (batch, 1, 1, inp_len).
    """

    keys_and_values: list[KeysAndValues]
    padding_mask: tf.Tensor


class TransformerModel:
    """A Transformer as training, search and plotting ask for it (see `TranslationModel`).

    Of a variant `transformer` is None: what looks into the layers knows those of the article.

    Args:
        network: built.
    """

    attention_kinds = tuple(TUTORIAL_NAMES)

    def __init__(self, network: Transformer):
        self.network = network
        self.transformer = network if type(network) is Transformer else None

    def encode(self, inp: tf.Tensor) -> Memory:
        """Encode the sources once: ids (batch, inp_len)."""
        padding_mask = create_padding_mask(inp)
        enc_output, _ = self.network.encoder(inp, training=False, padding_mask=padding_mask)
        return Memory(self.network.decoder.cross_attention_caches(enc_output), padding_mask)

    def initial_state(self, memory: Memory, n: int) -> KVCaches:
        """Empty KV caches, n hypotheses a sentence: (batch, n, key_value_heads, 0, depth) each."""
        mha = self.network.decoder.dec_layers[0].mha1
        batch = tf.shape(memory.padding_mask)[0]
        empty = tf.zeros((batch, n, mha.key_value_heads, 0, mha.depth), mha.compute_dtype)
        return [(empty, empty) for _ in self.network.decoder.dec_layers]

    def step(self, suppressed_ids: Sequence[int]) -> StepFunction:
        """One token more of each hypothesis, at the cost of one token (see `TranslationModel`)."""
        decoder = self.network.decoder
        logits_of = output_layer_for_search(*self.network.output_layer(), suppressed_ids)
        mha = decoder.dec_layers[0].mha1

        def step(ids: tf.Tensor, memory: Memory, kv_caches: KVCaches) -> tuple[tf.Tensor, KVCaches]:
            batch, n = tf.unstack(tf.shape(ids))
            t = tf.shape(kv_caches[0][0])[3]

            def reshape(caches: KVCaches, *shape: int | tf.Tensor) -> KVCaches:
                return tf.nest.map_structure(lambda cache: tf.reshape(cache, shape), caches)

            # (batch * n, key_value_heads, t, depth)
            rows = reshape(kv_caches, batch * n, mha.key_value_heads, t, mha.depth)
            x, rows = decoder.step(ids, rows, memory.keys_and_values, memory.padding_mask)
            return logits_of(x), reshape(rows, batch, n, mha.key_value_heads, t + 1, mha.depth)

        return step

    def attention(self, inp: tf.Tensor, tar: tf.Tensor) -> dict[str, tf.Tensor]:
        """Weights of each kind, (batch, layers, heads, rows, columns)."""
        _, weights = self.network(inp, tar, training=False)
        layers = range(1, self.network.encoder.num_layers + 1)
        return {
            kind: tf.stack([weights[name.format(layer)] for layer in layers], axis=1)
            for kind, name in TUTORIAL_NAMES.items()
        }
