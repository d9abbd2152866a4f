"""What each ingredient of a translator's training is worth: one at a time as the article has it."""

from collections.abc import Callable, Iterable
from pathlib import Path

from tf_models.data.text.corpora import Corpus
from tf_models.errors import InputError
from tf_models.tasks.translation.presets import preset
from tf_models.tasks.translation.settings import TranslatorSettings

WHOLE = "all ingredients"
Report = Callable[[str], None]

# The settings that make up an ingredient. Without a common tokenizer there is neither a common
# table nor a way to read a pair the other way round.
INGREDIENTS = {
    "dropout": ("dropout",),
    "label smoothing": ("label_smoothing",),
    "tied embeddings": ("tie_embeddings",),
    "joint BPE": ("joint", "tie_embeddings"),
    "small initial kernels": ("residual_gain",),
    "Muon": ("optimizer",),
    "weight decay": ("weight_decay",),
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
    article = preset("article", settings.architecture).flat()
    without = {}
    for ingredient in ingredients:
        if ingredient not in INGREDIENTS:
            known = ", ".join(INGREDIENTS)
            raise InputError(f"an ingredient must be one of {known}; received {ingredient}")
        names = INGREDIENTS[ingredient]
        without[ingredient] = settings.changed(**{n: article[n] for n in names if n in article})
    return {ingredient: changed for ingredient, changed in without.items() if changed != settings}


def trials(
    settings: TranslatorSettings, ingredients: Iterable[str] = tuple(INGREDIENTS)
) -> dict[str, TranslatorSettings]:
    """The settings as they are, and without each ingredient, by what a table calls them.

    Raises:
        InputError: there is no ingredient of that name.
    """
    without = ablations(settings, ingredients)
    return {WHOLE: settings} | {f"without {name}": changed for name, changed in without.items()}


def measure_trial(
    name: str, run_dir: Path, corpus: Corpus, settings: TranslatorSettings, report: Report = print
) -> dict[str, float]:
    """Validation BLEU of a trial; of the whole one, also without what belongs to decoding.

    Returns:
        by row of the table: BLEU, 0 to 100.
    """
    from tf_models.tasks.translation.decoding_options import DecodingOptions
    from tf_models.tasks.translation.evaluation import DecodingTrials

    trials = DecodingTrials.of_run(run_dir, corpus.validation)
    averaged, beam_size = settings.training.averaged, settings.decoding.beam_size
    checkpoint = "average" if averaged else "latest"
    rows = {name: DecodingOptions(checkpoint, beam_size)}
    if name == WHOLE and beam_size > 1:
        rows["without beam search"] = DecodingOptions(checkpoint)
    if name == WHOLE and averaged:  # last: another checkpoint is loaded for it
        # Not the best one: it was chosen by the very score that is measured here.
        rows["without averaging"] = DecodingOptions("latest", beam_size)
    found = {row: trials.bleu(decoding) for row, decoding in rows.items()}
    for row, value in found.items():
        report(f"validation BLEU {value:.2f}: {row}")
    return found
