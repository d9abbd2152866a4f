"""A trained translator in the format of CTranslate2, which translates without TensorFlow."""

import importlib
from pathlib import Path
from typing import Any

import keras
import numpy as np

from tf_models.data.tokenizers import SubwordTokenizer, TokenizerPair
from tf_models.errors import InputError
from tf_models.ids import PADDING_ID
from tf_models.transformer.attention import MultiHeadAttention
from tf_models.transformer.model import Decoder, Encoder, Transformer
from tf_models.translation.export.saved_model import save_tokenizers
from tf_models.translation.model import inner_transformer
from tf_models.translation.translate import Translator

# Sentencepiece writes a space as ▁, so no piece of a text has these names, known or unknown.
PADDING, START, END = "<padding only>", "<start of sentence>", "<end of sentence>"
UNKNOWN = "<unk>"  # sentencepiece's own name, which it decodes
SUPPRESSED_LOGIT = -6e4  # a logit whose exp() is 0; float16 ends at -65504


def export_ctranslate2(translator: Translator, folder: Path, quantization: str = "float32") -> None:
    """Write a model that `ctranslate2.Translator(folder)` loads, and its tokenizers, into an empty
    folder.

    The model adds start and end to a source by itself: it is given pieces, and returns pieces. The
    quantization, one of CTranslate2's names ("int8"), says how weights are stored. Raises
    InputError: CTranslate2 is not installed, or PyTorch, which it needs for bfloat16; the model is
    no Transformer, or a variant; or its weights are not finite.
    """
    network = inner_transformer(translator.model)
    if network is None:
        name = type(translator.model.network).__name__
        raise InputError(
            f"CTranslate2 is given the article's Transformer only; this is a {name}. "
            "Export it with --format saved-model"
        )
    for package in ("ctranslate2", *(["torch"] if "bfloat16" in quantization else [])):
        try:
            importlib.import_module(package)
        except ImportError as error:
            raise InputError(
                f"the package {package} is not installed; run: pip install {package}"
            ) from error
    spec = transformer_spec(network, translator.tokenizers)
    spec.validate()
    spec.optimize(quantization)
    spec.save(str(folder))
    save_tokenizers(translator, folder, format="ctranslate2", quantization=quantization)


def transformer_spec(model: Transformer, tokenizers: TokenizerPair) -> Any:
    """The model as a `ctranslate2.specs.TransformerSpec`: weights, vocabularies, settings."""
    from ctranslate2.specs import Activation, TransformerSpec  # imports PyTorch

    spec = TransformerSpec.from_config(
        len(model.encoder.enc_layers),
        model.encoder.num_heads,
        pre_norm=False,
        activation=Activation.RELU,
    )
    _set_encoder(spec.encoder, model)
    _set_decoder(spec.decoder, model)
    # Left out of the softmax, as by `BeamSearch`.
    suppressed = [PADDING_ID, tokenizers.target.start_id]
    spec.decoder.projection.bias[suppressed] = SUPPRESSED_LOGIT
    spec.register_source_vocabulary(vocabulary(tokenizers.source))
    spec.register_target_vocabulary(vocabulary(tokenizers.target))
    config = spec.config
    config.layer_norm_epsilon = model.encoder.enc_layers[0].layernorm1.epsilon
    config.unk_token, config.bos_token, config.eos_token = UNKNOWN, START, END
    config.decoder_start_token = START
    config.add_source_bos = config.add_source_eos = True
    return spec


def vocabulary(tokenizer: SubwordTokenizer) -> list[str]:
    """A name of its own for every id: the pieces, and four that no piece can have."""
    tokens = tokenizer.tokens(range(tokenizer.vocabulary_size))  # id 1 is UNKNOWN there, too
    tokens[PADDING_ID] = PADDING
    tokens[tokenizer.start_id], tokens[tokenizer.end_id] = START, END
    return tokens


def _set_encoder(spec: Any, model: Transformer) -> None:
    # (input_vocab_size, d_model)
    spec.embeddings[0].weight = model.encoder.embedding.embeddings.numpy()
    _set_scale_and_positions(spec, model.encoder)
    for layer_spec, layer in zip(spec.layer, model.encoder.enc_layers, strict=True):
        _set_self_attention(layer_spec.self_attention, layer.mha, layer.layernorm1)
        _set_feed_forward(layer_spec.ffn, layer.ffn, layer.layernorm2)


def _set_decoder(spec: Any, model: Transformer) -> None:
    # (target_vocab_size, d_model)
    spec.embeddings.weight = model.decoder.embedding.embeddings.numpy()
    kernel, bias = model.final_layer.kernel_and_bias()
    spec.projection.weight, spec.projection.bias = kernel.numpy().T, bias.numpy()
    _set_scale_and_positions(spec, model.decoder)
    for layer_spec, layer in zip(spec.layer, model.decoder.dec_layers, strict=True):
        _set_self_attention(layer_spec.self_attention, layer.mha1, layer.layernorm1)
        attention, mha = layer_spec.attention, layer.mha2
        _set_linear(attention.linear[0], mha.wq)
        _set_linear(attention.linear[1], mha.wk, mha.wv)
        _set_linear(attention.linear[2], mha.dense)
        _set_layer_norm(attention.layer_norm, layer.layernorm2)
        _set_feed_forward(layer_spec.ffn, layer.ffn, layer.layernorm3)


def _set_scale_and_positions(spec: Any, stack: Encoder | Decoder) -> None:
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
    """One layer, or several that read the same input, side by side: (units, inputs), (units,)."""
    spec.weight = np.concatenate([layer.kernel.numpy().T for layer in layers])
    spec.bias = np.concatenate([layer.bias.numpy() for layer in layers])


def _set_layer_norm(spec: Any, layer_norm: keras.layers.LayerNormalization) -> None:
    spec.gamma, spec.beta = layer_norm.gamma.numpy(), layer_norm.beta.numpy()
