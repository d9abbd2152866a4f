"""What the articles say that a part of the Transformer is good for, put to the test.

Each part is taken out, or its size changed, and the model trained anew on the same pairs.
"""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence

from research.experiments.recipe import Run, Values, chosen
from research.experiments.translators import TranslatorRecipe, settings_from
from research.options import Parser
from tf_models.data.text.pairs import SentencePair
from tf_models.errors import InputError
from tf_models.tasks.translation.settings import TranslatorSettings

WHOLE = "as it is"
SHORT = 16  # tokens, start and end included: about twelve words
_WITHOUT = "research.experiments.without_a_part"
# The settings of each trial, by what a table calls it, and the claims that it belongs to.
CLAIMS: dict[str, Mapping[str, Mapping[str, object]]] = {
    "scaling": {
        "scores not divided by sqrt(d_k)": {"architecture": f"{_WITHOUT}:UnscaledTransformer"}
    },
    "heads": {"1 head": {"num_heads": 1}, "8 heads": {"num_heads": 8}},
    "positions": {"without positions": {"architecture": f"{_WITHOUT}:PositionlessTransformer"}},
    "length": {f"trained on up to {SHORT} tokens": {"max_lengths": (SHORT, SHORT)}},
    "depth": {
        "1 layer": {"num_layers": 1},
        "2 layers": {"num_layers": 2},
        "4 layers": {"num_layers": 4},
        "6 layers": {"num_layers": 6},
    },
}


class Claims(TranslatorRecipe):
    name = "claims"
    question = "what is each part of the Transformer good for: is it as the articles say?"
    examples = """\
  python -m research.experiments claims
      nine models on the embedded corpus, minutes each, an hour and a half together
  python -m research.experiments claims --claims depth --epochs 1 --max-pairs 20000
  python -m research.experiments claims --claims scaling positions --seeds 0,1,2
Trained without sqrt(d_k), with 1 and 8 heads, without positions, on short sentences alone, and
with 1 to 6 layers."""

    def make_parser(self) -> Parser:
        parser = super().make_parser()
        parser.add_argument(
            "--claims", nargs="+", metavar="CLAIM", help=f"only these of {', '.join(CLAIMS)}"
        )
        return parser

    def settings(self, arguments: Namespace) -> dict[str, TranslatorSettings]:
        whole = settings_from(arguments)
        if whole.architecture != "transformer":
            raise InputError(f"--model must be transformer; received {whole.architecture}")
        found = {WHOLE: whole}
        for claim in chosen("--claims", arguments.claims, CLAIMS):
            for label, changes in CLAIMS[claim].items():
                settings = whole.changed(**changes)
                if settings != whole:
                    found[label] = settings
        return found

    def measurement(self, arguments: Namespace) -> Callable[[Run], Mapping[str, Values]]:
        corpus = self.corpus(arguments)
        return lambda run: {run.label: measure(run, corpus)}


def measure(run: Run, corpus) -> Values:
    """Scores of the test pairs from 0 to 100, and minutes of training."""
    from tf_models.tasks.translation.evaluation import evaluate_translator, make_bleu
    from tf_models.tasks.translation.translator import Translator
    from tf_models.training.run_directory import History, RunDirectory

    translator = Translator.load(run.path)
    scores, hypotheses = evaluate_translator(
        translator, corpus.test, metrics=corpus.metrics, progress=True
    )
    bleu = make_bleu(corpus.target_language)

    def bleu_of(pairs: Sequence[tuple[SentencePair, str]]) -> float | None:
        if not pairs:
            return None
        return bleu.corpus_score([h for _, h in pairs], [[p.target for p, _ in pairs]]).score

    by_length: dict[bool, list] = {True: [], False: []}
    for pair, hypothesis in zip(corpus.test, hypotheses, strict=True):
        by_length[_is_short(translator, pair)].append((pair, hypothesis))
    seconds = History(RunDirectory(run.path).history_file).columns()["seconds"]
    return {
        "minutes": sum(seconds) / 60,
        "exact, %": scores.exact_match,
        "BLEU": scores.bleu,
        f"BLEU to {SHORT} tokens": bleu_of(by_length[True]),
        "BLEU of longer": bleu_of(by_length[False]),
        **{metric.label: value for metric, (value, _) in scores.of_corpus.items()},
    }


def _is_short(translator, pair: SentencePair) -> bool:
    read, write = translator.tokenizers.source, translator.tokenizers.target
    return max(len(read.encode(pair.source)), len(write.encode(pair.target))) <= SHORT
