"""Autoencoders in run directories: which model, loss and optimizer the settings stand for."""

from tf_models.autoencoders.autoencoder import Autoencoder, ReconstructionLoss
from tf_models.autoencoders.convolutional import convolutional_decoder, convolutional_encoder
from tf_models.autoencoders.dense import dense_decoder, dense_encoder
from tf_models.tasks.autoencoding.autoencoder_settings import AutoencoderSettings
from tf_models.tasks.autoencoding.train import ModelFamily
from tf_models.training.optimizers import FusedAdam
from tf_models.training.schedules import learning_rate


def build_autoencoder(
    settings: AutoencoderSettings, shape: tuple[int, ...], seed: int = 0, epoch_steps: int = 1
) -> Autoencoder:
    """The untrained model of these settings, for inputs of a shape.

    (Seed and steps are for other families: this one's weights come from the global seed.)
    """
    size, activation = settings.code_size, settings.activation
    code = {"code_activation": settings.code_activation}
    output = {"output_activation": settings.output_activation}
    if settings.network == "dense":
        code["code_noise"] = settings.code_noise
        make_encoder, make_decoder, widths = dense_encoder, dense_decoder, settings.units
    else:
        make_encoder, make_decoder = convolutional_encoder, convolutional_decoder
        widths = settings.filters
    return Autoencoder(
        make_encoder(shape, size, widths, activation=activation, **code),
        make_decoder(shape, size, widths, activation=activation, **output),
    )


def _compile(model: Autoencoder, settings: AutoencoderSettings, epoch_steps: int) -> None:
    optimizer = FusedAdam(learning_rate(settings, epoch_steps))
    model.compile(optimizer, ReconstructionLoss(settings.loss))


AUTOENCODER_FAMILY = ModelFamily(
    kind="autoencoder",
    settings=AutoencoderSettings,
    model_settings=(
        *("network", "code_size", "units", "filters"),
        *("activation", "code_activation", "output_activation", "code_noise"),
    ),
    build=build_autoencoder,
    compile=_compile,
)
