"""A translator's tokenizers and weights (in 16 bits) as text; web/packed.js reads them."""

import base64
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import keras
import numpy as np

from tf_models.data.tokenizers import SubwordTokenizer, TokenizerPair
from tf_models.transformer.layers import DecoderLayer, EncoderLayer
from tf_models.transformer.model import Transformer


def pack(data: bytes) -> str:
    """Deflate bytes and write them in base64."""
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def half_bytes(values: np.ndarray) -> bytes:
    """Numbers as float16, little-endian."""
    return np.ascontiguousarray(values, "<f2").tobytes()


def packed_array(values: np.ndarray) -> dict[str, Any]:
    """An array in 16 bits, with its shape."""
    return {"shape": values.shape, "data": pack(half_bytes(values))}


def packed_tokenizers(tokenizers: TokenizerPair) -> dict[str, Any]:
    """Both tokenizers, and the tables that they share, once.

    Returns:
        source, target: `pieces` and `charsmap` (names in `tables`), language, whether to lowercase
            and to keep all spaces.
        tables: packed, by name: a JSON list of pieces, or sentencepiece's table of replacements.
    """
    from sentencepiece.sentencepiece_model_pb2 import ModelProto

    tables: dict[bytes, str] = {}

    def shared(table: bytes) -> str:
        return tables.setdefault(table, f"table{len(tables)}")

    def packed(side: SubwordTokenizer) -> dict[str, Any]:
        model = ModelProto.FromString(side.model_file.read_bytes())
        # By their ids; the earlier one stands, the earlier it was merged.
        pieces = [piece.piece for piece in model.pieces]
        return {
            "pieces": shared(json.dumps(pieces, ensure_ascii=False).encode()),
            "charsmap": shared(model.normalizer_spec.precompiled_charsmap),
            "language": side.language,
            "lowercase": side.lowercase,
            "keepsSpaces": not model.normalizer_spec.remove_extra_whitespaces,
        }

    sides = {"source": packed(tokenizers.source), "target": packed(tokenizers.target)}
    return {**sides, "tables": {name: pack(table) for table, name in tables.items()}}


@contextmanager
def rounded(network: keras.Model) -> Iterator[None]:
    """Round all weights to 16 bits within the block: it is then the model of the page."""
    before = network.get_weights()
    try:
        for variable in network.trainable_variables:
            variable.assign(variable.numpy().astype(np.float16))
        yield
    finally:
        network.set_weights(before)


def packed_weights(network: Transformer) -> dict[str, Any]:
    """Names and shapes of all tensors in order, and their bytes."""
    tensors = dict(named_weights(network))
    return {
        "shapes": {name: values.shape for name, values in tensors.items()},
        "data": pack(b"".join(map(half_bytes, tensors.values()))),
    }


def named_weights(network: Transformer) -> Iterator[tuple[str, np.ndarray]]:
    """Each weight once: a table that two layers share is the encoder's."""
    yield "encoder.embedding", network.encoder.embedding.embeddings.numpy()
    if not network.tie_embeddings:
        yield "decoder.embedding", network.decoder.embedding.embeddings.numpy()
        yield "final.kernel", network.final_layer.kernel.numpy()
    yield "final.bias", network.final_layer.bias.numpy()
    for side, layers in (
        ("encoder", network.encoder.enc_layers),
        ("decoder", network.decoder.dec_layers),
    ):
        for number, layer in enumerate(layers):
            for name, part in _named_parts(layer):
                for variable in part.trainable_variables:  # kernel and bias, or gamma and beta
                    yield f"{side}.{number}.{name}.{variable.name}", variable.numpy()


def _named_parts(layer: EncoderLayer | DecoderLayer) -> Iterator[tuple[str, keras.layers.Layer]]:
    for attention in layer.attentions:
        for part in ("wq", "wk", "wv", "dense"):
            yield f"{attention.name}.{part}", getattr(attention, part)
    for number, dense in enumerate(layer.ffn.layers):
        yield f"ffn.{number}", dense
    for part in ("layernorm1", "layernorm2", "layernorm3"):
        if hasattr(layer, part):
            yield part, getattr(layer, part)
