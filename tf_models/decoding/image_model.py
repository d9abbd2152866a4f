"""A trained autoencoder or VAE and its run directory: from images to codes and back."""

from dataclasses import dataclass
from pathlib import Path

import keras
import numpy as np

from tf_models.data.image_noise import Corruption
from tf_models.data.images import ImageSet
from tf_models.errors import InputError
from tf_models.training.autoencoder import AUTOENCODER
from tf_models.training.image_run import check_images, load_image_model
from tf_models.training.run_directory import RunDirectory
from tf_models.training.vae import VAE

TOGETHER = 500  # images at a time
FAMILIES = {family.kind: family for family in (AUTOENCODER, VAE)}


@dataclass(frozen=True)
class ImageModel:
    """What the commands do with a trained model. Images are (n, height, width, channels), 0 to 1.

    model: the Keras model.
    config: of its run.
    corruption: that it was trained to undo.
    path: of its run.
    """

    model: keras.Model
    config: dict
    corruption: Corruption
    path: Path

    @classmethod
    def load(cls, run_dir: Path, checkpoint: str | None = None) -> "ImageModel":
        """Load a run's checkpoint: "best" (the default), "latest" or a name.

        Raises:
            InputError: no run of an autoencoder or VAE, no such checkpoint, or a damaged file.
        """
        run = RunDirectory(Path(run_dir))
        kind = run.read_kind()
        if kind not in FAMILIES:
            raise InputError(f"{run.path} holds a run of kind {kind}, not autoencoder or vae")
        model, settings, config = load_image_model(FAMILIES[kind], run, checkpoint)
        return cls(model, config, settings.corruption, run.path)

    @property
    def has_codes(self) -> bool:
        """Whether encoder and decoder meet in one vector."""
        return hasattr(self.model, "decoder")

    @property
    def is_generative(self) -> bool:
        """Whether it makes images from nothing."""
        return self.config["kind"] == VAE.kind

    def scaled(self, images: ImageSet, indices: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Test images as the model takes them.

        Raises:
            InputError: they have another size or depth.
        """
        check_images(images, self.config, RunDirectory(self.path))
        return images.test.images[indices].astype(np.float32) / images.maximum

    def encode(self, images: np.ndarray) -> np.ndarray:
        """Codes, (n, code_size); of a VAE the means of q(z | x).

        Raises:
            InputError: the model has no codes.
        """
        self._need_codes()
        codes = self.model.encoder.predict(images, batch_size=TOGETHER, verbose=0)
        return codes[0] if isinstance(codes, (list, tuple)) else codes

    def decode(self, codes: np.ndarray) -> np.ndarray:
        """Images of codes; of a VAE the means of p(x | z).

        Raises:
            InputError: the model has no codes.
        """
        self._need_codes()
        images = self.model.decoder.predict(codes, batch_size=TOGETHER, verbose=0)
        return np.array(self.model.likelihood.mean(images)) if self.is_generative else images

    def reconstruct(self, images: np.ndarray) -> np.ndarray:
        """Images as they come back, the codes' noise left out where there are codes."""
        if self.has_codes:
            return self.decode(self.encode(images))
        return self.model.predict(images, batch_size=TOGETHER, verbose=0)

    def generate(self, count: int, temperature: float = 1.0) -> np.ndarray:
        """New images.

        Raises:
            InputError: the model has no prior.
        """
        if not self.is_generative:
            raise InputError(f"{self.path} holds an autoencoder, which has no prior to sample from")
        return np.array(self.model.generate(count, temperature))

    def _need_codes(self) -> None:
        if not self.has_codes:
            raise InputError(
                f"{self.path} holds a hierarchical model, whose latents are no single code"
            )
