"""Training a translator: from a corpus and settings, or a trained run, to a run directory."""

import math
from dataclasses import dataclass
from pathlib import Path

import keras
import tensorflow as tf

from tf_models.data.batches import EncodedPairs, TranslationBatches, encode_pairs
from tf_models.data.corpora import Corpus
from tf_models.data.pairs import SentencePair
from tf_models.data.tokenizers import TokenizerPair, normalize_source
from tf_models.errors import InputError, Report
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import TimedCosine, time_fraction
from tf_models.training.run_directory import RunDirectory
from tf_models.training.strategy import prepare_devices
from tf_models.transformer.schedule import CustomSchedule
from tf_models.translation.arguments import READY_MADE, RUN_DIR
from tf_models.translation.evaluate import make_bleu, validation_bleu
from tf_models.translation.known_words import load_known_words, save_known_words, words_of
from tf_models.translation.model import TranslationModel, build_model, set_vectors
from tf_models.translation.run import KIND, describe, load_settings, make_tokenizers
from tf_models.translation.settings import BatchingSettings, TranslatorSettings
from tf_models.translation.translate import Translator

VALIDATION_BATCH = 128
TOKENS_IN_A_SHARD = 256  # at least; with fewer, its matrices are too small to be worth a core


def prepare_training(
    run: RunDirectory,
    corpus: Corpus,
    settings: TranslatorSettings,
    seed: int,
    *,
    data_dir: Path | None = None,
    start_from: "StartingPoint | None" = None,
    minutes: float = math.inf,
    strategy: tf.distribute.Strategy | None = None,
    report: Report = print,
) -> TrainingLoop:
    """Set up a training in its run directory, new or to be resumed.

    Args:
        run: its directory.
        corpus: training and validation pairs.
        settings: of model and training.
        seed: of weights, noise and order.
        data_dir: folder of downloads, with BPEmb's files.
        start_from: the trained run to fine-tune, whose tokenizers are kept.
        minutes: of training, in place of a number of epochs.
        strategy: of the devices.
        report: takes the lines that are shown.

    Raises:
        InputError: the directory belongs to another training, or corpus, settings and
            `start_from` do not fit each other.
    """
    make_bleu(corpus.target_language)  # of the end of training: refused before hours are spent
    if start_from:
        start_from.check(corpus, settings)
    source = start_from and start_from.name
    run.prepare(KIND, settings, describe(corpus), seed, minutes, start_from=source)
    trained = start_from.tokenizers if start_from else None
    tokenizers = make_tokenizers(run.tokenizers, corpus, settings.tokenizer, data_dir, trained)
    for side in (tokenizers.source, tokenizers.target):
        report(side.describe())

    batching = settings.batching
    pairs = _encode(corpus.train, tokenizers, batching, "training", report)
    if not run.words_file.exists():
        words = words_of(normalize_source(source) for source, _ in corpus.train)
        save_known_words(run.words_file, words | (start_from.known_words if start_from else set()))
    batches = TranslationBatches(
        pairs,
        batching.batch_size,
        seed,
        padded_lengths=batching.max_lengths if batching.padded else None,
        batch_tokens=batching.batch_tokens,
    )
    validation = {}
    for label, part in corpus.parts.items():
        name = "validation" if part is corpus else f"{label} validation"
        encoded = _encode(part.validation, tokenizers, batching, name, report)
        validation[label] = TranslationBatches(encoded, VALIDATION_BATCH, seed).in_order()

    tokens = batching.batch_size * int(pairs.lengths[1].sum()) // len(pairs)
    shards = prepare_devices(seed, batching.batch_tokens or tokens, TOKENS_IN_A_SHARD)
    strategy = strategy or tf.distribute.get_strategy()
    with strategy.scope():
        fraction = time_fraction(settings.optimizer.schedule, minutes)
        model = _make_model(run, settings, tokenizers, data_dir, start_from)
        model.network.num_shards = shards
        model.network.label_smoothing = settings.training.label_smoothing
        model.network.compile(_make_optimizer(settings, len(batches), fraction))
    monitor, measure = "val_loss", None
    if settings.training.patience:
        positions = settings.model.positions
        monitor = "val_bleu"
        measure = validation_bleu(model, tokenizers, positions, corpus.validation)
    return TrainingLoop(
        run,
        model.network,
        batches,
        validation,
        epochs=settings.training.epochs,
        minutes=minutes,
        fraction=fraction,
        monitor=monitor,
        patience=settings.training.patience,
        measure=measure,
        average_last_n=settings.training.average_last_n,
        strategy=strategy,
        report=report,
    )


def _encode(
    pairs: list[SentencePair],
    tokenizers: TokenizerPair,
    settings: BatchingSettings,
    name: str,
    report: Report,
) -> EncodedPairs:
    encoded = encode_pairs(pairs, tokenizers, settings.max_lengths)
    limits = "{} source or {} target tokens".format(*settings.max_lengths)
    report(f"{len(encoded)} {name} pairs ({encoded.dropped} longer than {limits} dropped)")
    return encoded


def _make_model(
    run: RunDirectory,
    settings: TranslatorSettings,
    tokenizers: TokenizerPair,
    data_dir: Path | None,
    start_from: "StartingPoint | None",
) -> TranslationModel:
    """The untrained model, or with the weights of `start_from`, or with BPEmb's vectors."""
    model = build_model(settings, tokenizers, settings.training.precision)
    if run.has_checkpoints:
        return model
    if start_from:
        start_from.copy_weights(model.network)
    elif settings.training.pretrained_vectors:
        from tf_models.data.bpemb import pretrained_vectors  # late: pooch takes its time

        vectors = [
            pretrained_vectors(
                side.language, settings.tokenizer.pieces, settings.model.d_model, data_dir
            )
            for side in (tokenizers.source, tokenizers.target)
        ]
        set_vectors(model.network, vectors)
    return model


def _make_optimizer(
    settings: TranslatorSettings, epoch_steps: int, fraction: tf.Variable | None
) -> keras.optimizers.Optimizer:
    """Adam as in Vaswani et al. (2017), section 5.3, or another one with the same schedule.

    Muon (Jordan et al. 2024) is for matrices; embeddings, biases and norms go by its Adam.
    """
    optimizer = settings.optimizer
    schedule = CustomSchedule(settings.model.d_model, optimizer.warmup_steps, optimizer.peak)
    peak = float(schedule(optimizer.warmup_steps))
    if fraction is not None:
        schedule = TimedCosine(peak, fraction, optimizer.warmup_steps)
    elif optimizer.schedule == "cosine":
        steps = settings.training.epochs * epoch_steps
        warmup_steps = min(optimizer.warmup_steps, steps // 4)  # a small corpus has few steps
        schedule = keras.optimizers.schedules.CosineDecay(
            0.0,
            decay_steps=max(1, steps - warmup_steps),
            warmup_target=peak,
            warmup_steps=warmup_steps,
        )
    decay = optimizer.weight_decay or None
    options = {"global_clipnorm": optimizer.clip_norm or None, "weight_decay": decay}
    if optimizer.optimizer == "muon":
        made = keras.optimizers.Muon(
            schedule,
            exclude_layers=["bias"],  # a GRU has two, one over the other: a matrix for Keras
            adam_beta_2=0.98,
            epsilon=1e-9,
            adam_weight_decay=decay,
            **options,
        )
    elif optimizer.optimizer == "adafactor":
        made = keras.optimizers.Adafactor(schedule, **options)
    else:
        made = keras.optimizers.Adam(schedule, beta_1=0.9, beta_2=0.98, epsilon=1e-9, **options)
    made.exclude_from_weight_decay(var_names=["bias", "gamma", "beta"])
    return made


@dataclass(frozen=True)
class StartingPoint:
    """A trained run to fine-tune.

    name: of its directory, or `READY_MADE`.
    known_words: of its training sentences.
    """

    name: str
    settings: TranslatorSettings
    tokenizers: TokenizerPair
    known_words: frozenset[str]

    @classmethod
    def of(cls, name: str, new: RunDirectory) -> "StartingPoint":
        """A trained run; once the `new` one has checkpoints, it is no longer needed.

        Raises:
            InputError: no run directory of a translator.
        """
        trained = new if new.has_checkpoints else RunDirectory(_path(name))
        return cls(name, *load_settings(trained), load_known_words(trained.words_file))

    @property
    def languages(self) -> tuple[str, str]:
        """Source and target."""
        return self.tokenizers.source.language, self.tokenizers.target.language

    def check(self, corpus: Corpus, settings: TranslatorSettings) -> None:
        """Raise an InputError for a training of other languages, or of another model."""
        languages = corpus.source_language, corpus.target_language
        if languages != self.languages:
            raise InputError(
                f"{self.name} translates from {' to '.join(self.languages)}, and the corpus goes "
                f"from {' to '.join(languages)}; --languages turns a corpus"
            )
        same = self.settings.model.changed(dropout=settings.model.flat()["dropout"])
        if (same, self.settings.tokenizer) != (settings.model, settings.tokenizer):
            raise InputError(f"what starts from {self.name} keeps its model and its tokenizer")

    def copy_weights(self, network: keras.Model) -> None:
        """Give the trained weights to an untrained network of the same model."""
        trained = Translator.load(_path(self.name)).model.network
        for variable, value in zip(
            network.trainable_variables, trained.trainable_variables, strict=True
        ):
            variable.assign(value)


def _path(name: str) -> Path:
    return RUN_DIR if name == READY_MADE else Path(name)
