"""Models of images: made from settings, or loaded from a run directory."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keras
import numpy as np

from tf_models.autoencoders.autoencoder import Autoencoder
from tf_models.autoencoders.hierarchical import HierarchicalVAE
from tf_models.autoencoders.networks import (
    Shape,
    convolutional_decoder,
    convolutional_encoder,
    dense_decoder,
    dense_encoder,
    normal_encoder,
    with_classes,
)
from tf_models.autoencoders.variational import VAE, ConditionalVAE, LatentVariableModel
from tf_models.autoencoding.settings import (
    CodeSettings,
    HierarchySettings,
    ImageRunSettings,
    LatentSettings,
    settings_of,
)
from tf_models.data.image_batches import IMAGES_TOGETHER
from tf_models.data.images import ImageSet, show_shape
from tf_models.errors import InputError, StrPath
from tf_models.training.checkpoints import BEST, load_weights
from tf_models.training.image_origin import ImageOrigin
from tf_models.training.run_directory import RunDirectory, summary

READY_MADE_RUNS = Path(__file__).with_name("ready_made")  # runs of MNIST; see docs/autoencoders.md
RUN_KINDS = ("autoencoder", "vae")
BODY_FEATURES = 200  # outputs of a convolutional body, which mean and variance are computed from
MAKERS: dict[str, tuple[Callable, Callable]] = {  # network -> makers of its encoder and decoder
    "dense": (dense_encoder, dense_decoder),
    "convolutional": (convolutional_encoder, convolutional_decoder),
}


def build_model(
    settings: ImageRunSettings, shape: Shape, seed: int = 0, epoch_steps: int = 1, classes: int = 0
) -> Autoencoder | LatentVariableModel:
    """The untrained model of these settings; shape: (height, width, channels).

    The seed is that of a VAE's samples; weights come from the global one. The warm-up of a VAE's KL
    term counts epochs of so many steps. A conditional VAE needs the number of classes.
    """
    model = settings.model
    objective = settings.objective
    if not settings.is_generative:
        return _autoencoder(model, shape, objective.loss)
    options: dict[str, Any] = {
        "likelihood": model.likelihood,
        "beta": objective.beta,
        "kl_warmup_steps": math.ceil(objective.kl_warmup_epochs * epoch_steps),
        "seed": seed,
    }
    if isinstance(model, HierarchySettings):
        return HierarchicalVAE(
            shape,
            groups=model.groups,
            channels=model.channels,
            latent_channels=model.latent_channels,
            patch=model.patch,
            **options,
        )
    options["importance_samples"] = objective.importance_samples
    options["gradient_samples"] = objective.gradient_samples
    if not settings.is_conditional:
        body, decoder = _networks(model, shape, shape, model.latents)
        return VAE(normal_encoder(body, model.latents), decoder, **options)
    *side, channels = shape
    body, decoder = _networks(model, (*side, channels + 1), shape, model.latents + classes)
    encoder = normal_encoder(with_classes(body, classes), model.latents)
    return ConditionalVAE(encoder, decoder, **options)


def _autoencoder(model: CodeSettings, shape: Shape, loss: str) -> Autoencoder:
    make_encoder, make_decoder = MAKERS[model.network]
    widths = model.units if model.network == "dense" else model.filters
    noise = {"code_noise": model.code_noise} if model.network == "dense" else {}
    encoder = make_encoder(
        shape,
        model.code_size,
        widths,
        activation=model.activation,
        code_activation=model.code_activation,
        **noise,
    )
    decoder = make_decoder(
        shape,
        model.code_size,
        widths,
        activation=model.activation,
        output_activation=model.output_activation,
    )
    return Autoencoder(encoder, decoder, loss)


def _networks(
    model: LatentSettings, seen: Shape, shape: Shape, code_size: int
) -> tuple[keras.Model, keras.Model]:
    """Body of the encoder, for shape `seen`, and decoder with linear outputs."""
    make_encoder, make_decoder = MAKERS[model.network]
    widths = model.units if model.network == "dense" else model.filters
    activation = model.activation
    decoder = make_decoder(
        shape, code_size, widths, activation=activation, output_activation="linear"
    )
    if not widths:  # mean and variance are linear in the pixels
        return keras.Sequential([keras.Input(seen), keras.layers.Flatten()]), decoder
    features = BODY_FEATURES
    if model.network == "dense":
        features = widths[-1]
        widths = widths[:-1]
    body = make_encoder(seen, features, widths, activation=activation, code_activation=activation)
    return body, decoder


def outputs_of(model: keras.Model, *inputs: np.ndarray) -> np.ndarray:
    """Like `predict`, but eager: outputs (n, …) for inputs (n, …), in batches."""
    outputs = []
    for start in range(0, len(inputs[0]), IMAGES_TOGETHER):
        batch = [array[start : start + IMAGES_TOGETHER] for array in inputs]
        outputs.append(model(*batch, training=False))
    return np.concatenate(outputs)


def reconstruction_errors(images: np.ndarray, reconstructions: np.ndarray) -> np.ndarray:
    """|x - x^|^2 summed over pixels: (n, height, width, channels) -> (n,)."""
    return np.sum(np.square(images - reconstructions), axis=(1, 2, 3))


@dataclass(frozen=True)
class ImageModel:
    """A run's trained model of images (n, height, width, channels), 0 to 1.

    model: the Keras model; settings, config and path are those of its run.

    Example:
        >>> model = ImageModel.load("runs/digits-autoencoder")
        >>> images = np.zeros((2, *model.config["data"]["shape"]), np.float32)
        >>> model.decode(model.encode(images)).shape == images.shape
        True
    """

    model: keras.Model
    settings: ImageRunSettings
    config: dict
    path: Path

    def __repr__(self) -> str:
        what = f"{show_shape(self.config['data']['shape'])}, {type(self.model).__name__}"
        return summary(self, what, self.model, self.path)

    @classmethod
    def load(cls, run_dir: StrPath, checkpoint: str | None = None) -> "ImageModel":
        """Load a run's checkpoint: "best", "latest" or a name.

        The default is "best", and for a linear model "latest": its one optimum is that of the
        training images, so which epoch validation likes best is chance. Raises InputError: no run
        of an autoencoder or VAE, no such checkpoint, or a damaged file.
        """
        run = RunDirectory(run_dir)
        config = run.read_config()
        run_kind = config["kind"]
        if run_kind not in RUN_KINDS:
            known = " or ".join(RUN_KINDS)
            raise InputError(f"{run.path} holds a run of kind {run_kind}, not {known}")
        settings = settings_of(config)
        data = config["data"]
        shape = tuple(data["shape"])
        model = build_model(settings, shape, config["seed"], classes=data.get("classes", 0))
        default = "latest" if settings.is_linear else BEST
        load_weights(model, run.checkpoints, checkpoint or default)
        return cls(model, settings, config, run.path)

    @classmethod
    def ready_made(cls, name: str) -> "ImageModel":
        """The ready-made "autoencoder", "vae", "conditional" or "hierarchical"."""
        return cls.load(READY_MADE_RUNS / name)

    @property
    def is_generative(self) -> bool:
        """True if it is a VAE, which can generate images."""
        return self.settings.is_generative

    @property
    def has_codes(self) -> bool:
        """True if one vector, the code, is all that the decoder reads."""
        return self.settings.variant not in ("conditional", "hierarchical")

    @property
    def code_size(self) -> int:
        """Numbers in a code."""
        return self.model.decoder.input_shape[-1]

    @property
    def origin(self) -> ImageOrigin:
        """Origin of the images that it was trained on."""
        # The ready-made models have one file of images together.
        folder = READY_MADE_RUNS if self.path.parent == READY_MADE_RUNS else self.path
        images_file = RunDirectory(folder).images_file
        return ImageOrigin(self.path, self.config["data"], self.config["seed"], images_file)

    def has_pca(self, images: ImageSet) -> bool:
        """True if it is linear with `code_size` below PCA's number of components."""
        if not self.settings.is_linear:
            return False
        return self.code_size < min(len(images.train), math.prod(images.shape))

    def encode(self, images: np.ndarray) -> np.ndarray:
        """Codes (n, code_size), of a VAE means of q(z | x); needs `has_codes`."""
        return outputs_of(self.code_encoder(), images)

    def decode(self, codes: np.ndarray) -> np.ndarray:
        """Images of codes (n, code_size), of a VAE means; needs `has_codes`."""
        decoded = outputs_of(self.model.decoder, codes)
        return np.array(self.model.likelihood.mean(decoded)) if self.is_generative else decoded

    def reconstruct(self, images: np.ndarray, labels: np.ndarray | None = None) -> np.ndarray:
        """Reconstructions of images, from codes without noise if it has codes.

        Only a conditional model needs labels: class numbers, (n,) or more, else InputError.
        """
        if self.has_codes:
            return self.decode(self.encode(images))
        if not self.settings.is_conditional:
            return outputs_of(self.model, images)
        if labels is None:
            raise InputError(f"{self.path} holds a conditional model: its images need labels")
        return outputs_of(self.model, images, labels[: len(images)])

    def code_encoder(self) -> keras.Model:
        """A model images -> codes (of a VAE, means) that shares the weights."""
        encoder = self.model.encoder
        return keras.Model(encoder.inputs[0], encoder.outputs[0], name="encoder")

    def generate(self, count: int, temperature: float = 1.0, seed: int = 0) -> np.ndarray:
        """`count` new images of a VAE, decided by the seed."""
        self.model.reseed(seed)
        return np.array(self.model.generate(count, temperature))
