"""What a translator's encoder is worth to a classifier: with few labels, and with many."""

from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from research.experiments.recipe import Run, Values, add_options
from research.experiments.series import SeriesRecipe
from research.options import Parser, add_run_arguments, add_settings, given_settings, numbers
from tf_models.tasks.classification.settings import ClassifierSettings, preset

COUNTS = (100, 1_000, 10_000)
STARTS = {  # of the encoder: whether its weights are random, and whether it is frozen
    "random": (True, False),
    "frozen": (False, True),
    "fine-tuned": (False, False),
}


class Transfer(SeriesRecipe):
    """Each start with each number of labels, for as many steps.

    What is tested is the last epoch: whoever has few labels has none to choose the best epoch by.
    """

    name = "transfer"
    axis_names = ("training texts with a label", "test accuracy (%)")
    question = "what is a translator's encoder worth to a classifier?"
    examples = """\
  python -m research.experiments transfer --output transfer.png
      the translator that comes with the package: 100, 1,000 and 10,000 labels
  python -m research.experiments transfer --encoder-from runs/toy-toy --counts 50,500 --seeds 0,1,2
      each seed with other labels
  python -m research.experiments transfer --train train.tsv --test test.tsv --counts 100,1000"""

    def make_parser(self) -> Parser:
        parser = Parser(self.question, self.examples)
        parser.add_argument("--train", help="lines of label<TAB>text; default: embedded sentences")
        parser.add_argument("--test", type=Path, help="the same, to test on")
        add_run_arguments(parser)
        known = preset("own-texts")
        add_settings(parser, known.text, known.model, known.optimizer)
        parser.add_argument("--batch-size")
        parser.add_argument("--epochs")
        add_options(parser)
        parser.add_argument(
            "--encoder-from",
            default="ready-made",
            metavar="RUN_DIR",
            help="of a translator; default: %(default)s, the one that comes with the package",
        )
        parser.add_argument(
            "--counts", type=numbers, default=COUNTS, metavar="N,N", help="of texts with a label"
        )
        return parser

    def folder(self, arguments: Namespace) -> Path:
        texts = Path(arguments.train).name.split(".")[0] if arguments.train else "reference"
        return arguments.run_dir or Path("runs") / f"{texts}-transfer"

    def settings(self, arguments: Namespace) -> ClassifierSettings:
        """The settings of a preset, changed as the command line says."""
        settings = preset("own-texts" if arguments.train else "reference")
        return settings.changed(**given_settings(arguments, settings))

    def labels(self, arguments: Namespace) -> list[str]:
        self.settings(arguments)
        return [f"{count}-{start}" for count in self.counts(arguments) for start in STARTS]

    def counts(self, arguments: Namespace) -> list[int]:
        """Numbers of labels, in order."""
        return sorted(set(arguments.counts))

    def texts(self, arguments: Namespace):
        """As many texts as the most labels need.

        Raises:
            InputError: there are not so many.
        """
        from tf_models.data.text import labelled

        seed = arguments.seed
        if arguments.train:
            texts = labelled.texts_of_files(Path(arguments.train), arguments.test, seed)
        else:
            texts = labelled.embedded_texts("reference")
            texts = texts.with_fewer(max(2, *self.counts(arguments)), seed)
        for count in self.counts(arguments):
            texts.with_fewer(count, 0)
        return texts

    def train(self, arguments: Namespace, run: Run) -> bool:
        from tf_models.tasks.classification.text_classifier import TrainedEncoder
        from tf_models.tasks.classification.train import prepare_classifier_training
        from tf_models.tasks.translation.ready_made import source_encoder
        from tf_models.training.run_directory import RunDirectory

        count, start = run.label.split("-", 1)
        random_weights, freeze = STARTS[start]
        name = arguments.encoder_from
        encoder_from = TrainedEncoder(name, *source_encoder(name))
        settings = self.settings(arguments).changed(**encoder_from.sizes)
        texts = self.texts(arguments)
        known = texts.with_fewer(int(count), run.seed)
        # Its epochs are those of the most labels: fewer texts recur within an epoch.
        times = round(max(self.counts(arguments)) / len(known.train))
        training = prepare_classifier_training(
            RunDirectory(run.path),
            replace(known, train=known.train * times),
            settings.changed(freeze=freeze, patience=0),
            run.seed,
            encoder_from=encoder_from,
            random_weights=random_weights,
            minutes=arguments.minutes,
        )
        return training.fit()

    def measurement(self, arguments: Namespace) -> Callable[[Run], Mapping[str, Values]]:
        from tf_models.tasks.classification.evaluation import accuracy_by_kind
        from tf_models.tasks.classification.text_classifier import TextClassifier

        examples = self.texts(arguments).test
        tests = [one.text for one in examples]

        def measure(run: Run) -> dict[str, Values]:
            predicted = TextClassifier.load(run.path, "latest").classify(tests, strict=False)
            accuracy = 100 * accuracy_by_kind(examples, predicted)["all"]
            count, start = run.label.split("-", 1)
            return {f"encoder {start}": {f"{int(count):,} labels, %": accuracy}}

        return measure
