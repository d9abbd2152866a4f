"""Settings of a translator's training, section by section. The defaults are the articles'."""

from dataclasses import dataclass
from typing import ClassVar

from tf_models.errors import InputError
from tf_models.training.settings import ClippingSettings, Settings, setting

OPTIMIZERS = ("adam", "muon", "adafactor")
SCHEDULES = ("inverse_sqrt", "cosine")
PRECISIONS = ("float32", "mixed_bfloat16", "mixed_float16")


@dataclass(frozen=True)
class ModelSettings(Settings):
    """What every architecture has; its own settings are a subclass."""

    positions: int = setting(
        128, "longest sentence that the model can ever read or write", metavar="TOKENS", ge=3
    )

    d_model: int = setting(
        128, "width of the embeddings, and of a Transformer's layers", metavar="N", ge=1
    )

    # Whether the model can compute its products in 16 bits.
    supports_mixed_precision: ClassVar[bool] = True


@dataclass(frozen=True)
class TransformerSettings(ModelSettings):
    """The Transformer (see `tf_models.transformer.model.Transformer`)."""

    num_layers: int = setting(4, "layers of the encoder, and of the decoder", ge=1, le=1000)
    num_heads: int = setting(8, "heads of each attention block; must divide d_model", ge=1)
    dff: int = setting(512, "width of the feed-forward networks' hidden layer", ge=1)
    dropout: float = setting(0.1, "dropout rate", metavar="RATE", ge=0, lt=1)
    tie_embeddings: bool = setting(False, "one table for source, target and output layer")
    branch_scale: float = setting(
        1.0,
        "factor on the initial kernels of attention and feed-forward networks (Wang et al. 2022, "
        "DeepNet); below 1 a deep model learns sooner",
        metavar="SCALE",
        gt=0,
        le=1,
    )
    mimetic_initialisation: bool = setting(
        False, "cross-attention starts by copying what it finds, so that names are learnt sooner"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mimetic_initialisation and not self.tie_embeddings:
            raise InputError("mimetic initialisation needs tied embeddings")
        if self.d_model % self.num_heads:
            raise InputError(
                "num_heads must divide d_model; "
                f"received d_model={self.d_model}, num_heads={self.num_heads}"
            )


@dataclass(frozen=True)
class RecurrentSettings(ModelSettings):
    """A recurrent encoder and decoder (see `tf_models.recurrent.translator`)."""

    d_model: int = setting(256, "width of the embeddings", metavar="N", ge=1)
    units: int = setting(256, "of the decoder, and of each direction of the encoder", ge=1)
    cell: str = setting("gru", "of encoder and decoder", choices=("gru", "lstm"))
    dropout: float = setting(0.1, "dropout rate", metavar="RATE", ge=0, lt=1)
    tie_embeddings: bool = setting(False, "one table for source, target and output layer")
    supports_mixed_precision: ClassVar[bool] = False


@dataclass(frozen=True)
class TokenizerSettings(Settings):
    """Text to ids."""

    tokenizer: str = setting(
        "separate",
        "BPE trained on the training pairs, one for each language or one for both, which then also "
        "have one table of embeddings; or BPEmb's pretrained models",
        choices=("separate", "joint", "bpemb"),
    )
    pieces: int = setting(10_000, "subword pieces of each tokenizer", ge=10, le=1_000_000)


@dataclass(frozen=True)
class BatchingSettings(Settings):
    """Pairs to batches. Lengths are in tokens, start and end included."""

    batch_size: int = setting(64, "sentence pairs in a batch", ge=1)
    batch_tokens: int = setting(
        0, "in place of --batch-size: tokens of a batch's longer side, padding included", ge=0
    )
    max_lengths: tuple[int, int] = setting((41, 42), "longest training source and target", ge=3)
    padded: bool = setting(
        True, "all batches have the same shape, as in the article; or like lengths stand together"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check("max_lengths", len(self.max_lengths) == 2, "two numbers")
        if self.batch_tokens:
            longest = max(self.max_lengths)
            self._check("batch_tokens", self.batch_tokens >= longest, f"at least {longest}")
            self._check("padded", not self.padded, "false where batches hold a number of tokens")


@dataclass(frozen=True)
class OptimizerSettings(ClippingSettings):
    """The optimizer and its learning rate (Vaswani et al. 2017, section 5.3)."""

    optimizer: str = setting(
        "adam",
        "Adam, or Muon (Jordan et al. 2024) for all matrices but the embeddings, which needs "
        "fewer steps",
        choices=OPTIMIZERS,
    )

    schedule: str = setting(
        "inverse_sqrt",
        "CustomSchedule, or the same warm-up and peak and then a cosine down to zero",
        choices=SCHEDULES,
    )
    warmup_steps: int = setting(4000, "optimizer steps until the peak", ge=1)
    peak: float | None = setting(
        None,
        "learning rate there, if not (d_model * warmup_steps)^-0.5",
        metavar="RATE",
        gt=0,
        lt=1,
        lowerable=True,
    )
    weight_decay: float = setting(
        0.0,
        "decoupled weight decay of kernels and embeddings (Loshchilov & Hutter 2019): a step "
        "multiplies them by 1 - learning rate x LAMBDA",
        metavar="LAMBDA",
        ge=0,
        le=100,
    )


@dataclass(frozen=True)
class TrainingSettings(Settings):
    """How long, towards what, and what is kept."""

    epochs: int = setting(30, "passes over the training pairs", ge=1, changeable=True)
    patience: int = setting(
        0,
        "epochs to wait for a better validation BLEU before training ends; 0 looks at the "
        "validation loss only, and never ends early",
        ge=0,
        changeable=True,
    )
    average_last_n: int = setting(
        0, "last epochs whose weights are averaged into the checkpoint average", ge=0
    )
    label_smoothing: float = setting(
        0.0,
        "share of the target distribution that all ids have in common",
        metavar="SHARE",
        ge=0,
        lt=1,
    )
    precision: str = setting(
        "float32", "of products; weights and sums keep 32 bits", choices=PRECISIONS
    )
    pretrained_vectors: bool = setting(
        False, "start from BPEmb's vectors, as wide as the model's embeddings"
    )


@dataclass(frozen=True)
class DecodingSettings(Settings):
    """How the trained translator translates by default."""

    beam_size: int = setting(1, "hypotheses kept; 1 is greedy", ge=1, changeable=True)


@dataclass(frozen=True)
class TranslatorSettings(Settings):
    """All settings of a translator but its corpus and its seed.

    architecture: its name in `tf_models.tasks.translation.architectures`, whose settings `model`
        is of.
    """

    architecture: str = "transformer"
    model: ModelSettings = TransformerSettings()
    tokenizer: TokenizerSettings = TokenizerSettings()
    batching: BatchingSettings = BatchingSettings()
    optimizer: OptimizerSettings = OptimizerSettings()
    training: TrainingSettings = TrainingSettings()
    decoding: DecodingSettings = DecodingSettings()

    def __post_init__(self) -> None:
        super().__post_init__()
        if max(self.batching.max_lengths) > self.model.positions:
            raise InputError(
                f"max_lengths must be 3 to positions={self.model.positions}; "
                f"received {self.batching.max_lengths}"
            )
        if getattr(self.model, "tie_embeddings", False) and self.tokenizer.tokenizer != "joint":
            raise InputError(
                "tied embeddings need one tokenizer for both languages; pass --tokenizer joint"
            )
        if self.training.precision != "float32" and not self.model.supports_mixed_precision:
            raise InputError(
                f"--model {self.architecture} computes in float32 only; received precision "
                f"{self.training.precision!r}"
            )
        if self.training.pretrained_vectors and self.tokenizer.tokenizer != "bpemb":
            raise InputError("pretrained_vectors belong to --tokenizer bpemb; pass that as well")
