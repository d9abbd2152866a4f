"""What a page carries of a translator: tokenizers, and weights in 16 bits, as text.

Bytes are deflated and written in base64; web/packed.js reads them.
"""

import base64
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import keras
import numpy as np

from tf_models.data.text.normalization import PLAIN_MARKS
from tf_models.data.text.tokenizer import SubwordTokenizer, TokenizerPair
from tf_models.training.checkpoints import check_finite
from tf_models.transformer.layers import DecoderLayer, EncoderLayer
from tf_models.transformer.model import Transformer


def pack(data: bytes) -> str:
    """Deflated bytes in base64."""
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def half_bytes(values: np.ndarray) -> bytes:
    """Numbers as float16, little-endian."""
    return np.ascontiguousarray(values, "<f2").tobytes()


def packed_tokenizers(tokenizers: TokenizerPair) -> dict[str, Any]:
    """Both tokenizers, and the tables that they share, once.

    Returns:
        source, target: `pieces` and `charsmap` (names in `tables`), language, whether to lowercase
            and to keep single spaces only.
        tables: packed, by name: a JSON list of pieces, or sentencepiece's table of replacements.
        plainMarks: `PLAIN_MARKS`.
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
            "singleSpaced": model.normalizer_spec.remove_extra_whitespaces,
        }

    sides = {"source": packed(tokenizers.source), "target": packed(tokenizers.target)}
    packed_tables = {name: pack(table) for table, name in tables.items()}
    return {**sides, "tables": packed_tables, "plainMarks": PLAIN_MARKS}


def packed_training(known_words: frozenset[str]) -> dict[str, Any]:
    """The words of the training sentences packed, with spaces between them, or None."""
    words = pack(" ".join(sorted(known_words)).encode()) if known_words else None
    return {"longest": 1_000_000, "neverMet": "", "words": words}


@contextmanager
def rounded(network: keras.Model) -> Iterator[None]:
    """All weights in 16 bits within the block, so that this model is the one that the page computes
    with; behind it they are what they were.

    Raises:
        InputError: a weight is not finite in 16 bits.
    """
    before = network.get_weights()
    try:
        check_finite(network, half=True)
        for variable in network.trainable_variables:
            variable.assign(variable.numpy().astype(np.float16))
        yield
    finally:
        network.set_weights(before)


def packed_weights(network: Transformer) -> dict[str, Any]:
    """Names and shapes of all tensors in order, their bytes, and the bytes' CRC-32."""
    tensors = dict(named_weights(network))
    data = b"".join(half_bytes(values) for values in tensors.values())
    return {
        "shapes": {name: values.shape for name, values in tensors.items()},
        "checksum": zlib.crc32(data),
        "data": pack(data),
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
