"""Export of a trained translator: as a SavedModel, and for CTranslate2.

TensorFlow loads a SavedModel without this package; CTranslate2 translates without TensorFlow.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from tf_models.data.tokenizers import SubwordTokenizer, TokenizerPair
from tf_models.errors import InputError, StrPath
from tf_models.files import write_text
from tf_models.ids import PADDING_ID, UNKNOWN_ID
from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.model import Decoder, Encoder, Transformer
from tf_models.translation.translate import LENGTH_PENALTY, Translator

BEAM_SIZE = 4  # as Vaswani et al. (2017) use it
# Sentencepiece writes a space as ▁, so no piece of a text has these names, known or unknown.
PADDING = "<padding only>"
START = "<start of sentence>"
END = "<end of sentence>"
UNKNOWN = "<unk>"  # sentencepiece's own name, which it decodes
SUPPRESSED_LOGIT = -6e4  # a logit whose exp() is 0; float16 ends at -65504


def export_saved_model(
    translator: Translator,
    folder: StrPath,
    beam_size: int = BEAM_SIZE,
    length_penalty: float = LENGTH_PENALTY,
) -> None:
    """Write a SavedModel with three signatures, and its tokenizers.

    "greedy" and "beam_search" take source ids (batch, len), int32, from start to end id, padded
    with 0, and return

    - ids, (batch, n, len), best first, after the start id, padded behind the end id;
    - scores, (batch, n), log-probability in nats, divided by the length penalty.

    n is 1 for "greedy", which has no length penalty, and `beam_size` for "beam_search". "logits" is
    the model itself, for one sentence: inp (1, len) and tar (1, tar_len), int32, to `logits`
    (1, tar_len, target_vocab_size). LiteRT can convert it.

    Args:
        translator: loaded.
        folder: exists, empty.
        beam_size: hypotheses kept.
        length_penalty: alpha of the beam search.
    """
    module = tf.Module()
    module.weights = [variable.value for variable in translator.model.network.weights]
    signatures = {
        "greedy": _search_function(translator, 1, 0.0),
        "beam_search": _search_function(translator, beam_size, length_penalty),
        "logits": _logits_function(translator),
    }
    for name, function in signatures.items():
        setattr(module, name, function)
    tf.saved_model.save(module, str(folder), signatures)
    options = {"beam_size": beam_size, "length_penalty": length_penalty}
    _save_tokenizers(translator, folder, format="saved-model", **options)


def _search_function(translator: Translator, beam_size: int, length_penalty: float) -> Callable:
    @tf.function(input_signature=[tf.TensorSpec((None, None), tf.int32, name="ids")])
    def search(ids: tf.Tensor) -> dict[str, tf.Tensor]:
        return translator.search(beam_size, ids, length_penalty)._asdict()  # ids and scores

    return search


def _logits_function(translator: Translator) -> Callable:
    sides = [tf.TensorSpec((1, None), tf.int32, name=name) for name in ("inp", "tar")]

    @tf.function(input_signature=sides)
    def compute(inp: tf.Tensor, tar: tf.Tensor) -> dict[str, tf.Tensor]:
        logits, _ = translator.model.network(inp, tar, training=False)
        return {"logits": logits}

    return compute


def _save_tokenizers(translator: Translator, folder: StrPath, **options: Any) -> None:
    """Write source.model, target.model, and translator.json with `options`."""

    def describe(tokenizer: SubwordTokenizer) -> dict[str, Any]:
        # lowercase: with a 0 for every digit, as BPEmb has it
        names = ("language", "lowercase", "pieces", "start_id", "end_id")
        return {name: getattr(tokenizer, name) for name in names}

    translator.tokenizers.copy_to(folder)
    description = {
        **options,
        "source": describe(translator.tokenizers.source),
        "target": describe(translator.tokenizers.target),
        "padding_id": PADDING_ID,
        "unknown_id": UNKNOWN_ID,
        "max_source_length": translator.max_length,  # ids, start and end included
        "max_target_length": translator.max_length - 1,  # ids after the start, the end included
    }
    write_text(Path(folder, "translator.json"), json.dumps(description, indent=2) + "\n")


def export_ctranslate2(
    translator: Translator, folder: StrPath, quantization: str = "float32"
) -> None:
    """Write a CTranslate2 model, and its tokenizers.

    `ctranslate2.Translator(folder)` loads it. The model adds start and end to a source by itself:
    its input and output are pieces.

    Args:
        translator: of the article's Transformer.
        folder: exists, empty.
        quantization: number format of stored weights, one of CTranslate2's names ("int8").

    Raises:
        InputError: CTranslate2 is not installed, or the model is recurrent or a variant.
    """
    network = translator.article_transformer("--format ctranslate2")
    try:
        spec = transformer_spec(network, translator.tokenizers)
    except ImportError as error:
        raise InputError("CTranslate2 is not installed; run: pip install ctranslate2") from error
    spec.validate()
    spec.optimize(quantization)
    spec.save(str(folder))
    _save_tokenizers(translator, folder, format="ctranslate2", quantization=quantization)


def transformer_spec(model: Transformer, tokenizers: TokenizerPair) -> Any:
    """Weights and vocabularies as a `ctranslate2.specs.TransformerSpec`."""
    from ctranslate2 import specs  # an optional package

    encoder_layers = len(model.encoder.enc_layers)
    heads = model.encoder.num_heads
    spec = specs.TransformerSpec.from_config(
        encoder_layers, heads, pre_norm=False, activation=specs.Activation.RELU
    )
    encoder, decoder = spec.encoder, spec.decoder
    _set_embeddings(encoder.embeddings[0], encoder, model.encoder)
    for to, layer in zip(encoder.layer, model.encoder.enc_layers, strict=True):
        _set_self_attention(to.self_attention, layer.mha, layer.layernorm1)
        _set_feed_forward(to.ffn, layer.ffn, layer.layernorm2)
    _set_embeddings(decoder.embeddings, decoder, model.decoder)
    for to, layer in zip(decoder.layer, model.decoder.dec_layers, strict=True):
        _set_self_attention(to.self_attention, layer.mha1, layer.layernorm1)
        _set_linear(to.attention.linear[0], layer.mha2.wq)
        _set_linear(to.attention.linear[1], layer.mha2.wk, layer.mha2.wv)
        _set_linear(to.attention.linear[2], layer.mha2.dense)
        _set_layer_norm(to.attention.layer_norm, layer.layernorm2)
        _set_feed_forward(to.ffn, layer.ffn, layer.layernorm3)
    kernel, bias = model.final_layer.kernel_and_bias()
    decoder.projection.weight = kernel.numpy().T
    decoder.projection.bias = bias.numpy()
    # Left out of the softmax, as by `BeamSearch`.
    decoder.projection.bias[[PADDING_ID, tokenizers.target.start_id]] = SUPPRESSED_LOGIT
    spec.register_source_vocabulary(vocabulary(tokenizers.source))
    spec.register_target_vocabulary(vocabulary(tokenizers.target))
    config = spec.config
    config.layer_norm_epsilon = model.encoder.enc_layers[0].layernorm1.epsilon
    config.unk_token = UNKNOWN
    config.bos_token = START
    config.eos_token = END
    config.decoder_start_token = START
    config.add_source_bos = config.add_source_eos = True
    return spec


def vocabulary(tokenizer: SubwordTokenizer) -> list[str]:
    """Unique names of all ids: the pieces, and four that no piece can have."""
    tokens = tokenizer.tokens(range(tokenizer.vocabulary_size))  # id 1 is UNKNOWN there, too
    tokens[PADDING_ID] = PADDING
    tokens[tokenizer.start_id] = START
    tokens[tokenizer.end_id] = END
    return tokens


def _set_embeddings(embeddings: Any, spec: Any, stack: Encoder | Decoder) -> None:
    embeddings.weight = stack.embedding.embeddings.numpy()  # (vocabulary, d_model)
    spec.scale_embeddings = True  # times sqrt(d_model)
    # CTranslate2's own table has all sines before all cosines.
    spec.position_encodings.encodings = stack.pos_encoding[0].numpy()  # (positions, d_model)


def _set_self_attention(
    spec: Any, mha: MultiHeadAttention, layer_norm: keras.layers.LayerNormalization
) -> None:
    _set_linear(spec.linear[0], mha.wq, mha.wk, mha.wv)
    _set_linear(spec.linear[1], mha.dense)
    _set_layer_norm(spec.layer_norm, layer_norm)


def _set_feed_forward(
    spec: Any, ffn: keras.Sequential, layer_norm: keras.layers.LayerNormalization
) -> None:
    hidden, output = ffn.layers
    _set_linear(spec.linear_0, hidden)
    _set_linear(spec.linear_1, output)
    _set_layer_norm(spec.layer_norm, layer_norm)


def _set_linear(spec: Any, *layers: keras.layers.Dense) -> None:
    """Join layers with the same input: weight (units, inputs), bias (units,)."""
    spec.weight = np.concatenate([layer.kernel.numpy().T for layer in layers])
    spec.bias = np.concatenate([layer.bias.numpy() for layer in layers])


def _set_layer_norm(spec: Any, layer_norm: keras.layers.LayerNormalization) -> None:
    spec.gamma = layer_norm.gamma.numpy()
    spec.beta = layer_norm.beta.numpy()
