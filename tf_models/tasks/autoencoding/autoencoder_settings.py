"""What an autoencoder's training can be told, and what each model starts from."""

from dataclasses import dataclass

from tf_models.autoencoders.choices import ACTIVATIONS, RECONSTRUCTION_LOSSES
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.image_settings import ImageSettings


@dataclass(frozen=True)
class AutoencoderSettings(ImageSettings):
    """All settings of an autoencoder but its images and its seed; these and `ImageSettings`.

    code_size: numbers in a code.
    code_activation: of the code.
    output_activation: of the reconstruction.
    code_noise: standard deviation of what is added to a code in training, before its activation.
    loss: "mse" or "bernoulli".
    pretrain_epochs: for which each layer of a dense network is trained by itself before all of them
        are trained together; 0 for not at all.
    """

    code_size: int = 32
    code_activation: str = "linear"
    output_activation: str = "sigmoid"
    code_noise: float = 0.0
    loss: str = "bernoulli"
    pretrain_epochs: int = 0

    def __post_init__(self):
        super().__post_init__()
        self._check_choice("code_activation", ACTIVATIONS)
        self._check_choice("output_activation", ACTIVATIONS)
        self._check_choice("loss", RECONSTRUCTION_LOSSES)
        self._check_at_least_one("code_size")
        self._check("code_noise", self.code_noise >= 0, "at least 0")
        self._check("pretrain_epochs", self.pretrain_epochs >= 0, "at least 0")
        if self.loss == "bernoulli" and self.output_activation != "sigmoid":
            raise InputError(
                "the loss bernoulli takes outputs for probabilities: output_activation must be "
                f"sigmoid; received {self.output_activation} (or choose the loss mse)"
            )
        if self.pretrain_epochs:  # the upper layers would learn codes of other images
            expected = "none where layers are trained one by one"
            self._check("binarisation", self.binarisation == "none", expected)
        activations = {self.activation, self.code_activation, self.output_activation}
        if self.pretrain_epochs and (self.network, activations) != ("dense", {"sigmoid"}):
            raise InputError(
                "pretrain_epochs: layers trained one by one are dense and sigmoid, so that each "
                "code lies in 0 to 1 as pixels do (as in the model stacked); received "
                f"network={self.network} and {', '.join(sorted(activations))}"
            )

    @property
    def is_linear(self) -> bool:
        """Whether it can only do what PCA does: its one optimum is that of the training images, and
        which epoch validation likes best is chance.
        """
        activations = (self.code_activation, self.output_activation)
        return self.network == "dense" and not self.units and activations == ("linear", "linear")


IMAGE_MODELS = {
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
        learning_rate=0.03,
        epochs=400,  # components of like variance are told apart slowly
    ),
    "dense": AutoencoderSettings(learning_rate=3e-3, epochs=100),
    "convolutional": AutoencoderSettings(
        network="convolutional", code_size=128, learning_rate=3e-3, epochs=100
    ),
    # Denoising layers, one after the other (Vincent et al. 2010, section 3.5), then all of them
    # together, still without labels (Hinton & Salakhutdinov 2006).
    "stacked": AutoencoderSettings(
        code_size=64,
        units=(256, 128),
        activation="sigmoid",
        code_activation="sigmoid",
        masking_noise=0.2,
        learning_rate=3e-3,
        epochs=100,
        pretrain_epochs=50,
    ),
}
