"""Settings of a sequence autoencoder's training."""

from dataclasses import dataclass

from tf_models.training.settings import (
    OptimizerSettings,
    RunSettings,
    Settings,
    TrainingSettings,
    setting,
)


@dataclass(frozen=True)
class SequenceSettings(Settings):
    """The model (see `tf_models.recurrent.sequence_autoencoder.SequenceAutoencoder`)."""

    embedding_dim: int = setting(64, "width of the embeddings", ge=1)
    code_size: int = setting(
        256, "numbers in the encoder's final hidden state, of both directions together", ge=1
    )
    bidirectional: bool = setting(False, "a second LSTM reads the sentence backwards")

    def __post_init__(self):
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


SEQUENCE_MODELS = {
    variant: SentenceRunSettings(
        variant=variant,
        model=SequenceSettings(bidirectional=variant == "bi-lstm"),
        optimizer=OptimizerSettings(learning_rate=3e-3),
        training=TrainingSettings(epochs=4),
    )
    for variant in ("lstm", "bi-lstm")
}
