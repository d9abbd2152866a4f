"""What each ingredient of a translator's training is worth: one at a time as the article has it."""

from collections.abc import Iterable
from dataclasses import replace

from tf_models.errors import InputError
from tf_models.tasks.translation.settings import PRESETS, TranslatorSettings

# The settings that make up an ingredient. Without a common tokenizer there is neither a common
# table nor a way to read a pair the other way round.
INGREDIENTS = {
    "dropout": ("rate",),
    "word dropout": ("word_rate",),
    "BPE dropout": ("bpe_dropout",),
    "R-Drop": ("r_drop",),
    "label smoothing": ("label_smoothing",),
    "tied embeddings": ("tie_embeddings",),
    "joint BPE": ("joint", "tie_embeddings", "both_directions"),
    "both directions": ("both_directions",),
    "small initial kernels": ("residual_gain",),
    "warm-up and peak": ("schedule", "warmup_steps", "peak"),
    "batches by tokens": ("batching", "batch_size", "longest_source", "longest_target"),
}


def ablations(
    settings: TranslatorSettings, ingredients: Iterable[str] = tuple(INGREDIENTS)
) -> dict[str, TranslatorSettings]:
    """For each ingredient that differs from the article's, the settings with the article's.

    Raises:
        InputError: there is no ingredient of that name.
    """
    article = PRESETS["article"]
    without = {}
    for ingredient in ingredients:
        if ingredient not in INGREDIENTS:
            known = ", ".join(INGREDIENTS)
            raise InputError(f"an ingredient must be one of {known}; received {ingredient}")
        names = INGREDIENTS[ingredient]
        without[ingredient] = replace(settings, **{name: getattr(article, name) for name in names})
    return {ingredient: changed for ingredient, changed in without.items() if changed != settings}
