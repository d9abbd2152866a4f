"""Settings of a translator's training, section by section, and presets.

The defaults are the articles'. A preset is a complete file in `presets`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, SerializeAsAny, field_validator, model_validator

from tf_models.errors import InputError
from tf_models.training.settings import (
    Count,
    FittedSettings,
    MaxLength,
    Name,
    NotNegative,
    Pieces,
    Settings,
    Share,
    Size,
    read_preset,
)

RUN_DIR = Path(__file__).with_name("ready_made")  # see docs/corpus.md
READY_MADE = "ready-made"  # its name on the command line
TRANSFORMER = "transformer"
RECURRENT = ("rnn-attention", "rnn")
VARIANTS: dict[str, dict[str, Any]] = {
    "relative": {"attention": "relative"},
    "rotary": {"attention": "rotary"},
    "learned-positions": {"position_encoding": "learned"},
    "multi-query": {"attention": "grouped_query", "num_kv_heads": 1},
    "grouped-query": {"attention": "grouped_query", "num_kv_heads": 2},
    "pre-norm": {"normalize_first": True},
    "gelu": {"activation": "gelu"},
}
"""Arguments of `Transformer` by the names that --network takes."""
ARCHITECTURES = (TRANSFORMER, *RECURRENT, *VARIANTS)
Preset = Literal["toy", "article", "best"]


class ModelSettings(Settings):
    """A model that translates."""

    positions: MaxLength = 128
    """Tokens of the longest sentence that the model can ever read or write."""
    d_model: Size = 128
    """Width of the embeddings, and of a Transformer's layers."""
    dropout: Share = 0.1
    """Dropout rate."""
    tie_embeddings: bool = False
    """One table for source, target and output layer; needs --tokenizer joint."""


class TransformerSettings(ModelSettings):
    """The Transformer (see `tf_models.transformer.model.Transformer`)."""

    num_layers: Annotated[int, Field(ge=1, le=1000)] = 4
    """Layers of the encoder, and of the decoder."""
    num_heads: Size = 8
    """Heads of each attention block; must divide d_model."""
    dff: Size = 512
    """Width of the feed-forward networks' hidden layer."""
    branch_scale: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Factor on the initial kernels of values, attention outputs and feed-forward networks (Wang et
    al. 2022, DeepNet); below 1 a deep model learns sooner."""
    mimetic_initialisation: bool = False
    """Cross-attention starts by copying its input, so that names are learnt sooner; needs
    --tie-embeddings."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.mimetic_initialisation and not self.tie_embeddings:
            raise InputError("--mimetic-initialisation needs --tie-embeddings")
        if self.d_model % self.num_heads:
            sizes = f"d_model={self.d_model}, num_heads={self.num_heads}"
            raise InputError(f"num_heads must divide d_model; received {sizes}")
        return self


class RecurrentSettings(ModelSettings):
    """A recurrent encoder and decoder (see `tf_models.recurrent.translator`)."""

    d_model: Size = 256
    """Width of the embeddings."""
    units: Size = 256
    """GRU units: the decoder's, and each encoder direction's."""


class TokenizerSettings(Settings):
    """Text to ids."""

    tokenizer: Literal["separate", "joint", "bpemb"] = "separate"
    """BPE trained on the training pairs, one for each language or one for both; or BPEmb's
    pretrained models."""
    pieces: Pieces = 10_000
    """Number of subwords of each tokenizer."""


class BatchingSettings(Settings):
    """Pairs to batches. Lengths are in tokens, start and end included."""

    batch_size: Count = 64
    """Sentence pairs in a batch; 0, as in most presets: --batch-tokens counts."""
    batch_tokens: Count = 0
    """Tokens of a batch's longer side, padding included; 0: --batch-size counts."""
    max_lengths: tuple[MaxLength, MaxLength] = (41, 42)
    """Longest training source and target, in tokens."""
    padded: bool = True
    """Pad all batches of --batch-size pairs to the same shape, as in the article; otherwise a batch
    holds sentences of similar length."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        size = self.batch_size
        tokens = self.batch_tokens
        if bool(size) == bool(tokens):
            raise InputError(
                f"--batch-size {size} and --batch-tokens {tokens}: one must be 0, the other "
                "counts; add --batch-tokens 0 to count pairs, or --batch-size 0 to count tokens"
            )
        return self


class OptimizerSettings(Settings):
    """The optimizer and its learning rate (Vaswani et al. 2017, section 5.3)."""

    clip_norm: NotNegative = 0.0
    """Greatest norm of the gradient of all weights together (Pascanu et al. 2013); a greater one is
    scaled down to it; 0 does not clip."""
    optimizer: Literal["adam", "muon", "adafactor"] = "adam"
    """Adam; or Muon (Jordan et al. 2024) for all matrices but the embeddings, which needs fewer
    steps; or Adafactor."""
    schedule: Literal["inverse_sqrt", "cosine"] = "inverse_sqrt"
    """CustomSchedule; or the same warm-up and peak and then a cosine down to zero."""
    warmup_steps: Size = 4000
    """Optimizer steps until the peak."""
    peak: Annotated[float, Field(gt=0, lt=1)] | None = None
    """Learning rate at the peak; None: (d_model * warmup_steps)^-0.5."""
    weight_decay: Annotated[float, Field(ge=0, le=100)] = 0.0
    """Decoupled weight decay of kernels and embeddings (Loshchilov & Hutter 2019): a step
    multiplies them by 1 - learning rate x this."""


class TrainingSettings(Settings):
    """Training: length, loss, precision, averaging, initial embeddings."""

    epochs: Size = 30
    """Passes over the training pairs."""
    patience: Count = 0
    """Epochs to wait for a better validation BLEU before training ends; 0 looks at the validation
    loss only, and never ends early."""
    average_last_n: Count = 0
    """Last epochs whose weights are averaged into the checkpoint average."""
    label_smoothing: Share = 0.0
    """Share of the target distribution that is spread evenly over all ids."""
    precision: Literal["float32", "mixed_bfloat16", "mixed_float16"] = "float32"
    """Number format of matrix products; weights and sums stay float32."""
    pretrained_vectors: bool = False
    """Initialise the embeddings with BPEmb's vectors of the same width."""


class DecodingSettings(Settings):
    """Default decoding with the trained translator."""

    beam_size: Size = 1
    """Hypotheses kept for each sentence; 1 is greedy."""


class TranslatorSettings(FittedSettings):
    """All settings of a translator but its corpus and its seed."""

    architecture: Name = TRANSFORMER
    model: SerializeAsAny[ModelSettings] = TransformerSettings()
    tokenizer: TokenizerSettings = TokenizerSettings()
    batching: BatchingSettings = BatchingSettings()
    optimizer: OptimizerSettings = OptimizerSettings()
    training: TrainingSettings = TrainingSettings()
    decoding: DecodingSettings = DecodingSettings()

    def fitted(self, examples: int, tokens: int = 0) -> Self:
        """Settings for so many pairs, with the same peak (see `FittedSettings`)."""
        fitted = super().fitted(examples, tokens)
        optimizer = self.optimizer
        if optimizer.peak or fitted.optimizer.warmup_steps == optimizer.warmup_steps:
            return fitted
        return fitted.changed(peak=(self.model.d_model * optimizer.warmup_steps) ** -0.5)

    @property
    def is_recurrent(self) -> bool:
        """True if the model is recurrent, False if it is a Transformer."""
        return self.architecture in RECURRENT

    @field_validator("architecture")
    @classmethod
    def _check_architecture(cls, name: str) -> str:
        if name not in ARCHITECTURES:
            raise InputError(f"must be one of {', '.join(ARCHITECTURES)}; received {name!r}")
        return name

    @field_validator("model", mode="before")
    @classmethod
    def _model_of_architecture(cls, model: Any, info: Any) -> Any:
        if not isinstance(model, Mapping):
            return model
        is_recurrent = info.data.get("architecture") in RECURRENT
        return RecurrentSettings(**model) if is_recurrent else TransformerSettings(**model)

    @model_validator(mode="after")
    def _check(self) -> Self:
        lengths = self.batching.max_lengths
        tokenizer = self.tokenizer.tokenizer
        positions = self.model.positions
        vectors = self.training.pretrained_vectors
        if max(lengths) > positions:
            raise InputError(f"max_lengths must be 3 to positions={positions}; received {lengths}")
        if self.model.tie_embeddings and tokenizer != "joint":
            raise InputError("--tie-embeddings needs --tokenizer joint, one for both languages")
        if vectors and (tokenizer != "bpemb" or self.is_recurrent):
            raise InputError("--pretrained-vectors needs --tokenizer bpemb and a Transformer")
        if self.training.precision != "float32" and self.is_recurrent:
            raise InputError(f"--model {self.architecture} computes with --precision float32 only")
        return self


def preset(name: Preset, architecture: str = TRANSFORMER) -> TranslatorSettings:
    """The settings of a preset file, for one of `ARCHITECTURES`."""
    family = "recurrent-" if architecture in RECURRENT else ""
    values = read_preset(__file__, family + name)
    return TranslatorSettings(**values | {"architecture": architecture})


def fine_tuning(trained: TranslatorSettings) -> TranslatorSettings:
    """Settings that fine-tune a trained run: its own, changed by a preset."""
    return trained.changed(**read_preset(__file__, "fine-tuning"), fixed=frozenset())


def run_dir_of(name: str) -> Path:
    """Run directory of a path on the command line, or of `READY_MADE`."""
    return RUN_DIR if name == READY_MADE else Path(name)
