"""Classify texts or images with a trained classifier, and draw what it attends to."""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tf_models.command_line import Parser, doubts, quiet_tensorflow, refuse_options
from tf_models.errors import InputError
from tf_models.plotting.registry import VALUE_NORMS, WITHOUT_MARKS
from tf_models.tasks.classification.figures import OF_IMAGES
from tf_models.training.run_directory import RunDirectory

EXAMPLES = """\
  tf-models classify --run-dir runs/reference-classifier \\
      "The animal didn't cross the street because it was too tired."
      the probability of each class, most probable first
  tf-models classify --run-dir runs/reference-classifier < sentences.txt
      a line for each line; one that cannot be classified gives an empty line
  tf-models classify --run-dir runs/reference-classifier --output it.png --words \\
      "We brought the apple to the horse because it was ripe."
      attention of every head in every layer"""
MORE = """\
  tf-models classify --run-dir runs/reference-classifier --output mean.png --query mean \\
      "We brought the horse to the apple because it was ripe."
      how much attention each token gets, on average over all that attend
  tf-models classify --run-dir runs/digits-classifier --output looks.png seven.png
      an image, and what the class token looks at"""
COMMON = dict.fromkeys(("--run-dir", "--output", "--layer", "--words"), "")

OF_FIGURE = ("layer", "query", "words", "without_marks", "value_norms")


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES, MORE, COMMON)
    parser.add_argument(
        "texts", nargs="*", metavar="TEXT", help="or image; default: standard input, line by line"
    )
    parser.add_argument(
        "--run-dir", type=Path, required=True, help="of train-classifier or train-image-classifier"
    )
    parser.add_argument("--checkpoint", metavar="NAME", help="best (default), latest, or a name")
    parser.add_argument(
        "--output", type=Path, metavar="F.png|pdf|svg", help="draw the attention of one of them"
    )
    parser.add_argument(
        "--layer", metavar="L", help="1 to the last, or all (default); of images the last"
    )
    parser.add_argument(
        "--query",
        choices=("first", "mean"),
        help="draw only the row of the first token, or the mean of all rows",
    )
    parser.add_argument("--words", action="store_true", help="merge pieces into words")
    parser.add_argument("--without-marks", action="store_true", help=WITHOUT_MARKS)
    parser.add_argument("--value-norms", action="store_true", help=VALUE_NORMS)
    return parser


def main(arguments: argparse.Namespace) -> int:
    check_options(arguments)
    if RunDirectory(arguments.run_dir).read_kind() in OF_IMAGES.kinds:
        return classify_images(arguments)
    with quiet_tensorflow():
        from tf_models.data.text_files import iterate_lines
        from tf_models.runtime import use_cores_for_inference
        from tf_models.tasks.classification.text_classifier import TextClassifier
    use_cores_for_inference()
    classifier = TextClassifier.load(arguments.run_dir, arguments.checkpoint)
    for doubt in doubts(arguments.texts):
        print(doubt, file=sys.stderr)
    texts = arguments.texts or list(iterate_lines(sys.stdin.buffer, "standard input"))
    good = classify(classifier, texts)
    if arguments.output:
        draw(classifier, texts[0], arguments)
    return 0 if good else 1


def check_options(arguments: argparse.Namespace) -> None:
    """Refuse a figure that cannot be drawn before anything is loaded."""
    if not arguments.output:
        given = [name for name in OF_FIGURE if getattr(arguments, name)]
        if given:
            option = given[0].replace("_", "-")
            raise InputError(f"--{option} belongs to --output; pass that as well")
        return
    from tf_models.plotting.files import check_figure_path

    check_figure_path(arguments.output)
    if len(arguments.texts) != 1:
        raise InputError(f"--output draws one text; received {len(arguments.texts)}")


def classify(classifier: Any, texts: list[str]) -> bool:
    """Print the probabilities of each text; False if one could not be classified, or not whole."""
    possible = [i for i, text in enumerate(texts) if classifier.can_read(text)]
    found = dict(zip(possible, classifier.probabilities([texts[i] for i in possible]), strict=True))
    good = True
    for i, text in enumerate(texts):
        if trouble := problem(classifier, text):
            good = False
            print(f"text {i + 1}: {trouble}", file=sys.stderr)
        if i not in found:
            print()
            continue
        print_ranked(classifier.classes, found[i])
    return good


def print_ranked(classes: Sequence[str], probabilities: Sequence[float]) -> None:
    """The probability of each class, on one line, most probable first."""
    ranked = sorted(zip(probabilities, classes, strict=True), reverse=True)
    print("\t".join(f"{label} {share:.4f}" for share, label in ranked))


def classify_images(arguments: argparse.Namespace) -> int:
    """Print the probabilities of each image, and perhaps draw what the class token looks at."""
    of_texts = [name for name in OF_FIGURE if name != "layer" and getattr(arguments, name)]
    refuse_options("a classifier of images", of_texts)
    if not arguments.texts:
        raise InputError("name the images to classify: PNG or JPEG files")
    with quiet_tensorflow():
        from tf_models.plotting.files import save_figure
        from tf_models.tasks.classification.images.drawing import load, plot_attention
    classifier = load([arguments.run_dir], arguments.checkpoint)
    paths = [Path(name) for name in arguments.texts]
    pixels = classifier.read(paths, partial(print, file=sys.stderr))
    for of_image in classifier.probabilities(pixels):
        print_ranked(classifier.classes, of_image)
    if arguments.output:
        names = [path.name for path in paths]
        figure = plot_attention(classifier, pixels, names, arguments.layer)
        print(save_figure(figure, arguments.output))
    return 0


def problem(classifier: Any, text: str) -> str:
    """What is wrong with a text, if anything."""
    try:
        classifier.encode(text)
    except InputError as error:
        return str(error)
    encoder = classifier.encoder
    return f"only its first {encoder.max_length} tokens are read" if classifier.is_cut(text) else ""


def draw(classifier: Any, text: str, arguments: argparse.Namespace) -> None:
    """Save the attention of a text as a figure."""
    from tf_models.plotting.files import save_figure
    from tf_models.tasks.classification.figures import FIGURES

    options = {name: getattr(arguments, name) for name in OF_FIGURE}
    figure = FIGURES.draw("attention", classifier, sentence=text, **options)
    save_figure(figure, arguments.output)
    print(arguments.output)
