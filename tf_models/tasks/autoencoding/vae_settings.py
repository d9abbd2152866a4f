"""What a variational autoencoder's training can be told."""

import math
from dataclasses import dataclass

from tf_models.autoencoders.choices import LIKELIHOODS
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.image_settings import ImageSettings

MODELS = ("vae", "hierarchical")
# Settings that only one of them has.
OF_MODEL = {
    "vae": (
        *("network", "latents", "units", "filters", "activation"),
        *("importance_samples", "gradient_samples"),
    ),
    "hierarchical": (
        *("groups", "channels", "latent_channels", "patch", "expansion"),
        *("spectral_weight", "balanced"),
    ),
}


@dataclass(frozen=True)
class VAESettings(ImageSettings):
    """All settings of a VAE but its images and its seed; these and `ImageSettings`.

    The defaults are the IWAE paper's model of one layer; see `DEFAULTS` for the other. The
    optimizer is Adam, for the hierarchical model Adamax.

    model: "vae" (one layer of latents) or "hierarchical".
    likelihood: "bernoulli" or "gaussian".
    beta: weight of the KL term.
    kl_warmup_epochs: epochs in which that weight rises from 0 to beta.
    latents: of the vae.
    importance_samples: k of the vae's bound; 1 is the ELBO.
    gradient_samples: of them whose gradient is taken, drawn by their weights; 0 takes all.
    groups: of the hierarchical model at each scale, smallest scale first.
    channels: of its largest scale.
    latent_channels: latents of a group at each position.
    patch: height and width, in pixels, of a position of its largest scale.
    expansion: width of its decoder's cells.
    spectral_weight: of its spectral regularisation.
    balanced: whether its groups' KL terms are balanced during warm-up.
    """

    model: str = "vae"
    likelihood: str = "bernoulli"
    beta: float = 1.0
    kl_warmup_epochs: float = 0.0
    units: tuple[int, ...] = (200, 200)
    filters: tuple[int, ...] = (32, 64)
    activation: str = "tanh"
    latents: int = 50
    importance_samples: int = 1
    gradient_samples: int = 0
    groups: tuple[int, ...] = (3, 3)
    channels: int = 16
    latent_channels: int = 4
    patch: int = 2
    expansion: int = 3
    spectral_weight: float = 0.0
    balanced: bool = True
    binarisation: str = "dynamic"
    batch_size: int = 100
    epochs: int = 200

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "groups", tuple(self.groups))  # config.json has a list
        enough = bool(self.groups) and self.groups[0] >= 1 and min(self.groups) >= 0
        self._check("groups", enough, "1 or more, then 0 or more at each larger scale")
        self._check_choice("model", MODELS)
        self._check_choice("likelihood", LIKELIHOODS)
        grey = self.likelihood != "gaussian" or self.binarisation == "none"
        self._check("binarisation", grey, "none for a Gaussian likelihood")
        self._check_at_least_one(
            *("latents", "channels", "latent_channels", "expansion", "importance_samples")
        )
        self._check("patch", self.patch >= 2, "at least 2")
        for name in ("beta", "kl_warmup_epochs", "spectral_weight"):
            self._check(name, 0 <= getattr(self, name) < math.inf, "at least 0")


# The settings that a model has unless it is told otherwise.
DEFAULTS = {
    "vae": VAESettings(),
    "hierarchical": VAESettings(
        model="hierarchical", learning_rate=1e-2, kl_warmup_epochs=10.0, epochs=50
    ),
}


def default_settings(model: str) -> VAESettings:
    """The defaults of a model.

    Raises:
        InputError: there is none of that name.
    """
    if model not in DEFAULTS:
        raise InputError(f"model must be one of {', '.join(MODELS)}; received {model}")
    return DEFAULTS[model]
