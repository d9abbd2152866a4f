"""The cause of attention sinks: first layers whose heads attend to the start and end tokens."""

from argparse import ArgumentParser
from collections.abc import Mapping

import numpy as np

from research.experiments.history import read_history
from research.experiments.recipe import Run, Values, chosen
from research.experiments.translators import TranslatorRecipe
from research.heads.forced_attention import forced_attention
from research.heads.sentences import embedded_corpus_of, gold_sentences
from research.heads.statistics import head_statistics
from tf_models.translation.settings import TranslatorSettings
from tf_models.translation.translate import Translator

WHOLE = "as it is"
SENTENCES = 300  # of the validation split
_ADAM = {"optimizer": "adam", "warmup_steps": 1000, "peak": 0.002}
# One change at a time, by its label in a table.
CHANGES: dict[str, Mapping[str, object]] = {
    "no weight decay": {"weight_decay": 0.0},
    "weight decay 0.5": {"weight_decay": 0.5},
    "half the learning rate": {"peak": 0.002},
    "dropout 0.1": {"dropout": 0.1},
    "Adam": _ADAM,
    "Adam, no weight decay": {**_ADAM, "weight_decay": 0.0},
}


class Sinks(TranslatorRecipe):
    name = "sinks"
    question = "what makes the heads of a first layer attend to the start and the end token?"
    examples = """\
  python -m research.experiments sinks --max-pairs 60000 --set precision=mixed_bfloat16
      seven models on the embedded corpus, minutes each
  python -m research.experiments sinks --changes "weight decay 0.5" Adam --seeds 0,1,2"""

    @classmethod
    def add_options(cls, parser: ArgumentParser) -> None:
        super().add_options(parser)
        help = f"only these of {', '.join(CHANGES)}"
        parser.add_argument("--changes", nargs="+", metavar="CHANGE", help=help)

    def settings(self) -> dict[str, TranslatorSettings]:
        whole = self.preset_settings()
        names = chosen("--changes", self.arguments.changes, CHANGES)
        changed = {name: whole.changed(**CHANGES[name]) for name in names}
        return {WHOLE: whole} | {name: one for name, one in changed.items() if one != whole}

    def measure(self, run: Run) -> Mapping[str, Values]:
        """Shares of attention from 0 to 1, the norm of what the first layer reads, and quality."""
        translator = Translator.load(run.path, "latest")
        corpus = embedded_corpus_of(run.path)
        sentences = gold_sentences(translator, "validation", SENTENCES, corpus)
        attention = list(forced_attention(translator, sentences, progress=True))
        encoder, decoder = (head_statistics(attention, kind) for kind in ("encoder", "decoder"))
        embedding = translator.model.network.encoder.embedding.embeddings.numpy()
        norms = np.linalg.norm(embedding, axis=1) * embedding.shape[1] ** 0.5
        values = {
            "encoder 1 on <start>, <end>": encoder["start_and_end"][0].mean(),
            "encoder, last layer": encoder["start_and_end"][-1].mean(),
            "decoder 1 on <start>": decoder["start_and_end"][0].mean(),
            "it -> noun, best head": encoder["noun_of_it"].max(),
            "norm of an embedded token": norms.mean(),
            "validation accuracy, %": 100 * read_history(run.path)["val_accuracy"][-1],
        }
        shown = {name: None if np.isnan(value) else float(value) for name, value in values.items()}
        return {run.label: shown}
