"""Translators of several architectures on one corpus: what attention is good for (lecture 7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from matplotlib.figure import Figure

from tf_models.data.text.corpora import Corpus
from tf_models.data.text.pairs import SentencePair
from tf_models.errors import InputError
from tf_models.plotting.attention import plot_attention_side_by_side
from tf_models.plotting.lines import plot_lines
from tf_models.tasks.translation.architectures import architecture
from tf_models.tasks.translation.attention import attention_maps
from tf_models.tasks.translation.evaluation import evaluate_translator
from tf_models.tasks.translation.metrics import BUCKET_WIDTH, Scores
from tf_models.tasks.translation.presets import preset
from tf_models.tasks.translation.settings import TranslatorSettings
from tf_models.tasks.translation.translator import Translator
from tf_models.tasks.translation.word_alignment import AlignmentErrors, alignment_errors
from tf_models.training.history import History
from tf_models.training.run_comparison import Frontier, best_so_far
from tf_models.training.run_directory import RunDirectory

ALIGNED_PAIRS = 300  # of validation and of test, whose alignment is looked at
FEWEST_IN_A_BUCKET = 20  # sentences, if any has as many; the BLEU of fewer is chance


@dataclass(frozen=True)
class Contender:
    """A trained translator and what was measured of it.

    scores: on the test pairs. alignment: None without cross-attention, or without gold alignments.
    bleu: of the validation pairs, best so far, by minutes of training.
    """

    translator: Translator
    scores: Scores
    alignment: AlignmentErrors | None
    bleu: Frontier
    tokens_per_second: float

    @property
    def parameters(self) -> int:
        """Numbers that training learnt."""
        return self.translator.model.network.count_params()

    def minutes_to(self, bleu: float) -> float | None:
        """Minutes of training until validation BLEU was reached; None if it never was."""
        reached = zip(self.bleu.minutes, self.bleu.values, strict=True)
        return next((minutes for minutes, value in reached if value >= bleu), None)


def contending_settings(
    name: str, models: Sequence[str], settings: Mapping[str, object]
) -> dict[str, TranslatorSettings]:
    """The settings of each model in a preset, changed as far as it knows what is changed.

    BLEU is measured after each epoch, and no run ends before the others.

    Args:
        name: of the preset.
        models: names of architectures.
        settings: that are changed, by name.
    """
    found = {}
    for model in models:
        of_model = preset(name, model)
        known = {key: value for key, value in settings.items() if key in of_model.flat()}
        changed = of_model.changed(**known)
        training = replace(changed.training, patience=changed.training.epochs)
        found[model] = replace(changed, training=training)
    return found


def measure(run_dir: Path, corpus: Corpus, *, progress: bool = False) -> Contender:
    """Measure a trained translator on a corpus.

    Raises:
        InputError: no run of a translator, or its history has no BLEU.
    """
    translator = Translator.load(run_dir)
    scores, _ = evaluate_translator(translator, corpus.test, progress=progress)
    alignment = None
    if corpus.alignments and "cross" in translator.model.attention_kinds:
        parts = [
            [pair for pair in split[:ALIGNED_PAIRS] if _fits(translator, pair)]
            for split in (corpus.validation, corpus.test)
        ]
        alignment = alignment_errors(translator, *parts, corpus.alignments, progress=progress)
    history = History(RunDirectory(run_dir).history_file).columns()
    speed = median(history["tokens_per_second"])
    return Contender(translator, scores, alignment, best_so_far(run_dir, "val_bleu"), speed)


def _fits(translator: Translator, pair: SentencePair) -> bool:
    """Whether the model has positions for both sides."""
    return translator.source.can_encode(pair.source) and translator.target.can_encode(pair.target)


def bleu_to_reach(contenders: Mapping[str, Contender]) -> float:
    """A round BLEU that all of them reached."""
    return float(int(min(one.bleu.values[-1] for one in contenders.values())))


def plot_bleu_by_length(contenders: Mapping[str, Contender]) -> Figure:
    """BLEU against source words (Cho et al. 2014, "On the properties of neural machine
    translation", figure 4; Bahdanau et al. 2015, figure 2)."""
    lines = {}
    for name, one in contenders.items():
        buckets = one.scores.bleu_by_length
        least = min(FEWEST_IN_A_BUCKET, max(n for _, n in buckets.values()))
        kept = [(_middle(words), bleu) for words, (bleu, n) in buckets.items() if n >= least]
        lines[name] = tuple(zip(*kept, strict=True))
    names = ("source words", "BLEU")
    return plot_lines(lines, axis_names=names, title="what a longer sentence costs")


def plot_bleu_by_minutes(contenders: Mapping[str, Contender]) -> Figure:
    """Validation BLEU against minutes of training."""
    lines = {name: one.bleu for name, one in contenders.items()}
    names = ("minutes of training", "validation BLEU, best so far")
    return plot_lines(lines, axis_names=names, title="what the minutes of training bring")


def plot_alignments(
    contenders: Mapping[str, Contender], sentence: str, target: str | None = None
) -> Figure:
    """Where each model that attends looks, word by word, while it writes one translation.

    Args:
        contenders: by name; those without cross-attention are left out.
        sentence: to be translated.
        target: what all of them are made to write; what the first of them writes if left out.

    Raises:
        InputError: none of them attends, or they cannot read or write the sentences.
    """
    attending = {
        name: one
        for name, one in contenders.items()
        if "cross" in one.translator.model.attention_kinds
    }
    if not attending:
        raise InputError("none of the models attends, so there is no alignment to draw")
    first = next(iter(attending.values())).translator
    if target is None:
        target = first.translate([sentence], compiled=False)[0][0].text
    maps, labels = {}, None
    for name, one in attending.items():
        found = attention_maps(one.translator, sentence, target, words=True)
        layer = one.alignment.layer if one.alignment else len(found.weights)
        maps[name] = found.weights[layer - 1].mean(axis=0)  # (target words, source words)
        labels = labels or (found.rows, found.columns)
    return plot_attention_side_by_side(maps, *labels, title="where each model looks")


def table(contenders: Mapping[str, Contender]) -> list[str]:
    """All figures as lines: a column for each model."""
    goal = bleu_to_reach(contenders)
    all_of = list(contenders.values())
    rows = {
        "parameters": [f"{one.parameters:,}" for one in all_of],
        "target tokens/s": [f"{one.tokens_per_second:,.0f}" for one in all_of],
        "minutes of training": [f"{one.bleu.minutes[-1]:.1f}" for one in all_of],
        f"minutes to BLEU {goal:g}": [_or_none(one.minutes_to(goal), ".1f") for one in all_of],
        "BLEU": [f"{one.scores.bleu:.2f}" for one in all_of],
        "exact match, %": [f"{one.scores.exact_match:.1f}" for one in all_of],
        "alignment errors, %": [
            _or_none(one.alignment and one.alignment.rate, ".1f") for one in all_of
        ],
    }
    for words in all_of[0].scores.bleu_by_length:
        count = all_of[0].scores.bleu_by_length[words][1]
        label = f"BLEU of {words} words ({count})"
        rows[label] = [f"{one.scores.bleu_by_length[words][0]:.1f}" for one in all_of]
    width = max(map(len, rows))
    head = " " * width + "".join(f"{name:>16}" for name in contenders)
    return [head, *(f"{label:{width}}" + _cells(cells) for label, cells in rows.items())]


def _cells(cells: Sequence[str]) -> str:
    return "".join(f"{cell:>16}" for cell in cells)


def _or_none(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _middle(words: str) -> float:
    """6-10 -> 8."""
    return int(words.split("-")[0]) + (BUCKET_WIDTH - 1) / 2


def check_models(names: Sequence[str]) -> None:
    """Refuse names that are no architecture, and one alone.

    Raises:
        InputError: which name, and what there is.
    """
    for name in names:
        architecture(name)
    if len(set(names)) < 2 or len(set(names)) < len(names):
        raise InputError(f"--models needs two or more different ones; received {' '.join(names)}")
