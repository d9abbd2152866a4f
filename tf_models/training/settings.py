"""What a translator's training can be told, and the presets."""

from dataclasses import asdict, dataclass, replace

from tf_models.errors import InputError

AT_LEAST_ONE = (
    *("num_layers", "d_model", "num_heads", "dff"),
    *("batch_size", "warmup_steps", "epochs", "checkpoint_every"),
)


@dataclass(frozen=True)
class TranslatorSettings:
    """All settings of a translator but its corpus and its seed. The defaults are the articles'.

    num_layers, d_model, num_heads, dff, rate: the model (see `Transformer`).
    positions: longest sentence that the model can ever read or write, in tokens.
    tokenizer: "corpus" (BPE trained on the training pairs) or "bpemb" (pretrained).
    pieces: subword pieces of each tokenizer.
    joint: one tokenizer, trained on both languages.
    pretrained_vectors: start from BPEmb's embedding vectors of size d_model.
    batching: "article" (all batches padded alike) or "bucketed" (like lengths together).
    batch_size: sentence pairs.
    longest_source, longest_target: longest training pair, in tokens with start and end.
    schedule: of the learning rate: "inverse_sqrt" (`CustomSchedule`), or "cosine" (the same warm-up
        and peak, then down to zero at the end of the last epoch).
    warmup_steps: optimizer steps until the peak of the schedule.
    epochs: passes over the training pairs.
    checkpoint_every: epochs between checkpoints.
    """

    num_layers: int = 4
    d_model: int = 128
    num_heads: int = 8
    dff: int = 512
    rate: float = 0.1
    positions: int = 128
    tokenizer: str = "corpus"
    pieces: int = 10_000
    joint: bool = False
    pretrained_vectors: bool = False
    batching: str = "article"
    batch_size: int = 64
    longest_source: int = 41
    longest_target: int = 42
    schedule: str = "inverse_sqrt"
    warmup_steps: int = 4000
    epochs: int = 30
    checkpoint_every: int = 1

    def __post_init__(self):
        self._check_choice("tokenizer", ("corpus", "bpemb"))
        self._check_choice("batching", ("article", "bucketed"))
        self._check_choice("schedule", ("inverse_sqrt", "cosine"))
        for name in AT_LEAST_ONE:
            self._check(name, getattr(self, name) >= 1, "at least 1")
        for name in ("longest_source", "longest_target"):
            expected = f"3 to positions={self.positions}"
            self._check(name, 3 <= getattr(self, name) <= self.positions, expected)
        self._check("pieces", self.pieces >= 10, "at least 10")
        self._check("rate", 0 <= self.rate < 1, "at least 0 and below 1")
        if self.d_model % self.num_heads:
            raise InputError(
                "num_heads must divide d_model; "
                f"received d_model={self.d_model}, num_heads={self.num_heads}"
            )
        if self.joint and self.tokenizer == "bpemb":
            raise InputError("BPEmb's models are of one language each; leave out --joint or bpemb")
        if self.pretrained_vectors and self.tokenizer != "bpemb":
            raise InputError("pretrained vectors belong to --tokenizer bpemb; pass that as well")

    def _check(self, name: str, right: bool, expected: str) -> None:
        if not right:
            raise InputError(f"{name} must be {expected}; received {getattr(self, name)}")

    def _check_choice(self, name: str, choices: tuple[str, ...]) -> None:
        self._check(name, getattr(self, name) in choices, f"one of {', '.join(choices)}")

    def changed(self, **changes) -> "TranslatorSettings":
        """A copy with some settings changed; None leaves one as it is."""
        return replace(
            self, **{name: value for name, value in changes.items() if value is not None}
        )

    def as_dict(self) -> dict:
        """For config.json."""
        return asdict(self)


PRESETS = {
    # Small and quick: a few minutes on two cores for the embedded corpus.
    "toy": TranslatorSettings(
        num_layers=2,
        rate=0.0,  # the grammar makes no mistakes that a model could learn by heart
        pieces=2000,
        batching="bucketed",
        longest_source=64,
        longest_target=64,
        schedule="cosine",
        warmup_steps=2500,
        epochs=8,
    ),
    "article": TranslatorSettings(),
}


def preset(name: str) -> TranslatorSettings:
    """The settings called `name`.

    Raises:
        InputError: there are none of that name.
    """
    if name not in PRESETS:
        raise InputError(f"preset must be one of {', '.join(PRESETS)}; received {name!r}")
    return PRESETS[name]
