"""Draw what a trained autoencoder or VAE makes of images."""

import argparse
from dataclasses import dataclass
from pathlib import Path

from tf_models.command_line import (
    IMAGE_CHECKPOINT_HELP,
    Parser,
    add_seed,
    quiet_tensorflow,
    refuse_options,
    run,
)
from tf_models.errors import InputError

EXAMPLES = """\
  python scripts/plot_autoencoder.py --run-dir runs/digits-vae --figure samples --output new.png
  python scripts/plot_autoencoder.py --run-dir runs/mnist-convolutional --data-dir data \\
      --figure interpolation --output fading.png
      a zero becomes a seven: in code space, and in pixel space
  python scripts/plot_autoencoder.py --run-dir runs/digits-linear --figure pca --output pca.png
      a linear autoencoder beside principal component analysis
  python scripts/plot_autoencoder.py --run-dir runs/without-8 --figure roc --output roc.png
      how well errors tell the class that training left out (--without-class 8)"""

COLUMNS = 10
STEPS = 10
REACH = 2.5  # standard deviations to either side, in a traversal
MOST_POINTS = 5000
FADE = ("0", "7")  # lecture 7's classes
# Figures to which an option means something.
OPTIONS = {
    "classes": ("interpolation",),
    "temperature": ("samples",),
    "count": (
        *("reconstructions", "interpolation", "samples", "traversal", "denoising", "codes"),
        "pca",
    ),
}


@dataclass(frozen=True)
class Choices:
    """What a figure can be told; None leaves the classes to the images.

    count: images in a row. classes: to fade between. temperature: of samples. seed: of noise.
    """

    count: int = COLUMNS
    classes: tuple[str, str] | None = None
    temperature: float = 1.0
    seed: int = 0


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--run-dir", type=Path, required=True)
    parser.add_argument("--figure", choices=FIGURES, required=True)
    parser.add_argument("--output", type=Path, required=True, metavar="F.png|pdf|svg")
    parser.add_argument("--dataset", help="default: the one it was trained on")
    parser.add_argument("--data-dir", type=Path, help="folder of TFDS data sets")
    parser.add_argument("--checkpoint", help=IMAGE_CHECKPOINT_HELP)
    parser.add_argument("--count", type=int, metavar="N", help=f"of images; default: {COLUMNS}")
    parser.add_argument(
        "--classes",
        nargs=2,
        metavar="C",
        help="of interpolation: numbers, or names where classes have some; default: the first and "
        "the last, of digits 0 7",
    )
    parser.add_argument("--temperature", type=float, help="of samples; default: 1")
    add_seed(parser)
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.plotting.files import figure_format, save_figure

    figure_format(arguments.output)  # refused before minutes are spent
    choices = choices_from(arguments)
    with quiet_tensorflow():
        from tf_models.tasks.autoencoding.trained_model import ImageModel
    model = ImageModel.load(arguments.run_dir, arguments.checkpoint)
    images = model.load_images(arguments.dataset, arguments.data_dir)
    save_figure(FIGURES[arguments.figure](model, images, choices), arguments.output)
    print(arguments.output)


def choices_from(arguments: argparse.Namespace) -> Choices:
    options = {name: getattr(arguments, name) for name in OPTIONS}
    given = {name: value for name, value in options.items() if value is not None}
    figure = arguments.figure
    refuse_options(f"--figure {figure}", [name for name in given if figure not in OPTIONS[name]])
    choices = Choices(seed=arguments.seed, **given)
    if choices.count < 2:
        raise InputError(f"--count must be at least 2; received {choices.count}")
    if not 0 <= choices.temperature <= 10:
        raise InputError(f"--temperature must be 0 to 10; received {choices.temperature}")
    return choices


def figures_of(model, images) -> list[str]:
    """Names of the figures that say something of this model, for the end of training."""
    from tf_models.tasks.autoencoding.pca import has_pca

    names = ["reconstructions"]
    if model.is_generative:
        names += ["samples"]
    if model.has_codes:
        names += ["traversal"] if model.is_generative else ["codes"]
        if model.code_size > 1 and len(images.test) > 1:
            names += ["latent-space"]
        if len(images.classes(images.test)) > 1:
            names += ["interpolation"]
    if model.corruption:
        names += ["denoising"]
    if has_pca(model, images):
        names += ["pca"]
    if model.left_out_class is not None:
        names += ["roc"]
    return names


def draw_figures(model, images, run_directory) -> None:
    """All that say something, and the curves, into the run's folder of figures."""
    from tf_models.plotting.files import save_figure
    from tf_models.plotting.training_curves import plot_training_curves
    from tf_models.training.history import History

    history = History(run_directory.history_file).columns()
    figures = {"training": plot_training_curves(history)} if history else {}
    figures |= {name: FIGURES[name](model, images, Choices()) for name in figures_of(model, images)}
    print("\nfigures:")
    for name, figure in figures.items():
        path = run_directory.figures / f"{name}.png"
        save_figure(figure, path)
        print(f"  {path}")


def draw_reconstructions(model, images, choices):
    import numpy as np

    from tf_models.plotting.image_grid import plot_image_grid

    shown = first_tests(images, choices)
    rows = np.stack([shown, model.reconstruct(shown)])
    return plot_image_grid(rows, row_names=("image", "reconstruction"), title="reconstructions")


def first_tests(images, choices):
    return images.pixels(images.test)[: choices.count]


def draw_denoising(model, images, choices):
    import numpy as np
    import tensorflow as tf

    from tf_models.data.images.batches import corrupt
    from tf_models.data.images.corruption import Corruption
    from tf_models.plotting.image_grid import plot_image_grid

    clean = first_tests(images, choices)
    corruption = model.corruption or Corruption(masking_noise=0.3)
    noisy = corrupt(tf.constant(clean), corruption, tf.constant([choices.seed, 0])).numpy()
    rows = np.stack([clean, noisy, model.reconstruct(noisy)])
    noise = {
        "masking noise": corruption.masking_noise,
        "Gaussian noise std": corruption.gaussian_noise_std,
    }
    amount = ", ".join(f"{name} {value:g}" for name, value in noise.items() if value)
    title = f"denoising ({amount})"
    return plot_image_grid(rows, row_names=("clean", "noisy", "restored"), title=title)


def draw_samples(model, images, choices):
    from tf_models.plotting.image_grid import plot_image_grid

    samples = model.generate(choices.count**2, choices.temperature, choices.seed)
    grid = samples.reshape(choices.count, choices.count, *samples.shape[1:])
    return plot_image_grid(grid, title=f"samples at temperature {choices.temperature:g}")


def draw_traversal(model, images, choices):
    """Each row moves one latent, those first that say most about the images."""
    import numpy as np

    from tf_models.plotting.image_grid import plot_image_grid

    codes = model.encode(images.pixels(images.test)[:MOST_POINTS])
    spread = codes.std(axis=0)
    liveliest = np.argsort(-spread)[: choices.count]
    reach = np.linspace(-REACH, REACH, STEPS)
    rows = np.tile(codes.mean(axis=0), (len(liveliest), STEPS, 1))  # (rows, STEPS, code_size)
    for row, latent in enumerate(liveliest):
        width = max(1.0, spread[latent]) if model.is_generative else spread[latent]
        rows[row, :, latent] += reach * width
    decoded = model.decode(rows.reshape(-1, codes.shape[1]))
    return plot_image_grid(
        decoded.reshape(len(liveliest), STEPS, *decoded.shape[1:]),
        row_names=[f"z {latent + 1}" for latent in liveliest],
        column_names=[f"{r:+.1f}" for r in reach],
        title="one latent moves, the others keep their mean",
    )


def draw_interpolation(model, images, choices):
    """Lecture 7's image fading, in code space and in pixel space."""
    import numpy as np

    from tf_models.plotting.image_grid import plot_image_grid
    from tf_models.tasks.autoencoding.interpolation import METHODS, interpolate

    names = choices.classes or ends_of(images)
    ends = [first_of_class(images, name) for name in names]
    codes = model.encode(np.stack(ends))
    rows = {
        f"{method}, codes": model.decode(interpolate(*codes, choices.count, method))
        for method in ("linear", "cubic")
    }
    rows |= {f"{method}, pixels": interpolate(*ends, choices.count, method) for method in METHODS}
    title = f"from {names[0]} to {names[1]}, codes of {codes.shape[1]}"
    return plot_image_grid(np.stack(list(rows.values())), row_names=list(rows), title=title)


def ends_of(images) -> tuple[str, str]:
    """Two classes to fade between."""
    known = list(images.classes(images.test))
    if len(known) < 2:
        raise InputError(
            f"fading needs two classes; the test images of {images.name} have {len(known)}"
        )
    return FADE if set(FADE) <= set(known) else (known[0], known[-1])


def first_of_class(images, name: str):
    import numpy as np

    known = images.classes(images.test)
    if name not in known:
        received = ", ".join(known) or "none"
        raise InputError(
            f"--classes must name classes of the test images ({received}); received {name!r}"
        )
    return images.pixels(images.test)[np.argmax(images.test.labels == known[name])]


def draw_latent_space(model, images, choices):
    """Codes as points; of codes with more than two numbers the first two principal components."""
    from tf_models.plotting.latent_space import plot_latent_space

    codes = model.encode(images.pixels(images.test)[:MOST_POINTS])
    labels = images.test.labels
    labels = None if labels is None else labels[:MOST_POINTS]
    if codes.shape[1] == 1:
        raise InputError("a code of one number has no plane to draw")
    names, title = ("z 1", "z 2"), f"codes of {len(codes)} test images"
    if codes.shape[1] > 2:
        from sklearn.decomposition import PCA

        pca = PCA(2).fit(codes)
        shares = pca.explained_variance_ratio_
        codes = pca.transform(codes)
        names = tuple(f"component {i + 1} ({s:.0%} of the variance)" for i, s in enumerate(shares))
    return plot_latent_space(
        codes, labels, class_name=images.class_name, axis_names=names, title=title
    )


def draw_codes(model, images, choices):
    """Images, and their codes as rows of shades."""
    from tf_models.plotting.codes import plot_codes

    labels = images.test.labels
    codes = model.encode(first_tests(images, choices))
    numbers = range(1, len(codes) + 1) if labels is None else labels[: len(codes)]
    names = [str(n) if labels is None else images.class_name(n) for n in numbers]
    return plot_codes(codes, names, title="codes")


def draw_pca(model, images, choices):
    """Reconstructions of a linear autoencoder beside those of as many principal components."""
    import numpy as np

    from tf_models.plotting.image_grid import plot_image_grid
    from tf_models.tasks.autoencoding.pca import compare_with_pca

    comparison = compare_with_pca(model, images)
    rows = [images.pixels(images.test), comparison.reconstructions, comparison.pca_reconstructions]
    return plot_image_grid(
        np.stack([row[: choices.count] for row in rows]),
        row_names=("image", "linear autoencoder", "PCA"),
        title=str(comparison),
    )


def draw_roc(model, images, choices):
    """True against false positive rate, if a greater error is taken for an anomaly."""
    from tf_models.plotting.lines import plot_lines
    from tf_models.tasks.autoencoding.anomalies import reconstruction_errors, roc

    number = model.left_out_class
    if number is None:
        raise InputError(
            f"{model.path} was trained on all classes; train with --without-class for a ROC curve"
        )
    if images.test.labels is None:
        raise InputError(f"{images.name} has no labels, so nothing tells the anomalies")
    tests = images.pixels(images.test)
    name = images.class_name(number)
    errors = reconstruction_errors(tests, model.reconstruct(tests))
    false_positives, true_positives, area = roc(errors, images.test.labels == number)
    return plot_lines(
        {f"area {area:.3f}": (false_positives, true_positives)},
        axis_names=("other classes taken for anomalies", f"images of class {name} found"),
        title=f"class {name} was never trained on: found by its reconstruction error",
        diagonal=True,
    )


FIGURES = {
    "reconstructions": draw_reconstructions,
    "interpolation": draw_interpolation,
    "latent-space": draw_latent_space,
    "samples": draw_samples,
    "traversal": draw_traversal,
    "denoising": draw_denoising,
    "codes": draw_codes,
    "pca": draw_pca,
    "roc": draw_roc,
}

if __name__ == "__main__":
    run(make_parser(), main)
