"""What makes the heads of a first layer rest on the start and the end token, put to the test."""

from argparse import Namespace
from collections.abc import Callable, Mapping

from research.experiments.recipe import Run, Values, chosen
from research.experiments.translators import TranslatorRecipe, settings_from
from research.options import Parser
from tf_models.tasks.translation.settings import TranslatorSettings

WHOLE = "as it is"
SENTENCES = 300  # of the validation split
# What is changed, one thing at a time, by what a table calls it.
CHANGES: dict[str, Mapping[str, object]] = {
    "weight decay 0.2": {"weight_decay": 0.2},
    "weight decay 0.5": {"weight_decay": 0.5},
    "half the learning rate": {"peak": 0.002},
    "dropout 0.1": {"dropout": 0.1},
    "label smoothing 0.1": {"label_smoothing": 0.1},
    "full initial kernels": {"branch_scale": 1.0},
    "Adam": {"optimizer": "adam", "warmup_steps": 1000, "peak": 0.002},
    "Adam, weight decay 0.5": {
        "optimizer": "adam",
        "warmup_steps": 1000,
        "peak": 0.002,
        "weight_decay": 0.5,
    },
}


class Sinks(TranslatorRecipe):
    name = "sinks"
    question = "what makes the heads of a first layer rest on the start and the end token?"
    examples = """\
  python -m research.experiments sinks --epochs 3 --max-pairs 60000 --precision mixed_bfloat16
      nine models on the embedded corpus, minutes each
  python -m research.experiments sinks --changes "weight decay 0.5" Adam --seeds 0,1,2"""
    names_model = False

    def make_parser(self) -> Parser:
        parser = super().make_parser()
        parser.set_defaults(architecture="transformer")
        parser.add_argument(
            "--changes", nargs="+", metavar="CHANGE", help=f"only these of {', '.join(CHANGES)}"
        )
        return parser

    def settings(self, arguments: Namespace) -> dict[str, TranslatorSettings]:
        whole = settings_from(arguments)
        names = chosen("--changes", arguments.changes, CHANGES)
        changed = {name: whole.changed(**CHANGES[name]) for name in names}
        return {WHOLE: whole} | {name: one for name, one in changed.items() if one != whole}

    def measurement(self, arguments: Namespace) -> Callable[[Run], Mapping[str, Values]]:
        return lambda run: {run.label: measure(run)}


def measure(run: Run) -> Values:
    """Shares of attention from 0 to 1, the length of what the first layer reads, and quality."""
    import numpy as np

    from research.heads.forced_attention import forced_attention
    from research.heads.sentences import embedded_corpus_of, gold_sentences
    from research.heads.statistics import head_statistics
    from tf_models.tasks.translation.translator import Translator
    from tf_models.training.run_directory import History, RunDirectory

    translator = Translator.load(run.path, "latest")
    sentences = gold_sentences(translator, "validation", SENTENCES, embedded_corpus_of(run.path))
    attention = list(forced_attention(translator, sentences, progress=True))
    encoder, decoder = (head_statistics(attention, kind) for kind in ("encoder", "decoder"))
    embedding = translator.model.network.encoder.embedding.embeddings.numpy()
    lengths = np.linalg.norm(embedding, axis=1) * embedding.shape[1] ** 0.5
    accuracy = History(RunDirectory(run.path).history_file).columns()["val_accuracy"]
    values = {
        "encoder 1 on <start>, <end>": encoder["start_and_end"][0].mean(),
        "encoder, last layer": encoder["start_and_end"][-1].mean(),
        "decoder 1 on <start>": decoder["start_and_end"][0].mean(),
        "it -> noun, best head": encoder["noun_of_it"].max(),
        "length of an embedded token": lengths.mean(),
        "validation accuracy, %": 100 * accuracy[-1],
    }
    return {name: None if np.isnan(value) else float(value) for name, value in values.items()}
