"""Classify images by what an encoder learnt without labels: with few labels, and with many."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from research.experiments.recipe import Run, Values
from research.experiments.series import SeriesRecipe
from research.options import Parser
from tf_models.errors import InputError

COUNTS = ("100", "1000", "all")


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

    def make_parser(self) -> Parser:
        parser = super().make_parser()
        parser.add_argument(
            "--encoder-from",
            type=Path,
            required=True,
            metavar="RUN_DIR",
            help="of an autoencoder or a VAE",
        )
        parser.add_argument("--dataset", metavar="NAME", help="default: the one it was trained on")
        parser.add_argument("--data-dir", type=Path, metavar="DIR", help="folder of TFDS data sets")
        parser.add_argument("--checkpoint", metavar="NAME", help="best, latest, or a name")
        parser.add_argument(
            "--counts",
            type=lambda text: text.split(","),
            default=COUNTS,
            metavar="N,N",
            help="of images with a label; default: 100,1000,all",
        )
        return parser

    def loaded(self, arguments: Namespace):
        """The trained model, the images, and the numbers of labels."""
        from tf_models.tasks.autoencoding.models import ImageModel

        model = ImageModel.load(arguments.encoder_from, arguments.checkpoint)
        images = model.origin.load(arguments.dataset, arguments.data_dir)
        return model, images, counts_from(arguments.counts, len(images.train))

    def measurement(self, arguments: Namespace) -> Callable[[Run], Mapping[str, Values]]:
        from tf_models.tasks.autoencoding.classification import compare
        from tf_models.training.assembly import make_reproducible

        model, images, counts = self.loaded(arguments)
        make_reproducible(max(arguments.seeds))

        def measure(run: Run) -> dict[str, Values]:
            accuracies = compare(
                model.code_encoder(),
                lambda: model.untrained().code_encoder(),
                images,
                counts,
                [run.seed],
                progress=True,
            )
            return {
                name: {
                    f"{n:,} labels, %": 100 * share for n, (share,) in zip(counts, of, strict=True)
                }
                for name, of in accuracies.items()
            }

        return measure


def counts_from(texts: Sequence[str], most: int) -> list[int]:
    """Numbers of labels, "all" among them; of the defaults only those that there are."""
    try:
        counts = sorted({most if text == "all" else int(text) for text in texts})
    except ValueError as error:
        raise InputError(
            f'--counts must be whole numbers or "all"; received {",".join(texts)}'
        ) from error
    return [count for count in counts if count <= most] if tuple(texts) == COUNTS else counts
