"""Arguments of all trainings."""

import math
from pathlib import Path
from typing import Annotated

from pydantic import Field

from tf_models.training.settings import Seed, Settings


class RunArguments(Settings):
    """Arguments of every training."""

    run_dir: Path | None = None
    """Where to train; if left out, runs/ and a name of data and model."""
    minutes: Annotated[float, Field(gt=0, allow_inf_nan=True)] = math.inf
    """End after so many minutes in all, in place of --epochs."""
    seed: Seed = 0
    """Of weights, noise and order."""
    data_dir: Path | None = None
    """Folder of downloads and TFDS data sets."""


class ImageArguments(RunArguments):
    """Images to train on."""

    dataset: str = "digits"
    """digits, mnist, fashion_mnist, tfds:NAME, an .npz file as Keras has it, or a folder of
    images."""
    image_size: Annotated[str, Field(pattern=r"^[1-9]\d{0,3}(x[1-9]\d{0,3})?$")] | None = None
    """N or HxW: pixels that images of a folder or of tfds:NAME are brought to, scaled until they
    just cover it, the middle cut out; default: as they are, all of one size."""

    @property
    def sides(self) -> tuple[int, int] | None:
        """Height and width of --image-size."""
        if self.image_size is None:
            return None
        sides = [int(side) for side in self.image_size.split("x")]
        return sides[0], sides[-1]
