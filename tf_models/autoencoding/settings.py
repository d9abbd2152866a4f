"""Settings and presets for the training of autoencoders and VAEs.

A preset is a complete file in `presets`, called as the model on the command line.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, SerializeAsAny, model_validator

from tf_models.data.images import Corruption
from tf_models.errors import InputError
from tf_models.training.settings import (
    Count,
    MaxLength,
    Name,
    NotNegative,
    Pieces,
    RunSettings,
    Settings,
    Size,
    read_preset,
)

Preset = Literal["dense", "convolutional", "linear", "stacked", "one-hot", "lstm", "bi-lstm"]
VAEPreset = Literal["vae", "conditional", "hierarchical", "photos"]
Likelihood = Literal["bernoulli", "gaussian"]
Activation = Literal["linear", "relu", "elu", "gelu", "silu", "sigmoid", "tanh", "softplus"]


class InputSettings(Settings):
    """Changes of images before the model reads them."""

    binarisation: Literal["none", "static", "dynamic"] = "none"
    """A pixel becomes 1 with its value as probability: static, once; dynamic, in each epoch."""
    masking_noise: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Probability of a pixel that the encoder reads to become 0."""
    gaussian_noise_std: NotNegative = 0.0
    """Standard deviation of Gaussian noise on what the encoder reads."""

    @property
    def corruption(self) -> Corruption:
        """Corruption of what the encoder reads."""
        return Corruption(self.masking_noise, self.gaussian_noise_std)


class NetworkSettings(Settings):
    """Encoder and decoder of images, the layers between pixels and code."""

    network: Literal["dense", "convolutional"] = "dense"
    """Kind of the hidden layers."""
    units: tuple[Size, ...] = (256,)
    """Widths of the dense network's hidden layers."""
    filters: tuple[Size, ...] = (16, 32)
    """Channels of the convolutional network."""
    activation: Activation = "relu"
    """Activation of the hidden layers."""


class CodeSettings(NetworkSettings):
    """An autoencoder (see `tf_models.autoencoders.autoencoder.Autoencoder`)."""

    code_size: Size = 32
    """Numbers in a code."""
    code_activation: Activation = "linear"
    """Activation of the code."""
    output_activation: Activation = "sigmoid"
    """Activation of the reconstruction."""
    code_noise: NotNegative = 0.0
    """Standard deviation of the noise on a code in training, before its activation."""


class LikelihoodSettings(Settings):
    """The decoder of a VAE."""

    likelihood: Likelihood = "bernoulli"
    """p(x | z); with gaussian, the default is --binarisation none."""


class LatentSettings(LikelihoodSettings, NetworkSettings):
    """A VAE with one layer of latents (see `tf_models.autoencoders`)."""

    latents: Size = 50
    """Numbers in a code."""


class HierarchySettings(LikelihoodSettings):
    """A hierarchical VAE (see `tf_models.autoencoders.hierarchical`)."""

    groups: Annotated[tuple[Size, ...], Field(min_length=1)] = (3, 3)
    """Groups of latents at each scale, small to large."""
    channels: Size = 16
    """Channels of the largest scale."""
    latent_channels: Size = 4
    """Latents of a group at each position."""
    patch: Annotated[int, Field(ge=2)] = 2
    """Pixels in a row at a position of the largest scale."""


class ReconstructionSettings(Settings):
    """The loss of an autoencoder."""

    loss: Literal["mse", "bernoulli"] = "bernoulli"
    """Loss between image and reconstruction."""
    pretrain_epochs: Count = 0
    """Epochs for which each layer of a dense network is trained by itself, before all of them are
    trained together."""


class BoundSettings(Settings):
    """The ELBO, and the weight of its KL term."""

    beta: NotNegative = 1.0
    """Weight of the KL term."""
    kl_warmup_epochs: Annotated[float, Field(ge=0, le=1e6)] = 0.0
    """Epochs in which the weight of the KL term rises from 0 to beta."""


class ImportanceSettings(BoundSettings):
    """The importance-weighted bound (Burda et al. 2016)."""

    importance_samples: Size = 1
    """Samples of the bound; 1 is the ELBO."""
    gradient_samples: Count = 0
    """Samples whose gradient is taken, drawn by weight; 0 takes all."""


class ImageRunSettings(RunSettings):
    """All settings of a training on images but the images and the seed.

    variant: name of the model on the command line.
    """

    variant: Name
    inputs: InputSettings = InputSettings()
    objective: SerializeAsAny[Settings]

    @property
    def is_generative(self) -> bool:
        """True if it is a VAE."""
        return isinstance(self.model, LikelihoodSettings)

    @property
    def is_conditional(self) -> bool:
        """True if it is a conditional VAE."""
        return self.variant == "conditional"

    @property
    def is_linear(self) -> bool:
        """True if it is a linear autoencoder, which can only do what PCA does."""
        model = self.model
        if not isinstance(model, CodeSettings) or model.network != "dense" or model.units:
            return False
        return model.code_activation == model.output_activation == "linear"


class AutoencoderSettings(ImageRunSettings):
    """Settings of an autoencoder of images."""

    model: CodeSettings
    objective: ReconstructionSettings

    @model_validator(mode="after")
    def _check(self) -> Self:
        model, objective = self.model, self.objective
        if objective.loss == "bernoulli" and model.output_activation != "sigmoid":
            raise InputError("--loss bernoulli needs --output-activation sigmoid")
        activations = {model.activation, model.code_activation, model.output_activation}
        kind = model.network, self.inputs.binarisation, activations
        if objective.pretrain_epochs and kind != ("dense", "none", {"sigmoid"}):
            raise InputError(
                "--pretrain-epochs needs dense sigmoid layers and images that are not binarised"
            )
        return self


class VAESettings(ImageRunSettings):
    """Settings of a VAE of one layer of latents, perhaps conditional."""

    model: LatentSettings
    objective: ImportanceSettings

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.model.likelihood == "gaussian" and self.inputs.binarisation != "none":
            raise InputError("a Gaussian likelihood is of shades: it needs --binarisation none")
        return self


class HierarchicalVAESettings(VAESettings):
    """Settings of a hierarchical VAE."""

    model: HierarchySettings
    objective: BoundSettings


class SequenceSettings(Settings):
    """The model (see `tf_models.recurrent.sequence_autoencoder`)."""

    embedding_dim: Size = 64
    """Width of the embeddings."""
    code_size: Annotated[int, Field(ge=2, multiple_of=2)] = 256
    """Numbers in the encoder's final hidden state, of both directions together."""
    bidirectional: bool = False
    """A second LSTM reads the sentence backwards."""


class SentenceTokenizerSettings(Settings):
    """Text to ids."""

    pieces: Pieces = 1000
    """Subwords of the tokenizer."""
    max_length: MaxLength = 64
    """Maximum number of tokens of a sentence, `<start>` and `<end>` included."""


class SentenceRunSettings(RunSettings):
    """All settings of a sequence autoencoder but its sentences and its seed."""

    variant: Name
    model: SequenceSettings
    tokenizer: SentenceTokenizerSettings = SentenceTokenizerSettings()


BINARISATIONS = {"bernoulli": "dynamic", "gaussian": "none"}
CLASSES: dict[str, type[RunSettings]] = {
    **dict.fromkeys(("vae", "conditional"), VAESettings),
    "hierarchical": HierarchicalVAESettings,
    **dict.fromkeys(("lstm", "bi-lstm"), SentenceRunSettings),
}
"""The class of a variant's settings; all others are autoencoders of images."""


def preset(name: Preset | VAEPreset, likelihood: Likelihood | None = None) -> Any:
    """The settings of a preset file, of the class of its variant.

    Another likelihood, of a VAE, comes with the binarisation that fits it.
    """
    values = read_preset(__file__, name)
    settings = CLASSES.get(values["variant"], AutoencoderSettings)(**values)
    if likelihood is None or likelihood == settings.model.likelihood:
        return settings
    return settings.changed(likelihood=likelihood, binarisation=BINARISATIONS[likelihood])


def settings_of(config: dict[str, Any]) -> Any:
    """A run's settings, of its variant's class (see `Settings.from_config`)."""
    return CLASSES.get(config["variant"], AutoencoderSettings).from_config(config)
