"""Draw what a trained autoencoder or VAE makes of images."""

import argparse
from pathlib import Path

from tf_models.command_line import Parser, quiet_tensorflow, run
from tf_models.errors import InputError

EXAMPLES = """\
  python scripts/plot_autoencoder.py --run-dir runs/digits-vae --figure samples --output new.png
  python scripts/plot_autoencoder.py --run-dir runs/mnist-convolutional --data-dir data \\
      --figure interpolation --output fading.png
      a zero becomes a seven: in code space, and in pixel space
  python scripts/plot_autoencoder.py --run-dir runs/denoising --figure denoising --output f.png"""

COLUMNS = 10
STEPS = 10
REACH = 2.5  # standard deviations to either side, in a traversal
MOST_POINTS = 5000


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--run-dir", type=Path, required=True)
    parser.add_argument("--figure", choices=FIGURES, required=True)
    parser.add_argument("--output", type=Path, required=True, metavar="F.png|pdf|svg")
    parser.add_argument("--dataset", help="default: the one it was trained on")
    parser.add_argument("--data-dir", type=Path, help="folder of TFDS data sets")
    parser.add_argument("--checkpoint", help="best (default), latest, or a name")
    parser.add_argument("--count", type=int, default=COLUMNS, metavar="N", help="of images")
    parser.add_argument(
        "--classes", type=int, nargs=2, default=(0, 7), metavar="C", help="interpolation; 0 7"
    )
    parser.add_argument("--temperature", type=float, default=1.0, help="of samples; default: 1")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.plotting.files import figure_format, save_figure

    figure_format(arguments.output)  # refused before minutes are spent
    if arguments.count < 2:
        raise InputError(f"--count must be at least 2; received {arguments.count}")
    if not 0 <= arguments.temperature <= 10:
        raise InputError(f"--temperature must be 0 to 10; received {arguments.temperature}")
    with quiet_tensorflow():
        import keras

        from tf_models.decoding.image_model import ImageModel
    model = ImageModel.load(arguments.run_dir, arguments.checkpoint)
    keras.utils.set_random_seed(arguments.seed)
    save_figure(FIGURES[arguments.figure](model, arguments), arguments.output)
    print(arguments.output)


def test_images(model, arguments):
    """The test images that `--dataset` names, as the model takes them, and their classes."""
    from tf_models.data.images import load_images, one_hot_images

    trained_on = model.config["data"]["images"]
    name = arguments.dataset or trained_on
    if name == "one-hot":
        images = one_hot_images()
    else:
        images = load_images(name, data_dir=arguments.data_dir, seed=model.config["seed"])
    return model.scaled(images), images.test.labels


def draw_reconstructions(model, arguments):
    import numpy as np

    from tf_models.plotting.image_grid import plot_image_grid

    images = test_images(model, arguments)[0][: arguments.count]
    rows = np.stack([images, model.reconstruct(images)])
    return plot_image_grid(rows, row_names=("image", "reconstruction"), title="reconstructions")


def draw_denoising(model, arguments):
    import numpy as np
    import tensorflow as tf

    from tf_models.data.image_batches import corrupt
    from tf_models.data.image_noise import Corruption
    from tf_models.plotting.image_grid import plot_image_grid

    images = test_images(model, arguments)[0][: arguments.count]
    corruption = model.corruption or Corruption(zeroed=0.3)
    noisy = corrupt(tf.constant(images), corruption, tf.constant([arguments.seed, 0])).numpy()
    rows = np.stack([images, noisy, model.reconstruct(noisy)])
    return plot_image_grid(rows, row_names=("clean", "noisy", "restored"), title="denoising")


def draw_samples(model, arguments):
    from tf_models.plotting.image_grid import plot_image_grid

    images = model.generate(arguments.count**2, arguments.temperature)
    grid = images.reshape(arguments.count, arguments.count, *images.shape[1:])
    return plot_image_grid(grid, title=f"samples at temperature {arguments.temperature:g}")


def draw_traversal(model, arguments):
    """Each row moves one latent, those first that say most about the images."""
    import numpy as np

    from tf_models.plotting.image_grid import plot_image_grid

    codes = model.encode(test_images(model, arguments)[0][:MOST_POINTS])
    spread = codes.std(axis=0)
    liveliest = np.argsort(-spread)[: arguments.count]
    reach = np.linspace(-REACH, REACH, STEPS)
    rows = np.repeat(codes.mean(axis=0)[None, None], len(liveliest), axis=0)  # (rows, 1, latents)
    rows = np.repeat(rows, STEPS, axis=1)
    for row, latent in enumerate(liveliest):
        width = max(1.0, spread[latent]) if model.is_generative else spread[latent]
        rows[row, :, latent] += reach * width
    images = model.decode(rows.reshape(-1, codes.shape[1]))
    return plot_image_grid(
        images.reshape(len(liveliest), STEPS, *images.shape[1:]),
        row_names=[f"z {latent + 1}" for latent in liveliest],
        column_names=[f"{r:+.1f}" for r in reach],
        title="one latent moves, the others keep their mean",
    )


def draw_interpolation(model, arguments):
    """Lecture 7's image fading, in code space and in pixel space."""
    import numpy as np

    from tf_models.decoding.interpolation import METHODS, fade
    from tf_models.plotting.image_grid import plot_image_grid

    images, labels = test_images(model, arguments)
    ends = [first_of_class(images, labels, number) for number in arguments.classes]
    codes = model.encode(np.stack(ends))
    rows = {
        f"{method}, codes": model.decode(fade(*codes, arguments.count, method))
        for method in ("linear", "cubic")
    }
    rows |= {f"{method}, pixels": fade(*ends, arguments.count, method) for method in METHODS}
    first, last = arguments.classes
    title = f"from {first} to {last}, codes of {codes.shape[1]}"
    return plot_image_grid(np.stack(list(rows.values())), row_names=list(rows), title=title)


def first_of_class(images, labels, number: int):
    import numpy as np

    if labels is None or number not in labels:
        known = "none" if labels is None else " ".join(map(str, np.unique(labels)))
        raise InputError(f"--classes must name classes of the images ({known}); received {number}")
    return images[np.argmax(labels == number)]


def draw_latent_space(model, arguments):
    """Codes as points; of codes with more than two numbers the first two principal components."""
    from tf_models.plotting.latent_space import plot_latent_space

    images, labels = test_images(model, arguments)
    codes = model.encode(images[:MOST_POINTS])
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
    return plot_latent_space(codes, labels, axis_names=names, title=title)


def draw_codes(model, arguments):
    """Images, and their codes as rows of shades."""
    import numpy as np

    from tf_models.plotting.codes import plot_codes

    images, labels = test_images(model, arguments)
    images = images[: arguments.count]
    names = [f"{i + 1}" if labels is None else str(labels[i]) for i in range(len(images))]
    return plot_codes(np.asarray(model.encode(images)), names, title="codes")


FIGURES = {
    "reconstructions": draw_reconstructions,
    "interpolation": draw_interpolation,
    "latent-space": draw_latent_space,
    "samples": draw_samples,
    "traversal": draw_traversal,
    "denoising": draw_denoising,
    "codes": draw_codes,
}

if __name__ == "__main__":
    run(make_parser(), main)
