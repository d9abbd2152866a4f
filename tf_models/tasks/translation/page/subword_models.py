"""What a page needs of a sentencepiece model to cut sentences as sentencepiece does."""

import json
from typing import Any

from tf_models.data.text.tokenizer import SubwordTokenizer, TokenizerPair
from tf_models.tasks.translation.page.packed import pack


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
