"""What a translator's training can be told, and the presets."""

from dataclasses import dataclass

from tf_models.errors import InputError
from tf_models.training.settings import CheckedSettings

AT_LEAST_ONE = (
    *("num_layers", "d_model", "num_heads", "dff"),
    *("batch_size", "warmup_steps", "epochs", "checkpoint_every", "beam_size"),
)


@dataclass(frozen=True)
class TranslatorSettings(CheckedSettings):
    """All settings of a translator but its corpus and its seed. The defaults are the articles'.

    num_layers, d_model, num_heads, dff, rate, word_rate: the model (see `Transformer`).
    positions: longest sentence that the model can ever read or write, in tokens.
    tokenizer: "corpus" (BPE trained on the training pairs) or "bpemb" (pretrained).
    pieces: subword pieces of each tokenizer.
    joint: one tokenizer, trained on both languages.
    bpe_dropout: probability that a merge of two pieces is left out in training, so that a word is
        cut in many ways (Provilkov et al. 2020).
    both_directions: first epochs, in which the model learns to translate back as well: each pair is
        turned round with probability 1/2 (Ding et al. 2021; theirs is the first third of training);
        needs `joint`.
    tie_embeddings: one table for source, target and output layer; needs `joint`.
    residual_gain: factor on the initial kernels of attention and feed-forward networks; below 1, a
        deep model learns sooner (see `shrink_residual_branches`).
    pretrained_vectors: start from BPEmb's embedding vectors of size d_model.
    batching: "article" (all batches padded alike), "bucketed" (like lengths together), or "tokens"
        (like lengths together, as many pairs as `batch_tokens` holds).
    batch_size: sentence pairs.
    batch_tokens: tokens of the longer side, padding included, for batching "tokens".
    longest_source, longest_target: longest training pair, in tokens with start and end.
    schedule: of the learning rate: "inverse_sqrt" (`CustomSchedule`), or "cosine" (the same warm-up
        and peak, then down to zero at the end of the last epoch).
    warmup_steps: optimizer steps until the peak of the schedule.
    peak: learning rate there; None for the article's, (d_model * warmup_steps)^-0.5.
    label_smoothing: share of the target distribution that all ids have in common.
    r_drop: weight of R-Drop (Liang et al. 2021), for which each batch is read twice; their 5 is
        for translation, 0 is for none.
    precision: "float32", or "mixed_bfloat16": products in 16 bits, weights and sums in 32.
    epochs: passes over the training pairs.
    checkpoint_every: epochs between checkpoints.
    averaged: last epochs whose weights are averaged into the checkpoint "average"; 0 for none.
    beam_size: beam with which the trained translator translates unless it is told otherwise; if
        above 1, length penalty and checkpoint are chosen on the validation pairs in the end.
    patience: epochs to wait for a better validation BLEU before training ends; 0 looks at the
        validation loss only, and never ends early.
    """

    num_layers: int = 4
    d_model: int = 128
    num_heads: int = 8
    dff: int = 512
    rate: float = 0.1
    word_rate: float = 0.0
    positions: int = 128
    tokenizer: str = "corpus"
    pieces: int = 10_000
    joint: bool = False
    bpe_dropout: float = 0.0
    both_directions: int = 0
    tie_embeddings: bool = False
    residual_gain: float = 1.0
    pretrained_vectors: bool = False
    batching: str = "article"
    batch_size: int = 64
    batch_tokens: int = 4096
    longest_source: int = 41
    longest_target: int = 42
    schedule: str = "inverse_sqrt"
    warmup_steps: int = 4000
    peak: float | None = None
    label_smoothing: float = 0.0
    r_drop: float = 0.0
    precision: str = "float32"
    epochs: int = 30
    checkpoint_every: int = 1
    averaged: int = 0
    patience: int = 0
    beam_size: int = 1

    def __post_init__(self):
        self._check_choice("tokenizer", ("corpus", "bpemb"))
        self._check_choice("batching", ("article", "bucketed", "tokens"))
        self._check_choice("schedule", ("inverse_sqrt", "cosine"))
        self._check_choice("precision", ("float32", "mixed_bfloat16"))
        self._check_at_least_one(*AT_LEAST_ONE)
        for name in ("longest_source", "longest_target"):
            expected = f"3 to positions={self.positions}"
            self._check(name, 3 <= getattr(self, name) <= self.positions, expected)
        self._check("pieces", self.pieces >= 10, "at least 10")
        for name in ("rate", "word_rate", "label_smoothing", "bpe_dropout"):
            self._check(name, 0 <= getattr(self, name) < 1, "at least 0 and below 1")
        for name in ("averaged", "patience", "r_drop", "both_directions"):
            self._check(name, getattr(self, name) >= 0, "at least 0")
        self._check("residual_gain", 0 < self.residual_gain <= 1, "above 0 and at most 1")
        self._check("peak", self.peak is None or 0 < self.peak < 1, "above 0 and below 1")
        longest = max(self.longest_source, self.longest_target)
        self._check("batch_tokens", self.batch_tokens >= longest, f"at least {longest}")
        if self.d_model % self.num_heads:
            raise InputError(
                "num_heads must divide d_model; "
                f"received d_model={self.d_model}, num_heads={self.num_heads}"
            )
        if self.joint and self.tokenizer == "bpemb":
            raise InputError("BPEmb's models are of one language each; leave out --joint or bpemb")
        if self.tie_embeddings and not self.joint:
            raise InputError("tied embeddings need one tokenizer for both sides; pass --joint, too")
        if self.both_directions and not self.joint:
            raise InputError("both directions need one tokenizer for both sides; pass --joint, too")
        if self.pretrained_vectors and self.tokenizer != "bpemb":
            raise InputError("pretrained vectors belong to --tokenizer bpemb; pass that as well")


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
    # For real sentences, few of them: what small-data translation is known to need.
    "best": TranslatorSettings(
        num_heads=4,
        dff=256,
        rate=0.3,
        pieces=14_000,
        joint=True,
        tie_embeddings=True,
        residual_gain=0.5,
        batching="tokens",
        batch_tokens=2048,
        longest_source=100,
        longest_target=100,
        warmup_steps=1000,
        peak=0.0025,
        label_smoothing=0.1,
        epochs=200,
        averaged=10,
        patience=40,
        beam_size=5,
    ),
}


def preset(name: str) -> TranslatorSettings:
    """The settings called `name`.

    Raises:
        InputError: there are none of that name.
    """
    if name not in PRESETS:
        raise InputError(f"preset must be one of {', '.join(PRESETS)}; received {name!r}")
    return PRESETS[name]
