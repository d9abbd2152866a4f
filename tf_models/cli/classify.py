"""Classify texts or images with a trained classifier, and draw what it attends to.

  tf-models classify --run-dir runs/reference-classifier \\
      "The animal didn't cross the street because it was too tired."
      the probability of each class, most probable first
  tf-models classify --run-dir runs/reference-classifier < sentences.txt
      a line for each line; one that cannot be classified gives an empty line
  tf-models classify --run-dir runs/reference-classifier --output it.png --words \\
      "We brought the apple to the horse because it was ripe."
      attention of every head in every layer
  tf-models classify --run-dir runs/reference-classifier --output mean.png --query mean \\
      "We brought the horse to the apple because it was ripe."
      how much attention each token gets, on average over all that attend
  tf-models classify --run-dir runs/digits-classifier --output looks.png seven.png
      an image, and what the class token looks at
"""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import tyro

from tf_models.cli.command_line import parse, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.training.run_directory import RunDirectory
from tf_models.training.settings import Settings


class FigureArguments(Settings):
    """Arguments of the figure of a text."""

    layer: str | None = None
    """1 to the last, or all; if left out, all; of images the last."""
    query: Literal["first", "mean"] | None = None
    """Draw only the row of the first token, or the mean of all rows."""
    words: bool = False
    """Merge subwords into words."""
    without_marks: bool = False
    """Leave out <start>, <end> and punctuation, and share the rest anew."""
    value_norms: bool = False
    """Draw each weight times the norm of the value that it carries: what a head moves."""


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
    is_of_images = RunDirectory(arguments.run_dir).read_kind() == "image classifier"
    with quiet_tensorflow():
        from tf_models.plotting.files import check_figure_path
        from tf_models.runtime import use_cores_for_inference
    if arguments.output:
        check_figure_path(arguments.output)  # refused before anything is loaded
    use_cores_for_inference()
    return classify_images(arguments) if is_of_images else classify_texts(arguments)


def classify_texts(arguments: Arguments) -> int:
    """Print the probabilities of each text, and perhaps draw its attention."""
    from tf_models.classification.figures import draw_attention
    from tf_models.classification.text_classifier import TextClassifier
    from tf_models.data.text_files import iterate_lines
    from tf_models.plotting.files import save_figure

    classifier = TextClassifier.load(arguments.run_dir, arguments.checkpoint)
    lines = iterate_lines(sys.stdin.buffer, "standard input")
    texts = list(arguments.texts) or list(lines)
    if arguments.output and len(texts) != 1:
        raise InputError(f"--output draws one text; received {len(texts)}")
    good = classify(classifier, texts)
    if arguments.output:
        given = {name: one for name, one in dict(arguments.figure).items() if one is not None}
        figure = draw_attention(classifier, sentence=texts[0], **given)
        print(save_figure(figure, arguments.output))
    return 0 if good else 1


def classify_images(arguments: Arguments) -> int:
    """Print the probabilities of each image, and perhaps draw what the class token looks at."""
    from tf_models.classification.images.classifier import ImageClassifier
    from tf_models.classification.images.figures import plot_attention
    from tf_models.plotting.files import save_figure

    if not arguments.texts:
        raise InputError("name the images to classify: PNG or JPEG files")
    classifier = ImageClassifier.load(arguments.run_dir, arguments.checkpoint)
    paths = [Path(name) for name in arguments.texts]
    pixels = classifier.read(paths, partial(print, file=sys.stderr))
    for of_image in classifier.probabilities(pixels):
        print_ranked(classifier.classes, of_image)
    if arguments.output:
        names = [path.name for path in paths]
        figure = plot_attention(classifier, pixels, names, arguments.figure.layer)
        print(save_figure(figure, arguments.output))
    return 0


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


def problem(classifier: Any, text: str) -> str:
    """What is wrong with a text, if anything."""
    try:
        classifier.encode(text)
    except InputError as error:
        return str(error)
    encoder = classifier.encoder
    return f"only its first {encoder.max_length} tokens are read" if classifier.is_cut(text) else ""
