"""Sequence autoencoders of the sentences of a corpus, in run directories."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

from tf_models.autoencoding.settings import SentenceRunSettings
from tf_models.data.batches import EncodedPairs, TranslationBatches, padded_batches, within
from tf_models.data.corpora import Corpus
from tf_models.data.pairs import SentencePair
from tf_models.data.text_files import read_lines
from tf_models.data.tokenizers import SubwordTokenizer, train_tokenizer
from tf_models.errors import InputError, Report, TrainingInterrupted
from tf_models.plotting.files import save_figures
from tf_models.plotting.lines import plot_training_curves
from tf_models.recurrent.sequence_autoencoder import SequenceAutoencoder
from tf_models.search import BeamSearch, ForcedAndFree
from tf_models.training.checkpoints import BEST, load_weights
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import make_adam, time_fraction
from tf_models.training.run_directory import RunDirectory
from tf_models.training.strategy import prepare_devices

KIND, TOKENIZER = "sequence autoencoder", "source.model"
TOKENS_IN_A_SHARD = 256  # at least; with fewer, its matrices are too small to be worth a core
INFERENCE_BATCH_SIZE = 100  # sentences at a time
IDS = tf.TensorSpec((None, None), tf.int32)
SHOWN_SENTENCES = 5
BUCKET_WIDTH = 3  # words


def train(
    run_dir: Path,
    corpus: Corpus,
    settings: SentenceRunSettings,
    seed: int,
    *,
    minutes: float = math.inf,
    strategy: tf.distribute.Strategy | None = None,
    measures: bool = True,
    report: Report = print,
) -> TrainingLoop:
    """Train on the source sentences of a corpus, from the run's latest checkpoint on.

    Args:
        run_dir: the run directory.
        corpus: training, validation and test pairs.
        settings: of model and training.
        seed: of weights, noise and order.
        minutes: of the training, in place of epochs.
        strategy: of the devices; made before TensorFlow computes anything.
        measures: whether to measure the test sentences and draw the curves at the end.
        report: takes the lines that are shown.

    Raises:
        InputError: the directory belongs to another training, or no sentence is short enough.
        TrainingInterrupted: a signal ended it, and what is done is saved.
    """
    run = RunDirectory(run_dir)
    run.prepare(KIND, settings, _describe(corpus), seed, minutes)
    file, language = run.tokenizers / TOKENIZER, corpus.source_language
    if not file.exists():
        train_tokenizer(sources(corpus.train), language, settings.tokenizer.pieces, file)
    tokenizer = SubwordTokenizer(file, language, lowercase=False)
    report(tokenizer.describe())
    encoded = _encode(corpus.train, tokenizer, settings)
    validation = _encode(corpus.validation, tokenizer, settings)
    batch_size = settings.training.batch_size
    batches = TranslationBatches(encoded, batch_size, seed)

    tokens = batch_size * sum(map(len, encoded.target)) // len(encoded)
    shards = prepare_devices(seed, tokens, TOKENS_IN_A_SHARD)
    strategy = strategy or tf.distribute.get_strategy()
    with strategy.scope():
        fraction = time_fraction(settings.optimizer.schedule, minutes)
        model = build_sequence_autoencoder(settings, tokenizer)
        model.num_shards = shards
        steps = settings.training.epochs * len(batches)
        model.compile(make_adam(settings.optimizer, steps, fraction))
    report(f"model: {model.count_params():,} parameters; run directory {run_dir}")
    loop = TrainingLoop(
        run,
        model,
        batches,
        TranslationBatches(validation, batch_size, seed).in_order(),
        epochs=settings.training.epochs,
        minutes=minutes,
        fraction=fraction,
        strategy=strategy,
        report=report,
    )
    if not loop.fit():
        raise TrainingInterrupted(run.path)
    if measures and loop.is_chief:
        report("")
        report_reconstructions(SentenceCoder.load(run_dir), sources(corpus.test), report)
        curves = plot_training_curves(loop.history.columns())
        save_figures({"training": curves}, run.figures, report)
    return loop


def evaluate_run(
    run_dir: Path,
    *,
    checkpoint: str | None = None,
    source: Path | None = None,
    report: Report = print,
) -> dict:
    """Measure which sentences of a file, a line each, come back. Returns the numbers by name.

    The checkpoint is "best", "latest" or a name. Raises InputError: the file or the run cannot be
    read.
    """
    if source is None:
        raise InputError("name the sentences to read and write again: --source FILE")
    sentences = [line for line in read_lines(source) if line.strip()]
    return report_reconstructions(SentenceCoder.load(run_dir, checkpoint), sentences, report)


def sources(pairs: list[SentencePair]) -> list[str]:
    """Each source sentence once, however many translations it has."""
    return list(dict.fromkeys(pair.source for pair in pairs))


def build_sequence_autoencoder(
    settings: SentenceRunSettings, tokenizer: SubwordTokenizer
) -> SequenceAutoencoder:
    """The untrained model of these settings."""
    model = settings.model
    return SequenceAutoencoder(
        tokenizer.vocabulary_size,
        model.embedding_dim,
        model.code_size // (1 + model.bidirectional),
        model.bidirectional,
    )


def _encode(
    pairs: list[SentencePair], tokenizer: SubwordTokenizer, settings: SentenceRunSettings
) -> EncodedPairs:
    encoded = map(tokenizer.encode, sources(pairs))
    return within([(ids, ids) for ids in encoded], (settings.tokenizer.max_length,) * 2)


def _describe(corpus: Corpus) -> dict:
    return {
        "corpus": corpus.name,
        "language": corpus.source_language,
        "training_sentences": len(sources(corpus.train)),
        "validation_sentences": len(sources(corpus.validation)),
        "test_sentences": len(sources(corpus.test)),
        "fingerprint": corpus.fingerprint(),
    }


@dataclass(frozen=True)
class SentenceCoder:
    """Reads sentences into single vectors and writes them again.

    max_length: tokens that it writes at most.
    """

    model: SequenceAutoencoder
    tokenizer: SubwordTokenizer
    max_length: int

    @classmethod
    def load(cls, run_dir: str | Path, checkpoint: str | None = None) -> "SentenceCoder":
        """Load a run's checkpoint: "best" (the default), "latest" or a name. Raises InputError: no
        run of a sequence autoencoder, no such checkpoint, or a damaged file.
        """
        run = RunDirectory(Path(run_dir))
        with run.reading(KIND) as config:
            settings = SentenceRunSettings.from_config(config)
            language = config["data"]["language"]
        tokenizer = SubwordTokenizer(run.tokenizers / TOKENIZER, language, lowercase=False)
        model = build_sequence_autoencoder(settings, tokenizer)
        load_weights(model, run.checkpoints, checkpoint or BEST)
        return cls(model, tokenizer, settings.tokenizer.max_length)

    @property
    def code_size(self) -> int:
        """Numbers that the decoder starts from: its hidden and its cell state."""
        return 2 * self.model.code_units

    def reconstruct(
        self, sentences: Sequence[str], *, progress: bool = False
    ) -> tuple[list[str], ForcedAndFree]:
        """Sentences that the decoder writes from the codes, reading its own predictions only, and
        teacher forcing beside it, with the sentences in another order, the shortest first.
        """
        predict = tf.function(self._predict, input_signature=[IDS])
        ids, compared = list(map(self.tokenizer.encode, sentences)), []
        written = [""] * len(ids)
        bar = "writing" if progress else None
        for chosen, inp in padded_batches(ids, INFERENCE_BATCH_SIZE, bar):
            forced, free = (ids.numpy() for ids in predict(inp))
            compared.append((inp[:, 1:].numpy(), forced, free))
            for i, row in zip(chosen, free, strict=True):
                written[i] = self.tokenizer.decode(row)
        return written, ForcedAndFree.of(*zip(*compared, strict=True))

    def _predict(self, inp: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Most probable tokens after the right ones, (batch, len - 1), and what `_write` writes."""
        logits = self.model(inp, inp[:, :-1], training=False)
        forced = tf.argmax(logits, axis=-1, output_type=tf.int32)
        return forced, self._write(self.model.encode(inp))

    def _write(self, states: list[tf.Tensor]) -> tf.Tensor:
        """Greedy search from hidden and cell states (batch, code_units): ids (batch, written)."""
        ends = {"start_id": self.tokenizer.start_id, "end_id": self.tokenizer.end_id}
        search = BeamSearch(self._step, **ends, max_length=self.max_length)
        codes = [state[:, tf.newaxis] for state in states]  # (batch, 1, code_units)
        return search((), codes).ids[:, 0]

    def _step(
        self, ids: tf.Tensor, memory: tuple, state: list[tf.Tensor]
    ) -> tuple[tf.Tensor, list[tf.Tensor]]:
        """The decoder as search calls it: one hypothesis a sentence."""
        logits, state = self.model.decode(ids, [part[:, 0] for part in state])
        return logits, [part[:, tf.newaxis] for part in state]  # (batch, 1, code_units)


def report_reconstructions(
    coder: SentenceCoder, sentences: list[str], report: Report = print
) -> dict:
    """Sentences that come back as they were, by length, teacher forcing, a few of all. Returns the
    numbers by name.
    """
    written, comparison = coder.reconstruct(sentences, progress=True)
    exact = np.array(sentences) == np.array(written)
    report(
        f"{len(sentences)} sentences through {coder.code_size} numbers (hidden and cell state): "
        f"{exact.mean():.1%} come back exactly\n\nwords  exact  sentences"
    )
    for words, (share, count) in exact_by_length(sentences, exact).items():
        report(f"{words:>5}  {share:>5.0%}  {count:>9,}")
    report("")
    for line in comparison.lines("sentences"):
        report(line)
    for sentence, back in list(zip(sentences, written, strict=True))[:SHOWN_SENTENCES]:
        report(f"\n  read     {sentence}\n  written  {back}")
    return {"sentences": len(sentences), "exact match": float(exact.mean())}


def exact_by_length(sentences: Sequence[str], exact: np.ndarray) -> dict[str, tuple[float, int]]:
    """Share of sentences that came back exactly, 0 to 1, and their number, by numbers of words.

    `exact` says which of them came back, (sentences,) bool.
    """
    buckets = np.array([(len(sentence.split()) - 1) // BUCKET_WIDTH for sentence in sentences])
    rows = {}
    for bucket in np.unique(buckets):
        first, of_bucket = bucket * BUCKET_WIDTH + 1, exact[buckets == bucket]
        rows[f"{first}-{first + BUCKET_WIDTH - 1}"] = float(of_bucket.mean()), len(of_bucket)
    return rows
