"""What attention is good for (lecture 7): translators of several architectures on one corpus.

BLEU by sentence length shows what a fixed-length vector cannot hold, BLEU by minutes what attention
does for training, the alignments which word attends to which.
"""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, median

from research.experiments.learning_curves import best_so_far
from research.experiments.recipe import Results, Run, Values
from research.experiments.translators import PRESETS, TranslatorRecipe
from research.grammar.write import LONG, SIZES, write
from research.options import Parser, given_settings
from tf_models.data.text.pairs import SentencePair
from tf_models.errors import InputError
from tf_models.tasks.translation.settings import TranslatorSettings, preset

# The default: long sentences of the grammar, written into the folder of the runs.
TOY_LONG, TOY_LONG_FILE = "toy-long", "toy-long.tsv.xz"
ARCHITECTURES = ("transformer", "rnn-attention", "rnn")
EPOCHS = 3  # of all models alike
ALIGNED_PAIRS = 300  # of validation and of test, whose alignment is measured
MIN_IN_A_BUCKET = 20  # sentences, if any has as many; the BLEU of fewer is chance
LAYER = "aligned layer"  # the column of the one whose alignment is the best
SENTENCES = (
    "The animal didn't cross the street, and my sister has read the book.",
    "The dog is tired, and the street is too wide, and my brother has bought a new car.",
)


class Comparison(TranslatorRecipe):
    name = "comparison"
    question = "what is attention good for?"
    examples = """\
  python -m research.experiments comparison
      the three models, some ten minutes each, on embedded sentences of up to 40 words
  python -m research.experiments comparison --models rnn rnn-attention --cell lstm
  python -m research.experiments comparison --corpus multi30k --preset best --epochs 30 \\
      --sentence "A man is riding a red bicycle down the street.\""""
    names_model = False

    def make_parser(self) -> Parser:
        parser = super().make_parser()
        parser.set_defaults(corpus=[TOY_LONG], epochs=EPOCHS)
        parser.add_argument(
            "--models",
            nargs="+",
            default=ARCHITECTURES,
            metavar="NAME",
            help=f"two or more of {', '.join(ARCHITECTURES)}; default: all",
        )
        parser.add_argument(
            "--sentence",
            nargs="+",
            default=SENTENCES,
            help="whose alignments are drawn side by side",
        )
        return parser

    def settings(self, arguments: Namespace) -> dict[str, TranslatorSettings]:
        """The settings of each model in the preset, changed as far as it knows what is changed.

        BLEU is measured after each epoch, and no run ends before the others.
        """
        models = arguments.models
        presets = {name: preset(arguments.preset, name) for name in models}
        if len(presets) < 2 or len(presets) < len(models):
            given = " ".join(models)
            raise InputError(f"--models needs two or more different ones; received {given}")
        given = given_settings(arguments, *PRESETS)
        found = {}
        for name, settings in presets.items():
            known = {key: value for key, value in given.items() if key in settings.flat()}
            changed = settings.changed(**known)
            found[name] = changed.changed(patience=changed.training.epochs)
        return found

    def prepare(self, arguments: Namespace) -> None:
        """Write the default corpus, once."""
        file = self.folder(arguments) / TOY_LONG_FILE
        if arguments.corpus == [TOY_LONG] and not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            write(file, LONG, SIZES[LONG])

    def corpus(self, arguments: Namespace):
        if arguments.corpus != [TOY_LONG]:
            return super().corpus(arguments)
        file = str(self.folder(arguments) / TOY_LONG_FILE)
        return super().corpus(Namespace(**{**vars(arguments), "corpus": [file]}))

    def measure(self, arguments: Namespace, runs: Sequence[Run]) -> Results:
        results = super().measure(arguments, runs)
        reached = [best_so_far(run.path, "val_bleu") for run in runs]
        goal = float(int(min(one.values[-1] for one in reached)))  # a round BLEU that all reached
        for run, one in zip(runs, reached, strict=True):
            results.add(run.label, {f"minutes to validation BLEU {goal:g}": one.minutes_to(goal)})
        return results

    def measurement(self, arguments: Namespace) -> Callable[[Run], Mapping[str, Values]]:
        corpus = self.corpus(arguments)
        return lambda run: {run.label: measure(run, corpus)}

    def figures(self, arguments: Namespace, results: Results, runs: Sequence[Run]) -> dict:
        from tf_models.plotting.lines import plot_lines

        first_seed = [run for run in runs if run.seed == arguments.seeds[0]]
        minutes = {run.label: best_so_far(run.path, "val_bleu") for run in first_seed}
        found = {
            "bleu-by-length": plot_bleu_by_length(results),
            "bleu-by-minutes": plot_lines(
                minutes,
                axis_names=("minutes of training", "validation BLEU, best so far"),
                title="what the minutes of training bring",
            ),
        }
        for number, sentence in enumerate(arguments.sentence, start=1):
            try:
                figure = plot_alignments(first_seed, results, sentence)
            except InputError as error:  # a model of one epoch may write more than another can read
                print(f"no alignments of {sentence!r}: {error}")
            else:
                found[f"alignments-{number}"] = figure
        return found


def measure(run: Run, corpus) -> Values:
    """Scores of the test pairs, the alignment, and what the training took."""
    from research.heads.word_alignment import alignment_errors
    from tf_models.tasks.translation.evaluation import evaluate_translator
    from tf_models.tasks.translation.translator import Translator
    from tf_models.training.run_directory import History, RunDirectory

    translator = Translator.load(run.path)
    scores, _ = evaluate_translator(translator, corpus.test, progress=True)
    alignment = None
    if corpus.alignments and "cross" in translator.model.attention_kinds:
        parts = [
            [pair for pair in split[:ALIGNED_PAIRS] if _fits(translator, pair)]
            for split in (corpus.validation, corpus.test)
        ]
        alignment = alignment_errors(translator, *parts, corpus.alignments, progress=True)
    history = History(RunDirectory(run.path).history_file).columns()
    return {
        "parameters": translator.model.network.count_params(),
        "target tokens/s": median(history["tokens_per_second"]),
        "minutes of training": best_so_far(run.path, "val_bleu").minutes[-1],
        "BLEU": scores.bleu,
        "exact match, %": scores.exact_match,
        "alignment errors, %": alignment and alignment.rate,
        LAYER: alignment and alignment.layer,
        **{_bucket(words, count): bleu for words, (bleu, count) in scores.bleu_by_length.items()},
    }


def _fits(translator, pair: SentencePair) -> bool:
    """Whether the model has positions for both sides."""
    return translator.source.can_encode(pair.source) and translator.target.can_encode(pair.target)


def _bucket(words: str, count: int) -> str:
    return f"BLEU of {words} words ({count})"


def _middle_and_count(column: str) -> tuple[float, int]:
    """BLEU of 6-10 words (99) -> 8.0, 99."""
    words, count = column.removeprefix("BLEU of ").split(" words (")
    first, last = map(int, words.split("-"))
    return (first + last) / 2, int(count.removesuffix(")"))


def plot_bleu_by_length(results: Results):
    """BLEU against source words (Cho et al. 2014, "On the properties of neural machine
    translation", figure 4; Bahdanau et al. 2015, figure 2)."""
    from tf_models.plotting.lines import plot_lines

    places = {c: _middle_and_count(c) for c in results.columns if c.startswith("BLEU of ")}
    least = min(MIN_IN_A_BUCKET, max(count for _, count in places.values()))
    kept = {column: middle for column, (middle, count) in places.items() if count >= least}
    lines = {
        model: (list(kept.values()), [fmean(of_model[column]) for column in kept])
        for model, of_model in results.items()
    }
    names = ("source words", "BLEU")
    return plot_lines(lines, axis_names=names, title="what a longer sentence costs")


def plot_alignments(runs: Sequence[Run], results: Results, sentence: str):
    """What each model with cross-attention attends to, word by word, while all of them are made to
    write what the first of them writes.

    Raises:
        InputError: none of them has it, or they cannot read or write the sentences.
    """
    from tf_models.plotting.attention import plot_attention_side_by_side
    from tf_models.tasks.translation.attention import attention_maps
    from tf_models.tasks.translation.translator import Translator

    loaded = {run.label: Translator.load(run.path) for run in runs}
    attending = {n: t for n, t in loaded.items() if "cross" in t.model.attention_kinds}
    if not attending:
        raise InputError("none of the models has cross-attention")
    first = next(iter(attending.values()))
    target = first.translate([sentence], compiled=False)[0][0].text
    maps, labels = {}, None
    for name, translator in attending.items():
        found = attention_maps(translator, sentence, target, words=True)
        layer = int(results[name][LAYER][0] or len(found.weights))
        maps[name] = found.weights[layer - 1].mean(axis=0)  # (target words, source words)
        labels = labels or (found.rows, found.columns)
    return plot_attention_side_by_side(maps, *labels, title="what each model attends to")
