"""The worth of a translator's encoder to a classifier: with few labels, and with many."""

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from research.command import add_settings, numbers
from research.experiments.recipe import Run, SeriesRecipe, Values
from tf_models.classification.evaluate import accuracy_by_kind
from tf_models.classification.model import TextClassifier
from tf_models.classification.settings import text_preset
from tf_models.classification.train import TrainedEncoder, train_text_classifier
from tf_models.data.labelled import LabelledTexts, embedded_texts, texts_of_files
from tf_models.training.run_directory import RunDirectory
from tf_models.transformer.model import Encoder
from tf_models.translation.translate import source_encoder

COUNTS = (100, 1_000, 10_000)
STARTS = {  # initialisation of the encoder: whether its weights are random, and whether frozen
    "random": (True, False),
    "frozen": (False, True),
    "fine-tuned": (False, False),
}


class Transfer(SeriesRecipe):
    """Each initialisation with each number of labels, for as many steps.

    The last epoch is tested: whoever has few labels has none to choose the best epoch by.
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

    @classmethod
    def add_options(cls, parser: ArgumentParser) -> None:
        parser.add_argument("--labels", default="reference", help="default: %(default)s")
        parser.add_argument(
            "--train", type=Path, metavar="FILE", help="own lines of label<TAB>text"
        )
        parser.add_argument(
            "--test", type=Path, metavar="FILE", help="default: held out of --train"
        )
        help = "of a translator; default: %(default)s, the one that comes with the package"
        parser.add_argument("--encoder-from", default="ready-made", metavar="RUN_DIR", help=help)
        parser.add_argument("--counts", type=numbers, default=COUNTS, metavar="N,N")
        add_settings(parser, "epochs=3")

    def labels(self) -> list[str]:
        return [f"{count}-{start}" for count in sorted(self.arguments.counts) for start in STARTS]

    @cached_property
    def texts(self) -> LabelledTexts:
        """As many texts as the most labels need."""
        train, most = self.arguments.train, max(self.arguments.counts)
        if train:
            return texts_of_files(train, self.arguments.test).with_fewer(most, 0)
        return embedded_texts(self.arguments.labels).with_fewer(most, 0)

    def train(self, run: Run) -> None:
        count, start = run.label.split("-", 1)
        random_weights, freeze = STARTS[start]
        name = self.arguments.encoder_from
        tokenizer, sizes, load = source_encoder(name)
        if random_weights:
            name, trained = f"{name}, random weights", load

            def load() -> Encoder:
                encoder = Encoder.from_config(trained().get_config())
                encoder.build((None, None))
                return encoder

        settings = text_preset("own-texts" if self.arguments.train else self.arguments.labels)
        settings = settings.changed(**dict(self.arguments.set), freeze=freeze, patience=0)
        known = self.texts.with_fewer(int(count), run.seed)
        # Its epochs are those of the most labels: fewer texts recur within an epoch.
        times = round(max(self.arguments.counts) / len(known.train))
        train_text_classifier(
            RunDirectory(run.path),
            replace(known, train=known.train * times),
            settings,
            run.seed,
            encoder_from=TrainedEncoder(name, tokenizer, sizes, load),
            evaluates=False,
        )

    def measure(self, run: Run) -> Mapping[str, Values]:
        examples = self.texts.test
        classifier = TextClassifier.load(run.path, "latest")
        predicted = classifier.classify([one.text for one in examples])
        accuracy = 100 * accuracy_by_kind(examples, predicted)["all"]
        count, start = run.label.split("-", 1)
        return {f"encoder {start}": {f"{int(count):,} labels, %": accuracy}}
