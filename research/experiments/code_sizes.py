"""What the bottleneck costs: the error of an autoencoder at several code sizes, beside PCA."""

from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path

from research.experiments.recipe import Run, Values, add_options
from research.experiments.series import SeriesRecipe
from research.options import Parser, add_run_arguments, add_settings, given_settings, numbers
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.settings import preset

SIZES = (1, 2, 4, 8, 16, 32, 64)
MODELS = ("linear", "dense", "convolutional", "stacked")
DIGITS = "digits"  # the embedded images


class CodeSizes(SeriesRecipe):
    name = "code-sizes"
    question = "what does the bottleneck cost?"
    axis_names, scales = ("numbers in a code", "squared error of a test image"), ("log", "log")
    examples = """\
  python -m research.experiments code-sizes
      the embedded digits through 1 to 64 numbers, a minute or two
  python -m research.experiments code-sizes --dataset mnist --data-dir data --sizes 2,8,32,128 \\
      --output sizes.png"""

    def make_parser(self) -> Parser:
        parser = Parser(self.question, self.examples)
        parser.add_argument("--model", default="dense", help=f"{', '.join(MODELS)}; default: dense")
        parser.add_argument(
            "--sizes", type=numbers, default=SIZES, metavar="N,N", help="of the code"
        )
        parser.add_argument("--dataset", default=DIGITS)
        add_run_arguments(parser)
        add_settings(parser, preset("dense").inputs, preset("dense").training)
        add_options(parser)
        return parser

    def folder(self, arguments: Namespace) -> Path:
        label = Path(arguments.dataset.removeprefix("tfds:")).name.split(".")[0]
        return arguments.run_dir or Path("runs") / f"{label}-{arguments.model}-sizes"

    def settings(self, arguments: Namespace) -> dict[int, object]:
        """The settings of each size."""
        model = arguments.model
        if model not in MODELS:
            raise InputError(f"--model must be one of {', '.join(MODELS)}; received {model}")
        start = preset(model)
        settings = start.changed(**given_settings(arguments, start))
        return {size: settings.changed(code_size=size) for size in sorted(set(arguments.sizes))}

    def labels(self, arguments: Namespace) -> list[str]:
        return list(map(str, self.settings(arguments)))

    def images(self, arguments: Namespace):
        from tf_models.data.images.loading import load_images

        return load_images(arguments.dataset, data_dir=arguments.data_dir, seed=arguments.seed)

    def train(self, arguments: Namespace, run: Run) -> bool:
        from tf_models.tasks.autoencoding.train import train_autoencoder

        images, settings = self.images(arguments), self.settings(arguments)[int(run.label)]
        options = {"minutes": arguments.minutes}
        return train_autoencoder(run.path, images, settings, run.seed, **options) is not None

    def measurement(self, arguments: Namespace) -> Callable[[Run], Mapping[str, Values]]:
        from tf_models.tasks.autoencoding.anomalies import reconstruction_errors
        from tf_models.tasks.autoencoding.models import ImageModel

        images = self.images(arguments)
        tests = images.pixels(images.test)

        def measure(run: Run) -> dict[str, Values]:
            reconstructions = ImageModel.load(run.path).reconstruct(tests)
            error = float(reconstruction_errors(tests, reconstructions).mean())
            return {arguments.model: {f"{run.label} numbers": error}}

        return measure

    def baselines(self, arguments: Namespace) -> Mapping[str, Values]:
        from tf_models.tasks.autoencoding.pca import pca_errors

        errors = pca_errors(self.images(arguments), list(self.settings(arguments)))
        return {"PCA": {f"{size} numbers": error for size, error in errors.items()}}
