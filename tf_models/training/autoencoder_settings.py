"""What an autoencoder's training can be told, and what each model starts from."""

from dataclasses import dataclass

from tf_models.autoencoders.choices import RECONSTRUCTION_LOSSES
from tf_models.errors import InputError
from tf_models.training.image_settings import ImageSettings


@dataclass(frozen=True)
class AutoencoderSettings(ImageSettings):
    """All settings of an autoencoder but its images and its seed; these and `ImageSettings`.

    code_size: numbers in a code.
    code_activation: of the code.
    output_activation: of the reconstruction.
    code_noise: standard deviation of what is added to a code in training, before its activation.
    loss: "mse" or "bernoulli".
    """

    code_size: int = 32
    code_activation: str = "linear"
    output_activation: str = "sigmoid"
    code_noise: float = 0.0
    loss: str = "bernoulli"

    def __post_init__(self):
        super().__post_init__()
        self._check_choice("loss", RECONSTRUCTION_LOSSES)
        self._check_at_least_one("code_size")
        self._check("code_noise", self.code_noise >= 0, "at least 0")


MODELS = {
    # One-hot numbers 0 to 3 and back through two numbers (the German introduction's example).
    "one-hot": AutoencoderSettings(
        code_size=2,
        units=(),
        code_activation="sigmoid",
        code_noise=1.0,
        batch_size=64,
        learning_rate=0.1,
        epochs=20,
    ),
    # x^ = g(f(x)) without any nonlinearity: it finds the subspace of PCA.
    "linear": AutoencoderSettings(
        code_size=8,
        units=(),
        output_activation="linear",
        loss="mse",
        learning_rate=3e-3,
        epochs=100,
    ),
    "dense": AutoencoderSettings(),
    "convolutional": AutoencoderSettings(network="convolutional", code_size=128),
}


def model_settings(model: str) -> AutoencoderSettings:
    """What a model starts from.

    Raises:
        InputError: there is no such model.
    """
    if model not in MODELS:
        raise InputError(f"the model must be one of {', '.join(MODELS)}; received {model!r}")
    return MODELS[model]
