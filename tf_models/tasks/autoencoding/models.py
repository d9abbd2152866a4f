"""Which model, optimizer and objective the settings of an autoencoder or a VAE stand for."""

import math

import keras

from tf_models.autoencoders.autoencoder import Autoencoder, ReconstructionLoss
from tf_models.autoencoders.hierarchical.model import HierarchicalVAE
from tf_models.autoencoders.latent_variable_model import LatentVariableModel
from tf_models.autoencoders.networks import (
    convolutional_decoder,
    convolutional_encoder,
    dense_decoder,
    dense_encoder,
    normal_encoder,
)
from tf_models.autoencoders.variational import VAE
from tf_models.tasks.autoencoding.objectives import ReconstructionObjective
from tf_models.tasks.autoencoding.settings import (
    ImageRunSettings,
    LatentSettings,
)
from tf_models.training.assembly import Trainable
from tf_models.training.optimizers import FusedAdam, FusedAdamax, make_adam
from tf_models.training.summed_loss_objective import SummedLossObjective

Shape = tuple[int, ...]
NVAE_EPSILON = 1e-3  # of Adamax, as NVAE's authors have it
EPSILON = 1e-7  # of Adam, Keras' own
BODY = 200  # features of a convolutional encoder, below its two heads


def build_model(
    settings: ImageRunSettings, shape: Shape, seed: int = 0, epoch_steps: int = 1
) -> Autoencoder | LatentVariableModel:
    """The untrained model of these settings.

    Args:
        settings: model and training.
        shape: of an image: height, width, channels.
        seed: of a VAE's samples; weights come from the global one.
        epoch_steps: for the warm-up of a VAE's KL term.
    """
    if settings.is_generative:
        return build_vae(settings, shape, seed, epoch_steps)
    return build_autoencoder(settings, shape)


def trainable(model: keras.Model, settings: ImageRunSettings, epoch_steps: int) -> Trainable:
    """A model compiled with the optimizer of its settings, and what training minimises."""
    steps = settings.training.epochs * epoch_steps
    if not settings.is_generative:
        loss = ReconstructionLoss(settings.objective.loss)
        model.compile(make_adam(settings.optimizer, steps), loss)
        return Trainable(model, model.optimizer, ReconstructionObjective(model, loss.call))
    hierarchical = isinstance(model, HierarchicalVAE)
    adam = (FusedAdamax, NVAE_EPSILON) if hierarchical else (FusedAdam, EPSILON)
    model.compile(make_adam(settings.optimizer, steps, adam[0], epsilon=adam[1]))
    return Trainable(model, model.optimizer, SummedLossObjective(model, "images"))


def build_autoencoder(settings: ImageRunSettings, shape: Shape) -> Autoencoder:
    """The untrained autoencoder of these settings, for inputs of a shape."""
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
    settings: ImageRunSettings, shape: Shape, seed: int = 0, epoch_steps: int = 1
) -> LatentVariableModel:
    """The untrained VAE of these settings (see `build_model`)."""
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
            normal_encoder(encoder, model.latents),
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
