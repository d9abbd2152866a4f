"""What a sequence autoencoder's training can be told."""

from dataclasses import dataclass

from tf_models.training.settings import SCHEDULES, CheckedSettings


@dataclass(frozen=True)
class SequenceSettings(CheckedSettings):
    """All settings of a sequence autoencoder but its sentences and its seed.

    embedding_dim: width of the embeddings.
    code_size: numbers in the encoder's final hidden state, of both directions together.
    bidirectional: whether a second LSTM reads the sentence backwards.
    rate: of dropout on the embeddings.
    pieces: subword pieces of the tokenizer.
    longest: longest sentence, in tokens with start and end.
    batch_size: sentences.
    learning_rate: of Adam.
    schedule: "cosine" (down to zero at the end of the last epoch) or "constant".
    epochs: passes over the training sentences.
    checkpoint_every: epochs between checkpoints.
    """

    embedding_dim: int = 64
    code_size: int = 256
    bidirectional: bool = False
    rate: float = 0.0
    pieces: int = 1000
    longest: int = 64
    batch_size: int = 64
    learning_rate: float = 3e-3
    schedule: str = "cosine"
    epochs: int = 10
    checkpoint_every: int = 1

    def __post_init__(self):
        self._check_at_least_one("embedding_dim", "code_size", "batch_size", "epochs")
        self._check_at_least_one("checkpoint_every")
        even = not (self.bidirectional and self.code_size % 2)
        self._check("code_size", even, "even, half of it for each direction")
        self._check("pieces", self.pieces >= 10, "at least 10")
        self._check("longest", self.longest >= 3, "at least 3")
        self._check("rate", 0 <= self.rate < 1, "at least 0 and below 1")
        self._check("learning_rate", 0 < self.learning_rate < 1, "above 0 and below 1")
        self._check_choice("schedule", SCHEDULES)


SEQUENCE_MODELS = {
    "lstm": SequenceSettings(),
    "bi-lstm": SequenceSettings(bidirectional=True),
}
