"""Samples of several trained VAEs in one figure, with real images and a measure of sharpness."""

import argparse
from pathlib import Path

from tf_models.command_line import (
    Parser,
    add_runs,
    add_seed,
    names_of_runs,
    quiet_tensorflow,
    run,
)
from tf_models.errors import InputError

EXAMPLES = """\
  python scripts/compare_samples.py --run-dir runs/mnist-vae runs/mnist-hierarchical \\
      --data-dir data --output samples.png
  python scripts/compare_samples.py --run-dir runs/digits-vae runs/digits-hierarchical \\
      --label "one layer" "six groups" --temperature 0.8 --output samples.png
Sharpness is the variance of the Laplacian, as a share of that of the test images: it falls with
blur, needs no reference image, and says nothing of whether an image looks real."""

ROWS, COLUMNS = 3, 12
MEASURED = 1000  # samples, and test images
REAL = "test images"


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    add_runs(parser)
    parser.add_argument("--dataset", help="of real images; default: that of the first run")
    parser.add_argument("--data-dir", type=Path, help="folder of TFDS data sets")
    parser.add_argument("--temperature", type=float, default=1.0, help="of samples; default: 1")
    add_seed(parser)
    parser.add_argument("--output", type=Path, required=True, metavar="F.png|pdf|svg")
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.plotting.files import check_figure_path, save_figure

    check_figure_path(arguments.output)  # refused before minutes are spent
    labels = names_of_runs(arguments, taken=[REAL])
    if not 0 <= arguments.temperature <= 10:
        raise InputError(f"--temperature must be 0 to 10; received {arguments.temperature}")
    with quiet_tensorflow():
        from tf_models.tasks.autoencoding.evaluation import sharpness
        from tf_models.tasks.autoencoding.trained_model import ImageModel
    models = [ImageModel.load(path) for path in arguments.run_dir]
    images = models[0].load_images(arguments.dataset, arguments.data_dir)
    sets = {REAL: images.pixels(images.test)[:MEASURED]}
    for label, model in zip(labels, models, strict=True):
        sets[label] = model.generate(MEASURED, arguments.temperature, arguments.seed)
    real = sharpness(sets[REAL])
    measured = {label: sharpness(shown) / real for label, shown in sets.items()}
    print(f"{'':32}sharpness")
    for label, value in measured.items():
        print(f"{label:32}{value:9.2f}")
    save_figure(draw(sets, measured), arguments.output)
    print(arguments.output)


def draw(sets: dict, measured: dict[str, float]):
    import numpy as np

    from tf_models.plotting.image_grid import plot_image_grid

    shape = next(iter(sets.values())).shape[1:]
    grids, names = [], []
    for label, shown in sets.items():
        if len({shown.shape[1:], shape}) > 1:
            raise InputError("the runs must be of images of one size and depth")
        blank = np.full((ROWS * COLUMNS, *shape), np.nan, np.float32)
        blank[: len(shown)] = shown[: ROWS * COLUMNS]
        grids.append(blank.reshape(ROWS, COLUMNS, *shape))
        names += ["", f"{label}\nsharpness {measured[label]:.2f}", *[""] * (ROWS - 2)]
    return plot_image_grid(np.concatenate(grids), row_names=names, title="real and sampled")


if __name__ == "__main__":
    run(make_parser(), main)
