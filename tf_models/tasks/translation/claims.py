"""What the articles say that a part of the Transformer is good for, put to the test.

Each part is taken out, or its size changed, and the model trained anew on the same pairs.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tf_models.data.text.corpora import Corpus
from tf_models.data.text.pairs import SentencePair
from tf_models.errors import InputError
from tf_models.tasks.translation.architectures import ARCHITECTURES, architecture, register
from tf_models.tasks.translation.settings import TranslatorSettings

WHOLE = "as it is"
SHORT = 16  # tokens, start and end included: about twelve words
UNSCALED, POSITIONLESS = "transformer-unscaled", "transformer-positionless"

# The settings of each trial, by what a table calls it, and the claims that it belongs to.
TRIALS: dict[str, Mapping[str, Mapping[str, object]]] = {
    "scaling": {"scores not divided by sqrt(d_k)": {"architecture": UNSCALED}},
    "heads": {"1 head": {"num_heads": 1}, "8 heads": {"num_heads": 8}},
    "positions": {"without positions": {"architecture": POSITIONLESS}},
    "length": {
        f"trained on up to {SHORT} tokens": {"longest_source": SHORT, "longest_target": SHORT}
    },
    "depth": {
        "1 layer": {"num_layers": 1},
        "2 layers": {"num_layers": 2},
        "4 layers": {"num_layers": 4},
        "6 layers": {"num_layers": 6},
    },
}


def trials_of(
    settings: TranslatorSettings, claims: Collection[str] = tuple(TRIALS)
) -> dict[str, TranslatorSettings]:
    """The settings as they are and those of each trial that differs, by what a table calls them.

    Raises:
        InputError: there is no such claim, or the model is no plain Transformer.
    """
    if settings.architecture != "transformer":
        raise InputError(f"--model must be transformer; received {settings.architecture}")
    found = {WHOLE: settings}
    for claim in claims:
        if claim not in TRIALS:
            raise InputError(f"a claim must be one of {', '.join(TRIALS)}; received {claim}")
        for name, changes in TRIALS[claim].items():
            changed = dict(changes)
            model = changed.pop("architecture", settings.architecture)
            found[name] = replace(settings.changed(**changed), architecture=model)
    return {name: one for name, one in found.items() if name == WHOLE or one != settings}


@contextmanager
def known_variants() -> Iterator[None]:
    """Transformers without a part are architectures meanwhile, to train and to measure.

    Not for good: what exports or explains a Transformer would take them for whole ones.
    """
    plain = architecture("transformer")
    for name in (UNSCALED, POSITIONLESS):
        register(name, replace(plain, build=_builder(name)))
    try:
        yield
    finally:
        for name in (UNSCALED, POSITIONLESS):
            del ARCHITECTURES[name]


def _builder(name: str):
    def build(settings, tokenizers, dtype):
        from tf_models.tasks.translation.transformer_model import build_transformer
        from tf_models.transformer import variants

        network_class = {
            UNSCALED: variants.UnscaledTransformer,
            POSITIONLESS: variants.PositionlessTransformer,
        }[name]
        return build_transformer(settings, tokenizers, dtype, network_class)

    return build


@dataclass(frozen=True)
class TrialScores:
    """One trained trial on the test pairs: scores from 0 to 100, None where no pair shows them.

    minutes: of training. bleu_short: of pairs of up to `SHORT` tokens on both sides; bleu_long: of
    the others. of_corpus: what only this corpus can be measured by, by its label.
    """

    minutes: float
    exact_match: float
    bleu: float
    bleu_short: float | None
    bleu_long: float | None
    of_corpus: Mapping[str, float | None]

    def cells(self) -> dict[str, float | None]:
        """By the heading of a column."""
        return {
            "minutes": self.minutes,
            "exact, %": self.exact_match,
            "BLEU": self.bleu,
            f"BLEU to {SHORT} tokens": self.bleu_short,
            "BLEU of longer": self.bleu_long,
            **self.of_corpus,
        }


def measure_trial(run_dir: Path, corpus: Corpus, *, progress: bool = False) -> TrialScores:
    """Translate the test pairs with a trained trial."""
    from tf_models.tasks.translation.evaluation import evaluate_translator
    from tf_models.tasks.translation.metrics import make_bleu
    from tf_models.tasks.translation.translator import Translator
    from tf_models.training.history import History
    from tf_models.training.run_directory import RunDirectory

    translator = Translator.load(run_dir)
    scores, hypotheses = evaluate_translator(
        translator, corpus.test, metrics=corpus.metrics, progress=progress
    )
    bleu = make_bleu(corpus.target_language)

    def bleu_of(pairs: Sequence[tuple[SentencePair, str]]) -> float | None:
        if not pairs:
            return None
        return bleu.corpus_score([h for _, h in pairs], [[p.target for p, _ in pairs]]).score

    sides: dict[bool, list] = {True: [], False: []}
    for pair, hypothesis in zip(corpus.test, hypotheses, strict=True):
        sides[_is_short(translator, pair)].append((pair, hypothesis))
    seconds = History(RunDirectory(run_dir).history_file).columns()["seconds"]
    return TrialScores(
        sum(seconds) / 60,
        scores.exact_match,
        scores.bleu,
        bleu_of(sides[True]),
        bleu_of(sides[False]),
        {metric.label: value for metric, (value, _) in scores.of_corpus.items()},
    )


def _is_short(translator, pair: SentencePair) -> bool:
    read, write = translator.tokenizers.source, translator.tokenizers.target
    return max(len(read.encode(pair.source)), len(write.encode(pair.target))) <= SHORT


class Softmax(NamedTuple):
    """What softmax makes of dot products of one size.

    spread: standard deviation of the scores. largest: mean of the largest weight in a row.
    gradient: mean of the norm of d softmax / d scores, the Jacobian of a row.
    """

    spread: float
    largest: float
    gradient: float


def dot_products(
    depth: int, *, scaled: bool, queries: int = 2000, keys: int = 20, seed: int = 0
) -> Softmax:
    """Queries and keys of independent normal numbers, as Vaswani et al. (2017), section 3.2.1,
    footnote 4, suppose them.

    Args:
        depth: d_k.
        scaled: whether the scores are divided by its root.
        queries, keys: how many rows, and how many keys in each.
        seed: of the numbers.
    """
    random = np.random.default_rng(seed)
    q = random.normal(size=(queries, 1, depth))
    k = random.normal(size=(queries, keys, depth))
    scores = (q * k).sum(axis=-1)  # (queries, keys)
    if scaled:
        scores /= np.sqrt(depth)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    # diag(w) - w w^T has the squared norm sum w^2 - 2 sum w^3 + (sum w^2)^2.
    squares = (weights**2).sum(axis=-1)
    norm = np.sqrt(np.maximum(squares - 2 * (weights**3).sum(axis=-1) + squares**2, 0))
    return Softmax(float(scores.std()), float(weights.max(axis=-1).mean()), float(norm.mean()))
