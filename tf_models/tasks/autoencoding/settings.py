"""Settings of the training of an autoencoder of images or sentences, or of a VAE."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from tf_models.autoencoders.choices import ACTIVATIONS, LIKELIHOODS, RECONSTRUCTION_LOSSES
from tf_models.data.images.corruption import BINARISATIONS, Corruption
from tf_models.errors import InputError, check_choice
from tf_models.training.settings import (
    OptimizerSettings,
    RunSettings,
    Settings,
    TrainingSettings,
    setting,
)

FEW_IMAGES, STEPS_OF_FEW, SMALLEST_BATCH = 1000, 10, 8
NETWORKS = ("dense", "convolutional")


@dataclass(frozen=True)
class InputSettings(Settings):
    """What happens to images before the model sees them; `Corruption` knows the bounds."""

    binarisation: str = setting(
        "none",
        "a pixel becomes 1 with the probability that its value is: once, or in each epoch",
        choices=BINARISATIONS,
    )
    masking_noise: float = setting(
        0.0, "probability of a pixel that the encoder sees to become 0", metavar="P"
    )
    gaussian_noise_std: float = setting(
        0.0, "standard deviation of Gaussian noise on what the encoder sees", metavar="S"
    )

    def __post_init__(self) -> None:
        self.corruption  # noqa: B018 - it refuses what makes no sense, in its own words
        super().__post_init__()

    @property
    def corruption(self) -> Corruption:
        """Of what the encoder sees."""
        return Corruption(self.masking_noise, self.gaussian_noise_std)


@dataclass(frozen=True)
class NetworkSettings(Settings):
    """Encoder and decoder of images, the layers between pixels and code."""

    network: str = setting("dense", "kind of the hidden layers", choices=NETWORKS)
    units: tuple[int, ...] = setting((256,), "widths of the dense network's hidden layers", ge=1)
    filters: tuple[int, ...] = setting((16, 32), "channels of the convolutional network", ge=1)
    activation: str = setting("relu", "of the hidden layers", choices=ACTIVATIONS)

    @property
    def of_other_networks(self) -> set[str]:
        """Names of the settings that do nothing, because only another network has them."""
        return {"filters" if self.network == "dense" else "units"}


@dataclass(frozen=True)
class CodeSettings(NetworkSettings):
    """An autoencoder (see `tf_models.autoencoders.autoencoder.Autoencoder`)."""

    code_size: int = setting(32, "numbers in a code", ge=1)
    code_activation: str = setting("linear", "of the code", choices=ACTIVATIONS)
    output_activation: str = setting("sigmoid", "of the reconstruction", choices=ACTIVATIONS)
    code_noise: float = setting(
        0.0,
        "standard deviation of what is added to a code in training, before its activation",
        metavar="S",
        ge=0,
    )


@dataclass(frozen=True)
class ReconstructionSettings(Settings):
    """What an autoencoder's training minimises."""

    loss: str = setting(
        "bernoulli", "between image and reconstruction", choices=RECONSTRUCTION_LOSSES
    )
    pretrain_epochs: int = setting(
        0,
        "for which each layer of a dense network is trained by itself before all of them are "
        "trained together, as --minutes are, too",
        ge=0,
    )


@dataclass(frozen=True)
class LikelihoodSettings(Settings):
    """What every VAE has."""

    likelihood: str = setting("bernoulli", "p(x | z)", choices=LIKELIHOODS)


@dataclass(frozen=True)
class LatentSettings(LikelihoodSettings, NetworkSettings):
    """A VAE with one layer of latents (see `tf_models.autoencoders.variational.VAE`)."""

    latents: int = setting(50, "numbers in a code", ge=1)


@dataclass(frozen=True)
class ConditionalSettings(LatentSettings):
    """A VAE that is told the class (see `tf_models.autoencoders.conditional.ConditionalVAE`)."""


@dataclass(frozen=True)
class HierarchySettings(LikelihoodSettings):
    """A hierarchical VAE (see `tf_models.autoencoders.hierarchical.model.HierarchicalVAE`)."""

    groups: tuple[int, ...] = setting((3, 3), "groups of latents at each scale, small to large")
    channels: int = setting(16, "channels of the largest scale", ge=1)
    latent_channels: int = setting(4, "latents of a group at each position", ge=1)
    patch: int = setting(2, "pixels in a row at a position of the largest scale", ge=2)

    def __post_init__(self) -> None:
        super().__post_init__()
        enough = bool(self.groups) and self.groups[0] >= 1 and min(self.groups) >= 0
        self._check("groups", enough, "1 or more, then 0 or more at each larger scale")


@dataclass(frozen=True)
class BoundSettings(Settings):
    """The ELBO, and how its KL term is weighed."""

    beta: float = setting(1.0, "weight of the KL term", metavar="BETA", ge=0)
    kl_warmup_epochs: float = setting(
        0.0, "epochs in which that weight rises from 0 to beta", metavar="N", ge=0, le=1e6
    )


@dataclass(frozen=True)
class ImportanceSettings(BoundSettings):
    """The importance-weighted bound (Burda et al. 2016)."""

    importance_samples: int = setting(1, "samples of the bound; 1 is the ELBO", metavar="K", ge=1)
    gradient_samples: int = setting(
        0, "of them whose gradient is taken, drawn by their weights; 0 takes all", metavar="M", ge=0
    )


@dataclass(frozen=True, kw_only=True)
class ImageRunSettings(RunSettings):
    """All settings of a training on images but the images and the seed.

    variant: which model it is, by its name on the command line.
    model: of an autoencoder or a VAE.
    """

    variant: str
    inputs: InputSettings = InputSettings()
    objective: Any = ReconstructionSettings()  # or BoundSettings

    def __post_init__(self) -> None:
        super().__post_init__()
        check = _check_vae if self.is_generative else _check_autoencoder
        check(self)

    @property
    def is_generative(self) -> bool:
        """Whether it is a VAE."""
        return isinstance(self.model, LikelihoodSettings)

    @property
    def is_conditional(self) -> bool:
        """Whether it is a VAE that is told the class."""
        return isinstance(self.model, ConditionalSettings)

    @property
    def kind(self) -> str:
        """Of the run, in config.json."""
        return "vae" if self.is_generative else "autoencoder"

    @property
    def is_linear(self) -> bool:
        """Whether it is an autoencoder without any nonlinearity: it can only do what PCA does."""
        model = self.model
        if not isinstance(model, CodeSettings) or model.network != "dense" or model.units:
            return False
        return model.code_activation == model.output_activation == "linear"

    @property
    def checkpoint(self) -> str:
        """The default checkpoint. The one optimum of a linear model is that of the training images,
        so which epoch validation likes best is chance."""
        return "latest" if self.is_linear else "best"


def _check_autoencoder(settings: ImageRunSettings) -> None:
    model, objective = settings.model, settings.objective
    if objective.loss == "bernoulli" and model.output_activation != "sigmoid":
        raise InputError(
            "the loss bernoulli takes outputs for probabilities: output_activation must be "
            f"sigmoid; received {model.output_activation} (or choose the loss mse)"
        )
    if not objective.pretrain_epochs:
        return
    binarisation = settings.inputs.binarisation
    if binarisation != "none":  # the upper layers would learn codes of other images
        raise InputError(
            "binarisation must be none where layers are trained one by one; "
            f"received {binarisation}"
        )
    activations = {model.activation, model.code_activation, model.output_activation}
    if (model.network, activations) != ("dense", {"sigmoid"}):
        raise InputError(
            "pretrain_epochs: layers trained one by one are dense and sigmoid, so that each "
            "code lies in 0 to 1 as pixels do (as in the model stacked); received "
            f"network={model.network} and {', '.join(sorted(activations))}"
        )


def _check_vae(settings: ImageRunSettings) -> None:
    binarisation = settings.inputs.binarisation
    if settings.model.likelihood == "gaussian" and binarisation != "none":
        raise InputError(
            f"binarisation must be none for a Gaussian likelihood; received {binarisation}"
        )


@dataclass(frozen=True)
class SequenceSettings(Settings):
    """The model (see `tf_models.recurrent.sequence_autoencoder.SequenceAutoencoder`)."""

    embedding_dim: int = setting(64, "width of the embeddings", ge=1)
    code_size: int = setting(
        256, "numbers in the encoder's final hidden state, of both directions together", ge=1
    )
    bidirectional: bool = setting(False, "a second LSTM reads the sentence backwards")

    def __post_init__(self) -> None:
        super().__post_init__()
        even = not (self.bidirectional and self.code_size % 2)
        self._check("code_size", even, "even, half of it for each direction")


@dataclass(frozen=True)
class SentenceTokenizerSettings(Settings):
    """Text to ids."""

    pieces: int = setting(1000, "subword pieces of the tokenizer", ge=10, le=1_000_000)
    max_length: int = setting(
        64, "tokens of a sentence at most, start and end included", metavar="TOKENS", ge=3
    )


@dataclass(frozen=True, kw_only=True)
class SentenceRunSettings(RunSettings):
    """All settings of a sequence autoencoder but its sentences and its seed."""

    variant: str
    tokenizer: SentenceTokenizerSettings = SentenceTokenizerSettings()


_AUTOENCODER: dict[str, Any] = {
    "optimizer": OptimizerSettings(learning_rate=3e-3),
    "training": TrainingSettings(epochs=100),
}
_VAE: dict[str, Any] = {
    "inputs": InputSettings(binarisation="dynamic"),
    "training": TrainingSettings(batch_size=100, epochs=200),
}
_IMAGE_MODELS: dict[str, dict[str, Any]] = {
    # One-hot numbers 0 to 3 and back through two numbers (the German introduction's example).
    "one-hot": {
        "model": CodeSettings(code_size=2, units=(), code_activation="sigmoid", code_noise=1.0),
        "optimizer": OptimizerSettings(learning_rate=0.1),
        "training": TrainingSettings(epochs=20),
    },
    # x^ = g(f(x)) without any nonlinearity: it finds the subspace of PCA.
    "linear": {
        "model": CodeSettings(code_size=8, units=(), output_activation="linear"),
        "optimizer": OptimizerSettings(learning_rate=0.03),
        "training": TrainingSettings(epochs=400),  # components of like variance part slowly
        "objective": ReconstructionSettings(loss="mse"),
    },
    "dense": {"model": CodeSettings()},
    "convolutional": {"model": CodeSettings(network="convolutional", code_size=128)},
    # Denoising layers, one after the other (Vincent et al. 2010, section 3.5), then all of them
    # together, still without labels (Hinton & Salakhutdinov 2006).
    "stacked": {
        "model": CodeSettings(
            code_size=64, units=(256, 128), activation="sigmoid", code_activation="sigmoid"
        ),
        "inputs": InputSettings(masking_noise=0.2),
        "objective": ReconstructionSettings(pretrain_epochs=50),
    },
}
_ONE_LAYER = {
    "objective": ImportanceSettings(),
    # A greater gradient than 200 is one of the rare ones that spoil the weights.
    "optimizer": OptimizerSettings(clip_norm=200.0),
}
_IWAE: dict[str, Any] = {
    "units": (200, 200),
    "filters": (32, 64),
    "activation": "tanh",
}  # the paper's model
_VAE_MODELS: dict[str, dict[str, Any]] = {
    "vae": {"model": LatentSettings(**_IWAE), **_ONE_LAYER},
    "conditional": {"model": ConditionalSettings(**_IWAE), **_ONE_LAYER},
    "hierarchical": {
        "model": HierarchySettings(),
        "objective": BoundSettings(kl_warmup_epochs=10.0),
        "optimizer": OptimizerSettings(learning_rate=1e-2),  # as NVAE's authors
    },
}
IMAGE_MODELS = {
    name: ImageRunSettings(variant=name, **_AUTOENCODER | sections)
    for name, sections in _IMAGE_MODELS.items()
}
VAE_MODELS = {
    name: ImageRunSettings(variant=name, **_VAE | sections)
    for name, sections in _VAE_MODELS.items()
}
SEQUENCE_MODELS = {
    variant: SentenceRunSettings(
        variant=variant,
        model=SequenceSettings(bidirectional=variant == "bi-lstm"),
        optimizer=OptimizerSettings(learning_rate=3e-3),
        training=TrainingSettings(epochs=4),
    )
    for variant in ("lstm", "bi-lstm")
}


def suited(
    settings: ImageRunSettings, given: Collection[str], channels: int, count: int
) -> dict[str, object]:
    """Settings, by name, that suit so many training images better than these, where nothing else is
    `given`.

    A VAE of coloured pictures has a Gaussian likelihood and, with one layer, convolutions: pixels
    that are 0 or 1 have no shades. An epoch of few images has ten steps or so.
    """
    better: dict[str, object] = {}
    if channels > 1 and settings.is_generative:
        if not {"likelihood", "binarisation"} & set(given):
            better |= {"likelihood": "gaussian", "binarisation": "none"}
        if hasattr(settings.model, "network") and not {"network", "units"} & set(given):
            better["network"] = "convolutional"
    if count < FEW_IMAGES and "batch_size" not in given:
        better["batch_size"] = max(SMALLEST_BATCH, count // STEPS_OF_FEW)
    return better


def default_settings(name: str, models: Mapping[str, Any]) -> Any:
    """The defaults of a model; an InputError if there is none of that name."""
    check_choice("--model", name, models)
    return models[name]
