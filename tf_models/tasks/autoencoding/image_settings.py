"""What every training on images can be told."""

from dataclasses import dataclass

from tf_models.autoencoders.choices import ACTIVATIONS
from tf_models.data.images.corruption import BINARISATIONS, Corruption
from tf_models.training.settings import SCHEDULES, CheckedSettings

NETWORKS = ("dense", "convolutional")
OF_NETWORK = {"dense": ("units",), "convolutional": ("filters",)}  # settings that only it has


@dataclass(frozen=True)
class ImageSettings(CheckedSettings):
    """The settings that autoencoders and VAEs share.

    network: "dense" or "convolutional".
    units: widths of the dense network's hidden layers.
    filters: channels of the convolutional network.
    activation: of the hidden layers.
    binarisation: of the images, "none", "static" or "dynamic".
    masking_noise: probability of a pixel that the encoder sees to become 0.
    gaussian_noise_std: standard deviation of the noise that is added to what the encoder sees.
    batch_size: images.
    learning_rate: of the optimizer.
    schedule: "cosine" (down to zero at the end of the last epoch) or "constant".
    epochs: passes over the training images.
    checkpoint_every: epochs between checkpoints.
    """

    network: str = "dense"
    units: tuple[int, ...] = (256,)
    filters: tuple[int, ...] = (16, 32)
    activation: str = "relu"
    binarisation: str = "none"
    masking_noise: float = 0.0
    gaussian_noise_std: float = 0.0
    batch_size: int = 64
    learning_rate: float = 1e-3
    schedule: str = "cosine"
    epochs: int = 30
    checkpoint_every: int = 1

    def __post_init__(self):
        self._check_widths("units", "filters")
        self._check_choice("network", NETWORKS)
        self._check_choice("activation", ACTIVATIONS)
        self._check_choice("binarisation", BINARISATIONS)
        self._check_choice("schedule", SCHEDULES)
        self._check_at_least_one("batch_size", "epochs", "checkpoint_every")
        self._check("learning_rate", 0 < self.learning_rate < 1, "above 0 and below 1")
        self.corruption  # noqa: B018 - it refuses what makes no sense

    def _check_widths(self, *names: str) -> None:
        for name in names:
            object.__setattr__(self, name, tuple(getattr(self, name)))  # config.json has lists
            self._check(name, all(n >= 1 for n in getattr(self, name)), "numbers of at least 1")

    @property
    def of_other_networks(self) -> set[str]:
        """Names of the settings that do nothing, because only another network has them."""
        others = OF_NETWORK.keys() - {self.network}
        return {name for network in others for name in OF_NETWORK[network]}

    @property
    def is_linear(self) -> bool:
        """Whether the model has no nonlinearity at all."""
        return False

    @property
    def checkpoint(self) -> str:
        """The one to take unless told otherwise."""
        return "latest" if self.is_linear else "best"

    @property
    def corruption(self) -> Corruption:
        """Of what the encoder sees."""
        return Corruption(self.masking_noise, self.gaussian_noise_std)
