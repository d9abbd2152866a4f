"""Models of images: made from settings, or loaded from a run directory."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, cast

import keras
import numpy as np

from tf_models.autoencoders.autoencoder import Autoencoder
from tf_models.autoencoders.conditional import ConditionalVAE
from tf_models.autoencoders.hierarchical.model import HierarchicalVAE
from tf_models.autoencoders.latent_variable_model import LatentVariableModel
from tf_models.autoencoders.networks import (
    convolutional_decoder,
    convolutional_encoder,
    dense_decoder,
    dense_encoder,
    normal_encoder,
    with_classes,
)
from tf_models.autoencoders.variational import VAE
from tf_models.data.images.batches import INFERENCE_BATCH_SIZE
from tf_models.data.images.dataset import ImageSet
from tf_models.data.images.origin import ImageOrigin
from tf_models.errors import InputError, Report
from tf_models.tasks.autoencoding.settings import (
    CodeSettings,
    HierarchySettings,
    ImageRunSettings,
    LatentSettings,
    settings_of,
)
from tf_models.training.checkpoints import load_weights
from tf_models.training.run_directory import History, RunDirectory

Shape = tuple[int, ...]
KINDS = ("autoencoder", "vae")  # of runs
BODY = 200  # features of a convolutional encoder, below its two heads
RATE_AT_AN_END = 0.05  # of its highest: so far down it also comes where minutes end a training


def build_model(
    settings: ImageRunSettings,
    shape: Shape,
    seed: int = 0,
    epoch_steps: int = 1,
    classes: int | None = None,
) -> Autoencoder | LatentVariableModel:
    """The untrained model of these settings, for images (height, width, channels).

    The seed is that of a VAE's samples; weights come from the global one. The warm-up of a VAE's KL
    term counts epochs of so many steps. A conditional VAE needs the number of classes.
    """
    if not settings.is_generative:
        return _autoencoder(settings.model, shape, settings.objective.loss)
    model, objective = settings.model, settings.objective
    options: dict[str, Any] = {
        "likelihood": model.likelihood,
        "beta": objective.beta,
        "kl_warmup_steps": math.ceil(objective.kl_warmup_epochs * epoch_steps),
        "seed": seed,
    }
    if isinstance(model, HierarchySettings):
        sizes = (model.groups, model.channels, model.latent_channels)
        return HierarchicalVAE(shape, *sizes, patch=model.patch, **options)
    options["importance_samples"] = objective.importance_samples
    options["gradient_samples"] = objective.gradient_samples
    if not settings.is_conditional:
        encoder, decoder = _networks(model, shape, shape, model.latents)
        return VAE(normal_encoder(encoder, model.latents), decoder, **options)
    *side, channels = shape
    classes = cast(int, classes)
    encoder, decoder = _networks(model, (*side, channels + 1), shape, model.latents + classes)
    encoder = normal_encoder(with_classes(encoder, classes), model.latents)
    return ConditionalVAE(encoder, decoder, **options)


def _autoencoder(model: CodeSettings, shape: Shape, loss: str) -> Autoencoder:
    code: dict[str, Any] = {
        "activation": model.activation,
        "code_activation": model.code_activation,
    }
    output = {"activation": model.activation, "output_activation": model.output_activation}
    if model.network == "dense":
        code["code_noise"] = model.code_noise
        return Autoencoder(
            dense_encoder(shape, model.code_size, model.units, **code),
            dense_decoder(shape, model.code_size, model.units, **output),
            loss,
        )
    return Autoencoder(
        convolutional_encoder(shape, model.code_size, model.filters, **code),
        convolutional_decoder(shape, model.code_size, model.filters, **output),
        loss,
    )


def _networks(
    model: LatentSettings, seen: Shape, shape: Shape, code_size: int
) -> tuple[keras.Model, keras.Model]:
    """The encoder's body, of what it sees, and a decoder to numbers without bounds."""
    activation = model.activation
    body: dict[str, Any] = {"activation": activation, "code_activation": activation}
    output = {"activation": activation, "output_activation": "linear"}
    if model.network == "dense":
        decoder = dense_decoder(shape, code_size, model.units, **output)
        if not model.units:  # mean and variance are linear in the pixels
            return keras.Sequential([keras.Input(seen), keras.layers.Flatten()]), decoder
        *hidden, last = model.units
        return dense_encoder(seen, last, hidden, **body), decoder
    return (
        convolutional_encoder(seen, BODY, model.filters, **body),
        convolutional_decoder(shape, code_size, model.filters, **output),
    )


def outputs_of(model: keras.Model, *inputs: np.ndarray) -> np.ndarray:
    """Outputs (n, …) for many inputs (n, …), some at a time. (`predict` would trace a graph.)"""
    size = INFERENCE_BATCH_SIZE
    starts = range(0, len(inputs[0]), size)
    return np.concatenate(
        [model(*(x[i : i + size] for x in inputs), training=False) for i in starts]
    )


@dataclass(frozen=True)
class ImageModel:
    """What the commands do with a trained model. Images are (n, height, width, channels), 0 to 1.

    model: the Keras model.
    settings: of its training.
    config: of its run.
    path: of its run.

    Example:
        >>> model = ImageModel.load("runs/digits-autoencoder")
        >>> images = np.zeros((2, *model.model.image_shape), np.float32)
        >>> model.decode(model.encode(images)).shape == images.shape
        True
    """

    model: keras.Model
    settings: ImageRunSettings
    config: dict
    path: Path

    @classmethod
    def load(cls, run_dir: str | Path, checkpoint: str | None = None) -> "ImageModel":
        """Load a run's checkpoint: "best", "latest" or a name; the default is "best", and for a
        linear model "latest". Raises InputError: no run of an autoencoder or VAE, no such
        checkpoint, or a damaged file.
        """
        run = RunDirectory(Path(run_dir))
        kind = run.read_kind()
        if kind not in KINDS:
            raise InputError(f"{run.path} holds a run of kind {kind}, not {' or '.join(KINDS)}")
        with run.reading(kind) as config:
            settings = settings_of(config)
            shape, classes = tuple(config["data"]["shape"]), config["data"].get("classes")
            model = build_model(settings, shape, config["seed"], classes=classes)
        load_weights(model, run.checkpoints, checkpoint or settings.checkpoint)
        return cls(model, settings, config, run.path)

    @property
    def history(self) -> History:
        """Numbers of its epochs."""
        return History.read(RunDirectory(self.path).history_file)

    def say_if_unfinished(self, report: Report) -> None:
        """Say so if its run has stopped before its last epoch, with the learning rate still up."""
        rows, epochs = self.history.rows, self.settings.training.epochs
        done, low = len(rows), RATE_AT_AN_END * self.settings.optimizer.learning_rate
        if done < epochs and not (rows and rows[-1].get("learning_rate", 0) <= low):
            report(
                f"{self.path} is trained for {done} of {epochs} epochs; the command that trained "
                "it goes on from there"
            )

    @property
    def has_codes(self) -> bool:
        """Whether encoder and decoder meet in one vector."""
        return self.model.has_codes

    @property
    def code_size(self) -> int:
        """Numbers in a code; an InputError if the model has no codes."""
        self._need_codes()
        return self.model.decoder.input_shape[-1]

    def has_pca(self, images: ImageSet) -> bool:
        """Whether it is linear, and PCA of these images has more components than its codes."""
        if not self.settings.is_linear:
            return False
        return self.code_size < min(len(images.train), math.prod(images.shape))

    @property
    def origin(self) -> ImageOrigin:
        """Of the images that it was trained on."""
        kept = RunDirectory(self.path).images_file
        return ImageOrigin(self.path, self.config["data"], self.config["seed"], kept)

    @property
    def is_generative(self) -> bool:
        """Whether it makes images from nothing."""
        return self.model.is_generative

    def encode(self, images: np.ndarray) -> np.ndarray:
        """Codes, (n, code_size), of a VAE the means of q(z | x); an InputError if the model has no
        codes, or these are no images for it.
        """
        return outputs_of(self.code_encoder(), self._checked(images))

    def decode(self, codes: np.ndarray) -> np.ndarray:
        """Images of codes (n, code_size), of a VAE means; an InputError: the model has no codes."""
        self._need_codes()
        images = outputs_of(self.model.decoder, codes)
        return np.array(self.model.likelihood.mean(images)) if self.is_generative else images

    def reconstruct(self, images: np.ndarray, labels: np.ndarray | None = None) -> np.ndarray:
        """Images as they come back, the codes' noise left out where there are codes. Only a
        conditional model needs their class numbers, (n,) or more; an InputError if there are none.
        """
        if self.has_codes:
            return self.decode(self.encode(images))
        images = self._checked(images)
        if not self.settings.is_conditional:
            return outputs_of(self.model, images)
        if labels is None:
            raise InputError(f"{self.path} holds a conditional model: its images need labels")
        return outputs_of(self.model, images, labels[: len(images)])

    def _checked(self, images: np.ndarray) -> np.ndarray:
        images, shape = np.asarray(images), tuple(self.model.image_shape)
        if images.shape[1:] != shape:
            raise InputError(f"images must be {('n', *shape)}; received {images.shape}")
        if not np.issubdtype(images.dtype, np.floating):
            raise InputError(
                f"pixels must be floats from 0 to 1; received {images.dtype}: divide bytes by 255"
            )
        low, high = (-np.inf, np.inf) if self.settings.inputs.gaussian_noise_std else (0, 1)
        if np.isnan(images).any() or images.min() < low or images.max() > high:
            raise InputError(
                f"pixels must be 0 to 1; received {images.min():g} to {images.max():g}"
            )
        return images

    def code_encoder(self) -> keras.Model:
        """Images -> codes, with the weights of the model; of a VAE, the means of q(z | x). An
        InputError if there are no codes.
        """
        self._need_codes()
        encoder = self.model.encoder
        return keras.Model(encoder.inputs[0], encoder.outputs[0], name="encoder")

    def untrained(self) -> "ImageModel":
        """The same model with new random weights."""
        data, seed = self.config["data"], self.config["seed"]
        shape, classes = tuple(data["shape"]), data.get("classes")
        return replace(self, model=build_model(self.settings, shape, seed, classes=classes))

    def generate(self, count: int, temperature: float = 1.0, seed: int = 0) -> np.ndarray:
        """`count` new images, decided by the seed; an InputError if the model has no prior."""
        if not self.is_generative:
            raise InputError(f"{self.path} holds an autoencoder, which has no prior to sample from")
        self.model.reseed(seed)
        return np.array(self.model.generate(count, temperature))

    def _need_codes(self) -> None:
        if not self.has_codes:
            raise InputError(
                f"{self.path} holds a {self.settings.variant} model, which has no single code"
            )


class ImageRuns(NamedTuple):
    """Trained models, by what they are called, and images to show them."""

    models: Mapping[str, ImageModel]
    images: ImageSet

    @property
    def model(self) -> ImageModel:
        """The first one; most figures show one."""
        return next(iter(self.models.values()))

    @property
    def tests(self) -> np.ndarray:
        """Pixels of the test images, (n, height, width, channels)."""
        return self.images.pixels(self.images.test)

    @property
    def labels(self) -> np.ndarray | None:
        """Class numbers of the test images, (n,), if they have some."""
        return self.images.test.labels

    @property
    def history(self) -> History:
        """Numbers of the first run's epochs."""
        return self.model.history
