"""Settings of a sequence autoencoder's training."""

from dataclasses import dataclass

from tf_models.training.settings import OptimizerSettings, Settings, TrainingSettings, setting


@dataclass(frozen=True)
class SequenceSettings(Settings):
    """The model (see `tf_models.recurrent.sequence_autoencoder.SequenceAutoencoder`)."""

    embedding_dim: int = setting(64, "width of the embeddings", ge=1)
    code_size: int = setting(
        256, "numbers in the encoder's final hidden state, of both directions together", ge=1
    )
    bidirectional: bool = setting(False, "a second LSTM reads the sentence backwards")
    dropout: float = setting(0.0, "dropout rate on the embeddings", metavar="RATE", ge=0, lt=1)

    def __post_init__(self):
        super().__post_init__()
        even = not (self.bidirectional and self.code_size % 2)
        self._check("code_size", even, "even, half of it for each direction")


@dataclass(frozen=True)
class SentenceTokenizerSettings(Settings):
    """Text to ids."""

    pieces: int = setting(1000, "subword pieces of the tokenizer", ge=10, le=1_000_000)
    longest: int = setting(64, "longest sentence, start and end included", metavar="TOKENS", ge=3)


@dataclass(frozen=True)
class SentenceRunSettings(Settings):
    """All settings of a sequence autoencoder but its sentences and its seed."""

    variant: str = "lstm"
    model: SequenceSettings = SequenceSettings()
    tokenizer: SentenceTokenizerSettings = SentenceTokenizerSettings()
    optimizer: OptimizerSettings = OptimizerSettings(learning_rate=3e-3)
    training: TrainingSettings = TrainingSettings(epochs=4)


SEQUENCE_MODELS = {
    "lstm": SentenceRunSettings(),
    "bi-lstm": SentenceRunSettings("bi-lstm", SequenceSettings(bidirectional=True)),
}
