"""The presets: settings to start from, for the embedded corpus, the article and real sentences."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from tf_models.data.text.corpora import EMBEDDED
from tf_models.errors import InputError
from tf_models.tasks.translation.architectures import architecture
from tf_models.tasks.translation.settings import (
    BatchingSettings,
    DecodingSettings,
    OptimizerSettings,
    TokenizerSettings,
    TrainingSettings,
    TranslatorSettings,
)

_MUON = OptimizerSettings(optimizer="muon", schedule="cosine", warmup_steps=300, peak=0.004)

# All but the model's settings, which its architecture knows.
PRESETS = {
    # Small and quick: a few minutes on two cores for the corpus of the same name.
    "toy": TranslatorSettings(
        tokenizer=TokenizerSettings("joint", pieces=2500),
        batching=BatchingSettings(batch_tokens=1024, max_lengths=(64, 64), padded=False),
        # Weight decay keeps embeddings short: names are copied, not learnt by heart.
        optimizer=replace(_MUON, weight_decay=0.25),
        training=TrainingSettings(epochs=3),
    ),
    "article": TranslatorSettings(),
    # For real sentences, few of them: what small-data translation is known to need.
    "best": TranslatorSettings(
        tokenizer=TokenizerSettings("joint", pieces=14_000),
        batching=BatchingSettings(batch_tokens=2048, max_lengths=(100, 100), padded=False),
        optimizer=replace(_MUON, weight_decay=0.5),
        training=TrainingSettings(epochs=60, average_last_n=10, label_smoothing=0.1),
        decoding=DecodingSettings(beam_size=5),
    ),
}

PAIRS_READ = 60_000  # in all epochs, at least: of a small corpus an epoch is a few steps

# Of a training that starts from a trained run, whose other settings it keeps.
FINE_TUNING = {
    **vars(replace(_MUON, warmup_steps=20, peak=0.0005)),
    "epochs": 10,
    "patience": 0,
    "average_last_n": 0,
    "precision": "float32",
    "pretrained_vectors": False,
}


def preset_for(corpora: Sequence[str]) -> tuple[str, str]:
    """Name of the preset that suits corpora (see `load_corpora`), and why, for the reader."""
    if any(name in EMBEDDED for name in corpora):
        return "toy", "which suits the package's corpora"
    return "best", "which suits sentences of one's own"


def epochs_for(settings: TranslatorSettings, pairs: int) -> TranslatorSettings:
    """The settings of a preset, with more epochs where its own would read a corpus of so few pairs
    too seldom.
    """
    return settings.changed(epochs=max(settings.training.epochs, ceil(PAIRS_READ / pairs)))


def preset(name: str, model: str = "transformer") -> TranslatorSettings:
    """The settings called `name`, for an architecture; an InputError if there is no such one."""
    if name not in PRESETS:
        raise InputError(f"preset must be one of {', '.join(PRESETS)}; received {name!r}")
    chosen = architecture(model)
    settings = replace(PRESETS[name], architecture=model, model=chosen.settings_for(name))
    return settings.changed(**chosen.overrides.get(name, {}))
