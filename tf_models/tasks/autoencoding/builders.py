"""Which model, optimizer and objective the settings of an autoencoder or a VAE stand for."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import keras

from tf_models.autoencoders.autoencoder import Autoencoder, ReconstructionLoss
from tf_models.autoencoders.codes import normal_encoder
from tf_models.autoencoders.convolutional import convolutional_decoder, convolutional_encoder
from tf_models.autoencoders.dense import dense_decoder, dense_encoder
from tf_models.autoencoders.hierarchical.model import HierarchicalVAE
from tf_models.autoencoders.latent_variable_model import LatentVariableModel
from tf_models.autoencoders.variational import VAE
from tf_models.tasks.autoencoding.objectives import ReconstructionObjective
from tf_models.tasks.autoencoding.settings import (
    IMAGE_MODELS,
    VAE_MODELS,
    AutoencoderSettings,
    ImageRunSettings,
    LatentSettings,
    VAESettings,
)
from tf_models.training.optimizers import FusedAdam, FusedAdamax, make_adam
from tf_models.training.summed_loss_objective import SummedLossObjective
from tf_models.training.train_step import Objective

Shape = tuple[int, ...]
BODY = 200  # features of a convolutional encoder, below its two heads


@dataclass(frozen=True)
class ModelFamily:
    """What makes autoencoders and VAEs different to a run directory.

    kind: in config.json.
    models: the settings that each of its models starts from, by the model's name.
    build: (settings, shape of an image, seed, steps in an epoch) -> the untrained model.
    compile: (model, settings, steps in an epoch) gives the model its optimizer and its loss.
    objective: of a compiled model.
    draws_to_validate: whether validation draws samples.
    """

    kind: str
    models: Mapping[str, ImageRunSettings]
    build: Callable[[ImageRunSettings, Shape, int, int], keras.Model]
    compile: Callable[[keras.Model, ImageRunSettings, int], None]
    objective: Callable[[keras.Model], Objective]
    draws_to_validate: bool

    def settings_of(self, config: Mapping) -> ImageRunSettings:
        """The settings that a run's config.json holds.

        Raises:
            KeyError, TypeError, InputError: it is damaged.
        """
        return self.models[config["variant"]].from_config(config)


def build_autoencoder(
    settings: AutoencoderSettings, shape: Shape, seed: int = 0, epoch_steps: int = 1
) -> Autoencoder:
    """The untrained model of these settings, for inputs of a shape.

    (Seed and steps are for other families: this one's weights come from the global seed.)
    """
    model = settings.model
    size, activation = model.code_size, model.activation
    code = {"code_activation": model.code_activation}
    output = {"output_activation": model.output_activation}
    if model.network == "dense":
        code["code_noise"] = model.code_noise
        make_encoder, make_decoder, widths = dense_encoder, dense_decoder, model.units
    else:
        make_encoder, make_decoder = convolutional_encoder, convolutional_decoder
        widths = model.filters
    return Autoencoder(
        make_encoder(shape, size, widths, activation=activation, **code),
        make_decoder(shape, size, widths, activation=activation, **output),
    )


def build_vae(
    settings: VAESettings, shape: Shape, seed: int = 0, epoch_steps: int = 1
) -> LatentVariableModel:
    """The untrained model of these settings.

    Args:
        settings: model and training.
        shape: of an image: height, width, channels.
        seed: of the samples.
        epoch_steps: for the KL term's warm-up.
    """
    model, objective = settings.model, settings.objective
    options = {
        "likelihood": model.likelihood,
        "beta": objective.beta,
        "kl_warmup_steps": math.ceil(objective.kl_warmup_epochs * epoch_steps),
        "seed": seed,
    }
    if isinstance(model, LatentSettings):
        encoder, decoder = _networks(model, shape)
        return VAE(
            normal_encoder(encoder, model.latents, model.deviation),
            decoder,
            importance_samples=objective.importance_samples,
            gradient_samples=objective.gradient_samples,
            **options,
        )
    return HierarchicalVAE(
        shape,
        model.groups,
        model.channels,
        model.latent_channels,
        patch=model.patch,
        expansion=model.expansion,
        spectral_weight=objective.spectral_weight,
        balanced=objective.balanced,
        **options,
    )


def _networks(model: LatentSettings, shape: Shape) -> tuple[keras.Model, keras.Model]:
    """The encoder's body, and a decoder to numbers without bounds."""
    activation = model.activation
    body = {"activation": activation, "code_activation": activation}
    output = {"activation": activation, "output_activation": "linear"}
    if model.network == "dense":
        decoder = dense_decoder(shape, model.latents, model.units, **output)
        if not model.units:  # mean and variance are linear in the pixels
            return keras.Sequential([keras.Input(shape), keras.layers.Flatten()]), decoder
        *hidden, last = model.units
        return dense_encoder(shape, last, hidden, **body), decoder
    return (
        convolutional_encoder(shape, BODY, model.filters, **body),
        convolutional_decoder(shape, model.latents, model.filters, **output),
    )


def _compile_autoencoder(model: Autoencoder, settings, epoch_steps: int) -> None:
    optimizer = make_adam(settings.optimizer, settings.training.epochs * epoch_steps)
    model.compile(optimizer, ReconstructionLoss(settings.objective.loss))


def _compile_vae(model: LatentVariableModel, settings, epoch_steps: int) -> None:
    steps = settings.training.epochs * epoch_steps
    # NVAE's authors have Adamax.
    adam = FusedAdamax if isinstance(model, HierarchicalVAE) else FusedAdam
    model.compile(make_adam(settings.optimizer, steps, adam, epsilon=settings.optimizer.epsilon))


AUTOENCODER_FAMILY = ModelFamily(
    kind="autoencoder",
    models=IMAGE_MODELS,
    build=build_autoencoder,
    compile=_compile_autoencoder,
    objective=lambda model: ReconstructionObjective(model, model.loss.call),
    draws_to_validate=False,
)

VAE_FAMILY = ModelFamily(
    kind="vae",
    models=VAE_MODELS,
    build=build_vae,
    compile=_compile_vae,
    objective=lambda model: SummedLossObjective(model, "images"),
    draws_to_validate=True,
)
