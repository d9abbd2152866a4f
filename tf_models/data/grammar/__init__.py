"""A bilingual grammar that writes English-German sentence pairs with correct German."""

from tf_models.data.grammar.toy_corpus import (
    HELD_OUT_SENTENCES,
    ToyPair,
    ToySplits,
    first_of_split,
    generate_pairs,
    toy_splits,
)

__all__ = [
    "HELD_OUT_SENTENCES",
    "ToyPair",
    "ToySplits",
    "first_of_split",
    "generate_pairs",
    "toy_splits",
]
