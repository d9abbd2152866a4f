"""The cost of the bottleneck: the error of an autoencoder at several code sizes, beside PCA."""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from research.command import add_settings, numbers
from research.experiments.recipe import Results, Run, SeriesRecipe, Values
from tf_models.autoencoding.settings import preset
from tf_models.data.images import EMBEDDED, ImageSet, load_images

SIZES = (1, 2, 4, 8, 16, 32, 64)
MODELS = ("linear", "dense", "convolutional", "stacked")


class CodeSizes(SeriesRecipe):
    """An autoencoder for each size of its code, beside PCA: a minute or two on the digits."""

    name = "code-sizes"
    question = "what does the bottleneck cost?"
    axis_names, scales = ("numbers in a code", "squared error of a test image"), ("log", "log")

    @classmethod
    def add_options(cls, parser: ArgumentParser) -> None:
        parser.add_argument("--model", choices=MODELS, default="dense", help="default: dense")
        parser.add_argument("--sizes", type=numbers, default=SIZES, metavar="N,N")
        parser.add_argument("--dataset", default=EMBEDDED, help="default: %(default)s")
        parser.add_argument("--data-dir", type=Path, help="folder of TFDS data sets")
        add_settings(parser, "epochs=50")

    def labels(self) -> list[str]:
        return [str(size) for size in sorted(self.arguments.sizes)]

    @cached_property
    def images(self) -> ImageSet:
        return load_images(self.arguments.dataset, data_dir=self.arguments.data_dir)

    def train(self, run: Run) -> None:
        from tf_models.autoencoding.train import train_image_model

        settings = preset(self.arguments.model).changed(**dict(self.arguments.set))
        settings = settings.changed(code_size=int(run.label))
        train_image_model(run.path, self.images, settings, run.seed, evaluates=False)

    def measure(self, run: Run) -> Mapping[str, Values]:
        from tf_models.autoencoding.model import ImageModel, reconstruction_errors

        tests = self.images.pixels(self.images.test)
        reconstructions = ImageModel.load(run.path).reconstruct(tests)
        error = float(reconstruction_errors(tests, reconstructions).mean())
        return {self.arguments.model: {f"{run.label} numbers": error}}

    def results(self, runs: Sequence[Run]) -> Results:
        from tf_models.autoencoding.evaluate import pca_errors

        results = super().results(runs)
        errors = pca_errors(self.images, sorted(self.arguments.sizes))
        results.add("PCA", {f"{size} numbers": error for size, error in errors.items()})
        return results
