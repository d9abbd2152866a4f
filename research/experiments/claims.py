"""The articles' claims about the parts of the Transformer, put to the test.

Each part is taken out, or its size changed, and the model trained anew on the same pairs.
"""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING

from research.experiments.recipe import Run, Values, chosen, read_history
from research.experiments.translators import TranslatorRecipe, train_network
from tf_models.data.pairs import SentencePair
from tf_models.translation.settings import TranslatorSettings

if TYPE_CHECKING:
    from tf_models.transformer.model import Transformer
    from tf_models.translation.translate import Translator

WHOLE = "as it is"
SHORT = 16  # tokens, start and end included: about twelve words
UNSCALED, POSITIONLESS = "scores not divided by sqrt(d_k)", "without positions"
# The settings of each trial, by its label in a table, and the claims that it belongs to.
CLAIMS: dict[str, Mapping[str, Mapping[str, object]]] = {
    "scaling": {UNSCALED: {}},
    "heads": {"1 head": {"num_heads": 1}, "8 heads": {"num_heads": 8}},
    "positions": {POSITIONLESS: {}},
    "length": {f"trained on up to {SHORT} tokens": {"max_lengths": (SHORT, SHORT)}},
    "depth": {
        "1 layer": {"num_layers": 1},
        "2 layers": {"num_layers": 2},
        "4 layers": {"num_layers": 4},
        "6 layers": {"num_layers": 6},
    },
}


class Claims(TranslatorRecipe):
    """Models without sqrt(d_k), with 1 and 8 heads, without positions, trained on short sentences
    alone, and with 1 to 6 layers: minutes each on the embedded corpus.
    """

    draws = False
    name = "claims"
    question = "what is each part of the Transformer good for: is it as the articles say?"

    @classmethod
    def add_options(cls, parser: ArgumentParser) -> None:
        super().add_options(parser)
        help = f"only these of {', '.join(CLAIMS)}"
        parser.add_argument("--claims", nargs="+", metavar="CLAIM", help=help)

    def settings(self) -> dict[str, TranslatorSettings]:
        whole = self.preset_settings()
        found = {WHOLE: whole}
        for claim in chosen("--claims", self.arguments.claims, CLAIMS):
            for label, changes in CLAIMS[claim].items():
                settings = whole.changed(**changes)
                if label in (UNSCALED, POSITIONLESS) or settings != whole:
                    found[label] = settings
        return found

    def train(self, run: Run) -> None:
        train_network(run, self.corpus, self.settings()[run.label], kind_of(run.label))

    def measure(self, run: Run) -> Mapping[str, Values]:
        """Scores of the test pairs from 0 to 100, and minutes of training."""
        import research.experiments.without_a_part  # noqa: F401 - registers its classes
        from tf_models.translation.evaluate import evaluate_translator, make_bleu
        from tf_models.translation.translate import Translator

        corpus, translator = self.corpus, Translator.load(run.path)
        scores, hypotheses = evaluate_translator(translator, corpus.test)
        by_length: dict[bool, list] = {True: [], False: []}
        for pair, hypothesis in zip(corpus.test, hypotheses, strict=True):
            by_length[_is_short(translator, pair)].append((hypothesis, pair.target))
        bleu = make_bleu(corpus.target_language)
        short, long = (
            bleu.corpus_score([h for h, _ in pairs], [[r for _, r in pairs]]).score
            if pairs
            else None
            for pairs in (by_length[True], by_length[False])
        )
        values = {
            "minutes": sum(read_history(run.path)["seconds"]) / 60,
            "exact, %": scores.exact_match,
            "BLEU": scores.bleu,
            f"BLEU to {SHORT} tokens": short,
            "BLEU of longer": long,
        }
        return {run.label: values}


def kind_of(label: str) -> "type[Transformer] | None":
    """The class of a trial's Transformer; None for the article's."""
    from research.experiments.without_a_part import PositionlessTransformer, UnscaledTransformer

    return {UNSCALED: UnscaledTransformer, POSITIONLESS: PositionlessTransformer}.get(label)


def _is_short(translator: "Translator", pair: SentencePair) -> bool:
    source, target = translator.tokenizers.source, translator.tokenizers.target
    return max(len(source.encode(pair.source)), len(target.encode(pair.target))) <= SHORT
