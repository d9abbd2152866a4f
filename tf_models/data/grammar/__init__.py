"""A bilingual grammar that writes English-German sentence pairs with correct German."""

from tf_models.data.grammar.toy_corpus import (
    ARTICLE_SENTENCES,
    ToyPair,
    ToySplits,
    generate_pairs,
    pronoun_accuracy,
    pronoun_of,
    toy_splits,
)

__all__ = [
    "ARTICLE_SENTENCES",
    "ToyPair",
    "ToySplits",
    "generate_pairs",
    "pronoun_accuracy",
    "pronoun_of",
    "toy_splits",
]
