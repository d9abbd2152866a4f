"""Sequence autoencoders of the sentences of a corpus, in run directories."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

from tf_models.autoencoding.settings import SentenceRunSettings
from tf_models.data.batches import BucketedBatches, EncodedPairs, chunks, padded_batches, within
from tf_models.data.corpora import Corpus, load_sentences
from tf_models.data.pairs import SentencePair
from tf_models.data.subword_models import train_tokenizer
from tf_models.data.tokenizers import SubwordTokenizer
from tf_models.errors import Report, StrPath, counted
from tf_models.plotting.files import save_figures
from tf_models.plotting.lines import plot_training_curves
from tf_models.recurrent.sequence_autoencoder import SequenceAutoencoder
from tf_models.search import BeamSearch
from tf_models.training.checkpoints import BEST, load_weights
from tf_models.training.devices import TOKENS_IN_A_SHARD, device_scope
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import make_adam
from tf_models.training.run_directory import RunDirectory, summary

RUN_KIND = "sequence autoencoder"
TOKENIZER = "source.model"  # file name in the folder of a run's tokenizers
SENTENCES_TOGETHER = 500  # number of sentences that are encoded or decoded at a time
SHOWN_SENTENCES = 5


def train_sentence_autoencoder(
    run_dir: StrPath,
    data: Corpus | str,
    settings: SentenceRunSettings,
    seed: int = 0,
    *,
    minutes: float = math.inf,
    evaluates: bool = True,
    report: Report = print,
) -> TrainingLoop:
    """Train on a corpus's source sentences, resuming at the latest checkpoint.

    The data are a corpus, or a name that `load_sentences` takes; the other arguments are those of
    `train_image_model`. Raises InputError: the directory belongs to another training, or no
    sentence is short enough; TrainingInterrupted.
    """
    run = RunDirectory(run_dir)
    corpus = data if isinstance(data, Corpus) else load_sentences(data, seed=seed)
    settings = settings.fitted(len(sources(corpus.train)))
    run.prepare(RUN_KIND, settings, _describe(corpus), seed, minutes)
    file = run.tokenizers / TOKENIZER
    language = corpus.source_language
    if not run.has_checkpoints:
        train_tokenizer(sources(corpus.train), language, settings.tokenizer.pieces, file)
    tokenizer = SubwordTokenizer(file, language, lowercase=False)
    report(tokenizer.describe())
    encoded = _encode(corpus.train, tokenizer, settings)
    validation = _encode(corpus.validation, tokenizer, settings)
    batch_size = settings.training.batch_size
    tokens = batch_size * int(encoded.lengths[1].sum()) // len(encoded)
    with device_scope(seed, tokens, TOKENS_IN_A_SHARD) as shards:
        batches = BucketedBatches(encoded, batch_size, seed)
        model = build_sequence_autoencoder(settings, tokenizer)
        model.num_shards = shards
        steps = settings.training.epochs * len(batches)
        model.compile(make_adam(settings.optimizer, steps, minutes))
    loop = TrainingLoop(
        run,
        model,
        batches,
        BucketedBatches(validation, batch_size, seed).in_order(),
        epochs=settings.training.epochs,
        minutes=minutes,
        report=report,
    )
    report(settings.length(len(encoded), "sentence", len(batches), minutes))
    loop.fit()
    if evaluates and loop.is_chief:
        report("")
        report_reconstructions(SentenceCoder.load(run_dir), sources(corpus.test), report)
        curves = plot_training_curves(loop.history.columns())
        save_figures({"training": curves}, run.figures, report)
    return loop


def sources(pairs: list[SentencePair]) -> list[str]:
    """Each source sentence once, however many translations it has."""
    return list(dict.fromkeys(pair.source for pair in pairs))


def build_sequence_autoencoder(
    settings: SentenceRunSettings, tokenizer: SubwordTokenizer
) -> SequenceAutoencoder:
    """The untrained model of these settings."""
    model = settings.model
    directions = 2 if model.bidirectional else 1
    return SequenceAutoencoder(
        tokenizer.vocabulary_size,
        model.embedding_dim,
        units=model.code_size // directions,
        bidirectional=model.bidirectional,
    )


def _encode(
    pairs: list[SentencePair], tokenizer: SubwordTokenizer, settings: SentenceRunSettings
) -> EncodedPairs:
    encoded = map(tokenizer.encode, sources(pairs))
    max_length = settings.tokenizer.max_length
    return within([(ids, ids) for ids in encoded], (max_length, max_length))


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
    """A trained model that encodes sentences as vectors and decodes them.

    max_length: maximum number of tokens of a decoded sentence.
    run_dir: the run directory that it comes from, if there is one.
    """

    model: SequenceAutoencoder
    tokenizer: SubwordTokenizer
    max_length: int
    run_dir: Path | None = None

    def __repr__(self) -> str:
        what = f"{self.tokenizer.language}, {self.code_size} numbers a sentence"
        return summary(self, what, self.model, self.run_dir)

    @classmethod
    def load(cls, run_dir: StrPath, checkpoint: str | None = None) -> "SentenceCoder":
        """Load a run's checkpoint: "best" (the default), "latest" or a name.

        Raises InputError: no run of a sequence autoencoder, no such checkpoint, or a damaged file.
        """
        run = RunDirectory(run_dir)
        config = run.read_config(RUN_KIND)
        settings = SentenceRunSettings.from_config(config)
        language = config["data"]["language"]
        tokenizer = SubwordTokenizer(run.tokenizers / TOKENIZER, language, lowercase=False)
        model = build_sequence_autoencoder(settings, tokenizer)
        load_weights(model, run.checkpoints, checkpoint or BEST)
        return cls(model, tokenizer, settings.tokenizer.max_length, run.path)

    @property
    def code_size(self) -> int:
        """Numbers that the decoder starts from: its hidden and its cell state."""
        return 2 * self.model.code_units

    def encode(self, sentences: Sequence[str]) -> np.ndarray:
        """Final hidden and cell states side by side: (sentences, code_size)."""
        codes = np.empty((len(sentences), self.code_size), np.float32)
        ids = list(map(self.tokenizer.encode, sentences))
        for indices, inp in padded_batches(ids, SENTENCES_TOGETHER):
            codes[indices] = np.concatenate(self.model.encode(inp), axis=-1)
        return codes

    def write(self, codes: np.ndarray) -> list[str]:
        """Decode codes (sentences, code_size) to sentences by greedy search."""
        search = BeamSearch(
            self._step,
            start_id=self.tokenizer.start_id,
            end_id=self.tokenizer.end_id,
            max_length=self.max_length,
        )
        sentences: list[str] = []
        for batch in chunks(codes[:, np.newaxis], SENTENCES_TOGETHER):
            states = list(map(tf.constant, np.split(batch, 2, axis=-1)))  # (batch, 1, code_units)
            sentences += map(self.tokenizer.decode, search((), states).ids[:, 0].numpy())
        return sentences

    def _step(
        self, ids: tf.Tensor, memory: tuple, state: list[tf.Tensor]
    ) -> tuple[tf.Tensor, list[tf.Tensor]]:
        """The decoder as search calls it: one hypothesis a sentence."""
        logits, state = self.model.decode(ids, [part[:, 0] for part in state])
        return logits, [part[:, tf.newaxis] for part in state]  # (batch, 1, code_units)


def report_reconstructions(
    coder: SentenceCoder, sentences: list[str], report: Report = print
) -> None:
    """Report the share of exact reconstructions, and a few examples."""
    written = coder.write(coder.encode(sentences))
    exact = np.array(sentences) == np.array(written)
    report(
        f"{counted(len(sentences), 'sentence')} through {coder.code_size} numbers (hidden and cell "
        f"state): {exact.mean():.1%} come back exactly"
    )
    examples = zip(sentences[:SHOWN_SENTENCES], written[:SHOWN_SENTENCES], strict=True)
    for sentence, decoded in examples:
        report(f"\n  read     {sentence}\n  written  {decoded}")
