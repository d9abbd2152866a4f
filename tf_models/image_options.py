"""Options of the images that a model is trained on, of whatever task."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from tf_models.data.images.dataset import ImageSet
from tf_models.parser import Parser, show_value

MAX_SIDE = 1024  # of images that are brought to one size


def add_image_arguments(parser: Parser) -> argparse._ArgumentGroup:
    """Which images to train on; the group, for more."""
    group = parser.add_argument_group("data")
    group.add_argument(
        "--dataset",
        metavar="NAME",
        help="digits (default), mnist, fashion_mnist, tfds:NAME, an .npz file as Keras has it, or "
        "a folder of images",
    )
    group.add_argument(
        "--image-size",
        type=_image_size,
        metavar="N|HxW",
        help="pixels that images of a folder or of tfds:NAME are brought to: scaled until they "
        "just cover it, the middle cut out; default: as they are, all of one size",
    )
    group.add_argument("--data-dir", type=Path, metavar="DIR", help="folder of TFDS data sets")
    return group


def _image_size(text: str) -> tuple[int, int]:
    """Height and width, "48x64", or one number for both, for `type=`."""
    sides = [int(side) for side in text.lower().split("x")]
    if len(sides) > 2 or not all(1 <= side <= MAX_SIDE for side in sides):
        raise argparse.ArgumentTypeError(
            f"must be a number of pixels, 1 to {MAX_SIDE}, or HEIGHTxWIDTH; received {text!r}"
        )
    return sides[0], sides[-1]


def load_images_of(arguments: argparse.Namespace) -> ImageSet:
    """The images of the command line; for errors see `load_images`."""
    from tf_models.data.images.loading import EMBEDDED, load_images

    return load_images(
        arguments.dataset or EMBEDDED,
        data_dir=arguments.data_dir,
        seed=arguments.seed,
        image_size=arguments.image_size,
    )


def report_suited(better: Mapping[str, object]) -> None:
    """A line that names settings which were chosen for the images, if any were."""
    if better:
        options = (f"--{name.replace('_', '-')} {show_value(one)}" for name, one in better.items())
        print(f"for these images: {' '.join(options)}")
