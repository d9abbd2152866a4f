"""Arguments that several commands share."""

import math
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from tf_models.training.settings import NotNegative, Seed, Settings, Size


class RunArguments(Settings):
    """Arguments of every training."""

    run_dir: Path | None = None
    """Where to train; if left out, runs/ and a name of data and model. Ctrl-C saves, and the same
    command resumes."""
    minutes: Annotated[float, Field(gt=0, allow_inf_nan=True)] = math.inf
    """End after so many minutes in all, in place of --epochs."""
    seed: Seed = 0
    """Of weights, noise and order."""

    def folder(self, name: str) -> Path:
        """Where to train; by default in this folder of runs/."""
        return self.run_dir or Path("runs") / name


class ImageArguments(RunArguments):
    """Images to train on."""

    dataset: str = "digits"
    """digits, mnist, fashion_mnist, an .npz file as Keras has it, or a folder of
    images."""
    image_size: Annotated[str, Field(pattern=r"^[1-9]\d{0,3}(x[1-9]\d{0,3})?$")] | None = None
    """N or HxW: pixels that images of a folder are brought to, scaled until they
    just cover it, the middle cut out; default: as they are, all of one size."""
    data_dir: Path | None = None
    """Folder of downloads and TFDS data sets."""

    @property
    def loading(self) -> dict:
        """What `load_images` takes beside the data set."""
        sides = tuple(map(int, self.image_size.split("x"))) if self.image_size else None
        size = (sides[0], sides[-1]) if sides else None
        return {"data_dir": self.data_dir, "seed": self.seed, "image_size": size}


class SearchArguments(Settings):
    """Arguments of a beam search."""

    beam_size: Size | None = None
    """Hypotheses kept, 1 is greedy; if left out, the run's."""
    length_penalty: NotNegative | None = None
    """Alpha of the beam search; if left out, the run's."""


class AttentionArguments(Settings):
    """Arguments of a figure of attention."""

    layer: str | None = None
    """1 to the last, or all; if left out, the last, of a classifier of texts all."""
    query: str | None = None
    """Word whose row is drawn; of a classifier, first or mean."""
    words: bool = False
    """Merge subwords into words."""
    without_marks: bool = False
    """Leave out <start>, <end> and punctuation, and share the rest anew."""


Kind = Literal["encoder", "decoder", "cross"]


class MapArguments(AttentionArguments):
    """Arguments of a figure of a translator's attention."""

    sentence: str | None = None
    """Sentence in the source language, in place of the article's."""
    target: str | None = None
    """Translation to force; if left out, the model's own."""
    kind: Kind | None = None
    """Kind of attention."""
    head: int | None = None
    """Draw this head alone, from 1."""
