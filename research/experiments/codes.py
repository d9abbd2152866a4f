"""Images classified by codes that were learnt without labels: with few labels, and with many."""

from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from research.experiments.recipe import Run, SeriesRecipe, Values
from tf_models.autoencoding.classification import compare
from tf_models.autoencoding.model import ImageModel

COUNTS = ["100", "1000", "all"]


class Codes(SeriesRecipe):
    name = "codes"
    question = "what are codes worth that were learnt without labels?"
    axis_names = ("training images with a label", "classification accuracy (%)")
    examples = """\
  python -m research.experiments codes --encoder-from runs/digits-stacked --seeds 0,1,2
      100 and 1,000 labels, and all: an SVM on codes, and the trained network with a new layer on it
  python -m research.experiments codes --encoder-from runs/mnist-stacked --data-dir data \\
      --counts 100,1000,10000 --output transfer.png
Each seed has other labels."""
    trains = False

    @classmethod
    def add_options(cls, parser: ArgumentParser) -> None:
        help = "of an autoencoder or a VAE"
        parser.add_argument("--encoder-from", type=Path, required=True, metavar="RUN", help=help)
        parser.add_argument("--dataset", metavar="NAME", help="default: the one it was trained on")
        parser.add_argument("--data-dir", type=Path, help="folder of TFDS data sets")
        help = "of images with a label; default: 100,1000,all"
        split = lambda text: text.split(",")  # noqa: E731
        parser.add_argument("--counts", type=split, default=COUNTS, metavar="N,N", help=help)

    def measure(self, run: Run) -> Mapping[str, Values]:
        model = ImageModel.load(self.arguments.encoder_from)
        images = model.origin.load(self.arguments.dataset, self.arguments.data_dir)
        most = len(images.train)
        counts = [most if text == "all" else int(text) for text in self.arguments.counts]
        rows: dict[str, Values] = defaultdict(dict)
        for count in counts:
            pair = model.code_encoder(), lambda: model.untrained().code_encoder()
            for name, share in compare(*pair, images, count, run.seed).items():
                rows[name][f"{count:,} labels, %"] = 100 * share
        return rows
