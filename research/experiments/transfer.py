"""The worth of a translator's encoder to a classifier: with few labels, and with many."""

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from research.command import add_settings, numbers
from research.experiments.recipe import Run, SeriesRecipe, Values
from tf_models.classification.settings import text_preset
from tf_models.data.labelled import LabelledTexts, embedded_texts

LABELS = "reference"  # of the embedded texts: which noun "it" stands for
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

    @classmethod
    def add_options(cls, parser: ArgumentParser) -> None:
        help = "of a translator; default: %(default)s, the one that comes with the package"
        parser.add_argument("--encoder-from", default="ready-made", metavar="RUN_DIR", help=help)
        parser.add_argument("--counts", type=numbers, default=COUNTS, metavar="N,N")
        add_settings(parser, "epochs=3")

    def labels(self) -> list[str]:
        return [f"{count}-{start}" for count in sorted(self.arguments.counts) for start in STARTS]

    @cached_property
    def texts(self) -> LabelledTexts:
        """As many texts as the most labels need."""
        return embedded_texts(LABELS).with_fewer(max(self.arguments.counts), 0)

    def train(self, run: Run) -> None:
        from tf_models.classification.train import TrainedEncoder, train_text_classifier
        from tf_models.transformer.model import Encoder
        from tf_models.translation.translate import source_encoder

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

        settings = text_preset(LABELS)
        settings = settings.changed(**dict(self.arguments.set), freeze=freeze, patience=0)
        known = self.texts.with_fewer(int(count), run.seed)
        # Its epochs are those of the most labels: fewer texts recur within an epoch.
        times = round(max(self.arguments.counts) / len(known.train))
        train_text_classifier(
            run.path,
            replace(known, train=known.train * times),
            settings,
            run.seed,
            encoder_from=TrainedEncoder(name, tokenizer, sizes, load),
            evaluates=False,
        )

    def measure(self, run: Run) -> Mapping[str, Values]:
        from tf_models.classification.evaluate import accuracy_by_kind
        from tf_models.classification.model import TextClassifier

        examples = self.texts.test
        classifier = TextClassifier.load(run.path, "latest")
        predicted = classifier.classify([one.text for one in examples])
        accuracy = 100 * accuracy_by_kind(examples, predicted)["all"]
        count, start = run.label.split("-", 1)
        return {f"encoder {start}": {f"{int(count):,} labels, %": accuracy}}
