"""Variational autoencoders in run directories: which model and optimizer the settings stand for."""

import math

import keras

from tf_models.autoencoders.codes import normal_encoder
from tf_models.autoencoders.convolutional import convolutional_decoder, convolutional_encoder
from tf_models.autoencoders.dense import dense_decoder, dense_encoder
from tf_models.autoencoders.hierarchical.model import HierarchicalVAE
from tf_models.autoencoders.latent_variable_model import LatentVariableModel
from tf_models.autoencoders.variational import VAE
from tf_models.tasks.autoencoding.train import ModelFamily
from tf_models.tasks.autoencoding.vae_settings import VAESettings
from tf_models.training.optimizers import FusedAdam, FusedAdamax
from tf_models.training.schedules import learning_rate

BODY = 200  # features of a convolutional encoder, below its two heads


def build_vae(
    settings: VAESettings, shape: tuple[int, int, int], seed: int = 0, epoch_steps: int = 1
) -> LatentVariableModel:
    """The untrained model of these settings.

    Args:
        settings: model and training.
        shape: of an image.
        seed: of the samples.
        epoch_steps: for the KL term's warm-up.
    """
    options = {
        "likelihood": settings.likelihood,
        "beta": settings.beta,
        "kl_warmup_steps": math.ceil(settings.kl_warmup_epochs * epoch_steps),
        "seed": seed,
    }
    if settings.model == "hierarchical":
        return HierarchicalVAE(
            shape,
            settings.groups,
            settings.channels,
            settings.latent_channels,
            patch=settings.patch,
            expansion=settings.expansion,
            spectral_weight=settings.spectral_weight,
            balanced=settings.balanced,
            **options,
        )
    encoder, decoder = _networks(settings, shape)
    return VAE(
        normal_encoder(encoder, settings.latents),
        decoder,
        importance_samples=settings.importance_samples,
        gradient_samples=settings.gradient_samples,
        **options,
    )


def _networks(settings: VAESettings, shape) -> tuple[keras.Model, keras.Model]:
    """The encoder's body, and a decoder to numbers without bounds."""
    activation = settings.activation
    body = {"activation": activation, "code_activation": activation}
    output = {"activation": activation, "output_activation": "linear"}
    if settings.network == "dense":
        decoder = dense_decoder(shape, settings.latents, settings.units, **output)
        if not settings.units:  # mean and variance are linear in the pixels
            return keras.Sequential([keras.Input(shape), keras.layers.Flatten()]), decoder
        *hidden, last = settings.units
        return dense_encoder(shape, last, hidden, **body), decoder
    return (
        convolutional_encoder(shape, BODY, settings.filters, **body),
        convolutional_decoder(shape, settings.latents, settings.filters, **output),
    )


def _compile(model: LatentVariableModel, settings: VAESettings, epoch_steps: int) -> None:
    rate = learning_rate(settings, epoch_steps)
    # Adamax and its epsilon are those of NVAE's authors.
    hierarchical = settings.model == "hierarchical"
    model.compile(FusedAdamax(rate, epsilon=1e-3) if hierarchical else FusedAdam(rate))


VAE_FAMILY = ModelFamily(
    kind="vae",
    settings=VAESettings,
    model_settings=(
        *("model", "likelihood", "beta", "network", "latents", "units", "activation", "filters"),
        *("groups", "channels", "latent_channels", "patch", "expansion"),
    ),
    build=build_vae,
    compile=_compile,
)
