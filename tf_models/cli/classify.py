"""Classify texts or images with a trained classifier, and draw what it attends to.

  tf-models classify --run-dir runs/reference-classifier \\
      "The animal didn't cross the street because it was too tired."
      the probability of each class, most probable first
  tf-models classify --run-dir runs/reference-classifier < sentences.txt
      a line for each line; one that cannot be classified gives an empty line
  tf-models classify --run-dir runs/reference-classifier --output it.png --words \\
      "We brought the apple to the horse because it was ripe."
      attention of every head in every layer
  tf-models classify --run-dir runs/digits-classifier --output looks.png seven.png
      an image, light on dark as those of the training, and what the class token looks at
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import tyro

from tf_models.cli.command_line import parse, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.training.settings import Settings


class FigureArguments(Settings):
    """Arguments of the figure of a text."""

    layer: str | None = None
    """1 to the last, or all; if left out, all; of images the last."""
    query: Literal["first", "mean"] | None = None
    """Draw only the row of the first token, or the mean of all rows."""
    words: bool = False
    """Merge subwords into words."""


class Arguments(Settings):
    """All arguments."""

    texts: tyro.conf.Positional[tuple[str, ...]] = ()
    """Texts, or image files; if left out, standard input, line by line."""
    run_dir: Path
    """Run directory of train-classifier or train-image-classifier."""
    checkpoint: str | None = None
    """best, latest, or a name; if left out, best."""
    output: Path | None = None
    """Draw the attention of one text, or of the images: F.png, F.pdf or F.svg."""
    figure: FigureArguments = FigureArguments()


def main() -> int:
    arguments = parse(Arguments)
    with quiet_tensorflow():
        from tf_models.classification.figures import draw_attention, plot_class_token
        from tf_models.classification.model import OF_IMAGES, ImageClassifier, TextClassifier
        from tf_models.data.text_files import iterate_lines
        from tf_models.plotting.files import check_figure_path, save_figure
        from tf_models.runtime import use_cores_for_inference
        from tf_models.training.run_directory import RunDirectory
    run_dir, output, options = arguments.run_dir, arguments.output, arguments.figure
    if output:
        check_figure_path(output)  # refused before anything is loaded
    use_cores_for_inference()
    if RunDirectory(run_dir).read_kind() == OF_IMAGES:
        if not arguments.texts:
            raise InputError("name the images to classify: PNG or JPEG files")
        of_images = ImageClassifier.load(run_dir, arguments.checkpoint)
        paths = [Path(name) for name in arguments.texts]
        pixels = of_images.read(paths)
        for shares in of_images.probabilities(pixels):
            print(ranked(of_images.classes, shares))
        if output:
            names = [path.name for path in paths]
            print(save_figure(plot_class_token(of_images, pixels, names, options.layer), output))
        return 0
    texts = arguments.texts or tuple(iterate_lines(sys.stdin.buffer, "standard input"))
    if output and len(texts) != 1:
        raise InputError(f"--output draws one text; received {len(texts)}")
    classifier = TextClassifier.load(run_dir, arguments.checkpoint)
    good = classify_texts(classifier, texts)
    if output:
        given = {name: value for name, value in options if value is not None}
        print(save_figure(draw_attention(classifier, sentence=texts[0], **given), output))
    return 0 if good else 1


def classify_texts(classifier: Any, texts: Sequence[str]) -> bool:
    """Print the probabilities of each text; False if one could not be classified."""
    problems = {}
    for place, text in enumerate(texts):
        try:
            classifier.encode(text)
        except InputError as error:
            problems[place] = error
    readable = [text for place, text in enumerate(texts) if place not in problems]
    of_readable = iter(classifier.probabilities(readable))
    for place in range(len(texts)):
        if place in problems:
            print(f"text {place + 1}: {problems[place]}", file=sys.stderr)
            print()
        else:
            print(ranked(classifier.classes, next(of_readable)))
    return not problems


def ranked(classes: Sequence[str], probabilities: Sequence[float]) -> str:
    """The probability of each class, on one line, most probable first."""
    pairs = sorted(zip(probabilities, classes, strict=True), reverse=True)
    return "\t".join(f"{label} {share:.4f}" for share, label in pairs)
