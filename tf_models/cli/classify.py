"""Classify texts or images with a trained classifier; draw its attention.

$ tf-models classify --run-dir runs/reference-classifier \\
      "The animal didn't cross the street because it was too tired."
      the probability of each class, most probable first
$ tf-models classify --run-dir runs/digits-classifier --output looks.png seven.png
      an image, turned to light on dark if those of the training are; what the class token sees
"""

import os
import sys
from functools import partial
from itertools import compress
from pathlib import Path
from typing import Annotated

import tyro
from pydantic import Field

from tf_models.cli.command_line import AttentionArguments, parse, passed, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.training.run_directory import RunDirectory

LIGHT_ON_DARK = "light on dark, as the images of the training are"


class Arguments(AttentionArguments):
    texts: tyro.conf.Positional[Annotated[tuple[str, ...], Field(min_length=1)]]
    """Texts, or image files: PNG or JPEG."""
    run_dir: Path
    """Run directory of train-classifier or train-image-classifier."""
    output: Path | None = None
    """Draw the attention of the first text, or of the images: F.png, F.pdf or F.svg."""


def main() -> None:
    arguments = parse(Arguments)
    with quiet_tensorflow():
        from tf_models.classification.figures import draw_attention, plot_class_token
        from tf_models.classification.model import OF_IMAGES, ImageClassifier, TextClassifier
        from tf_models.plotting.files import check_figure_path, save_figure
    texts = list(arguments.texts)
    output = arguments.output
    if output:
        check_figure_path(output)  # refused before anything is loaded
    if RunDirectory(arguments.run_dir).read_config()["kind"] == OF_IMAGES:
        image_classifier = ImageClassifier.load(arguments.run_dir)
        paths = [Path(name) for name in texts]
        names = [path.name for path in paths]
        pixels = image_classifier.read(paths)
        turned = image_classifier.dark_on_light(pixels)
        pixels[turned] = 1 - pixels[turned]
        for name in compress(names, turned):
            print(f"{name} is dark on light; turned to {LIGHT_ON_DARK}", file=sys.stderr)
        classes = image_classifier.classes
        shares = image_classifier.probabilities(pixels)
        draw = partial(plot_class_token, image_classifier, pixels, names)
        allowed = {"layer"}
    else:
        if files := list(filter(os.path.isfile, texts)):
            raise InputError(f"{files[0]} is a file; this classifier takes the texts themselves")
        text_classifier = TextClassifier.load(arguments.run_dir)
        classes = text_classifier.classes
        shares = text_classifier.probabilities(texts)
        draw = partial(draw_attention, text_classifier, sentence=texts[0])
        allowed = {"layer", "query", "words"}
    for probabilities in shares:
        ranked = sorted(zip(probabilities, classes, strict=True), reverse=True)
        print("\t".join(f"{label} {share:.4f}" for share, label in ranked))
    if output:
        common = {"texts", "run_dir", "output"}
        options = passed(arguments, common, allowed, "the figure of this classifier")
        print(save_figure(draw(**options), output))
