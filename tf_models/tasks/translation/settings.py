"""Settings of a translator's training, section by section. The defaults are the articles'."""

from dataclasses import dataclass

from tf_models.errors import InputError
from tf_models.training.settings import ClippingSettings, Settings, setting

OPTIMIZERS = ("adam", "muon")
SCHEDULES = ("inverse_sqrt", "cosine")
PRECISIONS = ("float32", "mixed_bfloat16", "mixed_float16")


@dataclass(frozen=True)
class ModelSettings(Settings):
    """What every architecture has; its own settings are a subclass."""

    positions: int = setting(
        128, "longest sentence that the model can ever read or write", metavar="TOKENS", ge=3
    )

    @property
    def width(self) -> int:
        """Numbers in an embedding: the d_model of `CustomSchedule`, the size of BPEmb's vectors."""
        raise NotImplementedError

    @property
    def one_vocabulary(self) -> bool:
        """Whether the model needs the same ids for both languages."""
        return False

    @property
    def mixes_precision(self) -> bool:
        """Whether the model can compute its products in 16 bits."""
        return True


@dataclass(frozen=True)
class TransformerSettings(ModelSettings):
    """The Transformer (see `tf_models.transformer.model.Transformer`)."""

    num_layers: int = setting(4, "layers of the encoder, and of the decoder", ge=1, le=1000)
    d_model: int = setting(128, "width of the model", ge=1)
    num_heads: int = setting(8, "heads of each attention block; must divide d_model", ge=1)
    dff: int = setting(512, "width of the feed-forward networks' hidden layer", ge=1)
    dropout: float = setting(0.1, "dropout rate", metavar="RATE", ge=0, lt=1)
    tie_embeddings: bool = setting(
        False, "one table for source, target and output layer; needs --joint"
    )
    residual_gain: float = setting(
        1.0,
        "factor on the initial kernels of attention and feed-forward networks; below 1 a deep "
        "model learns sooner",
        metavar="G",
        gt=0,
        le=1,
    )
    copying_start: bool = setting(
        False,
        "cross-attention starts by copying what it finds, so that names are learnt sooner; needs "
        "--tie-embeddings",
    )

    def __post_init__(self):
        super().__post_init__()
        if self.copying_start and not self.tie_embeddings:
            raise InputError(
                "a copying start needs one table for both languages; "
                "pass --tie-embeddings, or --no-copying-start, too"
            )
        if self.d_model % self.num_heads:
            raise InputError(
                "num_heads must divide d_model; "
                f"received d_model={self.d_model}, num_heads={self.num_heads}"
            )

    @property
    def width(self) -> int:
        """d_model."""
        return self.d_model

    @property
    def one_vocabulary(self) -> bool:
        """Whether one embedding table serves both languages."""
        return self.tie_embeddings


@dataclass(frozen=True)
class RecurrentSettings(ModelSettings):
    """A recurrent encoder and decoder (see `tf_models.recurrent.translator`)."""

    embedding_dim: int = setting(256, "width of the embeddings", ge=1)
    units: int = setting(256, "of the decoder, and of each direction of the encoder", ge=1)
    cell: str = setting("gru", "of encoder and decoder", choices=("gru", "lstm"))
    dropout: float = setting(0.1, "dropout rate", metavar="RATE", ge=0, lt=1)
    tie_embeddings: bool = setting(
        False, "one table for source, target and output layer; needs --joint"
    )

    @property
    def width(self) -> int:
        """embedding_dim."""
        return self.embedding_dim

    @property
    def mixes_precision(self) -> bool:
        """False: all is float32."""
        return False

    @property
    def one_vocabulary(self) -> bool:
        """Whether one embedding table serves both languages."""
        return self.tie_embeddings


@dataclass(frozen=True)
class TokenizerSettings(Settings):
    """Text to ids."""

    tokenizer: str = setting(
        "corpus",
        "BPE trained on the training pairs, or BPEmb's pretrained models",
        choices=("corpus", "bpemb"),
    )
    pieces: int = setting(10_000, "subword pieces of each tokenizer", ge=10, le=1_000_000)
    joint: bool = setting(False, "one tokenizer, trained on both languages")

    def __post_init__(self):
        super().__post_init__()
        if self.joint and self.tokenizer == "bpemb":
            raise InputError(
                "BPEmb's models are of one language each: start from --preset article, or pass "
                "--no-joint --no-tie-embeddings --no-copying-start and a size that BPEmb has, such "
                "as --pieces 10000"
            )


@dataclass(frozen=True)
class BatchingSettings(Settings):
    """Pairs to batches. Lengths are in tokens, start and end included."""

    batching: str = setting(
        "article",
        "article: all batches padded alike; bucketed: like lengths together; tokens: the same, "
        "with as many pairs as --batch-tokens holds",
        choices=("article", "bucketed", "tokens"),
    )
    batch_size: int = setting(64, "sentence pairs in a batch", ge=1)
    batch_tokens: int = setting(
        4096, "tokens of the longer side, padding included, for --batching tokens", ge=1
    )
    longest_source: int = setting(41, "longest training source", metavar="TOKENS", ge=3)
    longest_target: int = setting(42, "longest training target", metavar="TOKENS", ge=3)

    def __post_init__(self):
        super().__post_init__()
        longest = max(self.longest_source, self.longest_target)
        self._check("batch_tokens", self.batch_tokens >= longest, f"at least {longest}")


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
    averaged: int = setting(
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

    beam_size: int = setting(
        1,
        "hypotheses kept; above 1, checkpoint and length penalty are chosen on the validation "
        "pairs in the end",
        ge=1,
        changeable=True,
    )


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

    def __post_init__(self):
        super().__post_init__()
        for name in ("longest_source", "longest_target"):
            longest = getattr(self.batching, name)
            if longest > self.model.positions:
                raise InputError(
                    f"{name} must be 3 to positions={self.model.positions}; received {longest}"
                )
        if self.model.one_vocabulary and not self.tokenizer.joint:
            raise InputError(
                "tied embeddings need one tokenizer for both sides; pass --joint, or leave them out"
            )
        if self.training.precision != "float32" and not self.model.mixes_precision:
            raise InputError(
                f"--model {self.architecture} computes in float32 only; received precision "
                f"{self.training.precision!r}"
            )
        if self.training.pretrained_vectors and self.tokenizer.tokenizer != "bpemb":
            raise InputError("pretrained vectors belong to --tokenizer bpemb; pass that as well")
