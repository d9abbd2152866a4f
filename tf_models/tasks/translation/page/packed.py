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

from tf_models.data.text.tokenizer import SubwordTokenizer, TokenizerPair
from tf_models.errors import InputError
from tf_models.transformer.attention import MultiHeadAttention
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
        source, target: `pieces` and `charsmap` (names in `tables`), language, whether to lowercase.
        tables: packed, by name: a JSON list of pieces, or sentencepiece's table of replacements.
    """
    tables: dict[bytes, str] = {}

    def shared(table: bytes) -> str:
        return tables.setdefault(table, f"table{len(tables)}")

    sides = {
        name: {
            "pieces": shared(json.dumps(pieces_of(side), ensure_ascii=False).encode()),
            "charsmap": shared(charsmap_of(side)),
            "language": side.language,
            "lowercase": side.lowercase,
        }
        for name, side in (("source", tokenizers.source), ("target", tokenizers.target))
    }
    return {**sides, "tables": {name: pack(table) for table, name in tables.items()}}


def pieces_of(tokenizer: SubwordTokenizer) -> list[str]:
    """Pieces by their ids; the earlier one stands, the earlier it was merged."""
    return [piece.piece for piece in _model(tokenizer).pieces]


def charsmap_of(tokenizer: SubwordTokenizer) -> bytes:
    """sentencepiece's table of replacements: Unicode's NFKC and a few more."""
    return _model(tokenizer).normalizer_spec.precompiled_charsmap


def _model(tokenizer: SubwordTokenizer) -> Any:
    from sentencepiece import sentencepiece_model_pb2

    return sentencepiece_model_pb2.ModelProto.FromString(tokenizer.model_file.read_bytes())


@contextmanager
def rounded(network: keras.Model) -> Iterator[None]:
    """All weights in 16 bits within the block, so that this model is the one that the page computes
    with; behind it they are what they were.

    Raises:
        InputError: a weight is not finite in 16 bits.
    """
    before = network.get_weights()
    try:
        for variable in network.trainable_variables:
            with np.errstate(over="ignore"):
                values = variable.numpy().astype(np.float16).astype(np.float32)
            if not np.isfinite(values).all():
                raise InputError(f"the weights {variable.path} are not finite in 16 bits")
            variable.assign(values)
        yield
    finally:
        network.set_weights(before)


def size_in_16_bits(network: keras.Model) -> int:
    """Bytes that the weights take in float16."""
    return 2 * sum(int(np.prod(variable.shape)) for variable in network.trainable_variables)


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
            yield from _named_layer(f"{side}.{number}", layer)


def _named_layer(name: str, layer: Any) -> Iterator[tuple[str, np.ndarray]]:
    for attention in layer.attentions:
        yield from _named_attention(f"{name}.{attention.name}", attention)
    for number, dense in enumerate(layer.ffn.layers):
        yield from _named_dense(f"{name}.ffn.{number}", dense)
    norms = [part for part in ("layernorm1", "layernorm2", "layernorm3") if hasattr(layer, part)]
    for part in norms:
        norm = getattr(layer, part)
        yield f"{name}.{part}.gamma", norm.gamma.numpy()
        yield f"{name}.{part}.beta", norm.beta.numpy()


def _named_attention(name: str, attention: MultiHeadAttention) -> Iterator[tuple[str, np.ndarray]]:
    for part in ("wq", "wk", "wv", "dense"):
        yield from _named_dense(f"{name}.{part}", getattr(attention, part))


def _named_dense(name: str, dense: keras.layers.Dense) -> Iterator[tuple[str, np.ndarray]]:
    yield f"{name}.kernel", dense.kernel.numpy()
    yield f"{name}.bias", dense.bias.numpy()
