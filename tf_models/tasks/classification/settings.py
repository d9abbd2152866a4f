"""Settings of a text classifier's training, section by section."""

from dataclasses import dataclass

from tf_models.errors import InputError
from tf_models.training.settings import RunSettings, Settings, TrainingSettings, setting
from tf_models.transformer.choices import POOLINGS


@dataclass(frozen=True)
class EncoderSettings(Settings):
    """The layers that texts and images go through."""

    num_layers: int = setting(2, "layers of the encoder", ge=1, le=1000)
    d_model: int = setting(128, "width of the model", ge=1)
    num_heads: int = setting(4, "heads of each attention block; must divide d_model", ge=1)
    dff: int = setting(256, "width of the feed-forward networks' hidden layer", ge=1)
    dropout: float = setting(0.1, "dropout rate", metavar="RATE", ge=0, lt=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.d_model % self.num_heads:
            raise InputError(
                "num_heads must divide d_model; "
                f"received d_model={self.d_model}, num_heads={self.num_heads}"
            )


@dataclass(frozen=True)
class ClassifierModelSettings(EncoderSettings):
    """The model (see `tf_models.transformer.classifier.TransformerClassifier`)."""

    max_length: int = setting(
        64, "tokens of a text that the model reads; a longer one is cut", metavar="TOKENS", ge=3
    )
    pooling: str = setting(
        "mean",
        "what stands for the text: the mean of the outputs, or the one at the first token",
        choices=POOLINGS,
    )


@dataclass(frozen=True)
class TextSettings(Settings):
    """Texts to ids."""

    pieces: int = setting(2000, "subword pieces of the tokenizer", ge=10, le=1_000_000)
    plain: bool = setting(
        False, "lower case and no mark at the end, so that neither gives a label away"
    )


@dataclass(frozen=True)
class PatientSettings(TrainingSettings):
    """How long to train, at most."""

    patience: int = setting(
        0,
        "epochs to wait for a better validation accuracy; 0 never ends early",
        ge=0,
        changeable=True,
    )


@dataclass(frozen=True)
class ClassifierTrainingSettings(PatientSettings):
    """How long to train, and what."""

    freeze: bool = setting(False, "leave the encoder as --encoder-from has it")


@dataclass(frozen=True, kw_only=True)
class ClassifierSettings(RunSettings):
    """All settings of a classifier but its texts and its seed."""

    text: TextSettings = TextSettings()
    training: ClassifierTrainingSettings = ClassifierTrainingSettings()


DEFAULT_LABELS, OWN_TEXTS = "reference", "own texts"
_DEFAULTS = ClassifierSettings(
    model=ClassifierModelSettings(), training=ClassifierTrainingSettings(epochs=2)
)
CLASSIFIERS = {  # by the labels of the embedded sentences
    DEFAULT_LABELS: _DEFAULTS,
    "type": _DEFAULTS.changed(plain=True),
    "voice": _DEFAULTS.changed(plain=True),
    OWN_TEXTS: _DEFAULTS.changed(max_length=256, pieces=8000, epochs=10, patience=2),
}
