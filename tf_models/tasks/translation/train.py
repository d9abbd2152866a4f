"""Training a translator: from a corpus and settings, or a trained run, to a run directory."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import keras
import tensorflow as tf

from tf_models.data.text.batches import EncodedPairs, Pairs, TranslationBatches, encode_pairs
from tf_models.data.text.bpemb import pretrained_vectors
from tf_models.data.text.corpora import Corpus
from tf_models.data.text.normalization import normalize_source
from tf_models.data.text.pairs import SentencePair
from tf_models.data.text.tokenizer import TokenizerPair
from tf_models.errors import InputError, Report
from tf_models.tasks.translation.architectures import architecture
from tf_models.tasks.translation.evaluation import make_bleu, validation_bleu
from tf_models.tasks.translation.known_words import load_known_words, save_known_words, words_of
from tf_models.tasks.translation.objective import TranslationObjective
from tf_models.tasks.translation.protocol import TranslationModel
from tf_models.tasks.translation.ready_made import READY_MADE, RUN_DIR
from tf_models.tasks.translation.run import KIND, describe, load_settings, make_tokenizers
from tf_models.tasks.translation.settings import BatchingSettings, TranslatorSettings
from tf_models.tasks.translation.translator import Translator, default_checkpoint
from tf_models.training.assembly import END_SECONDS, Preparation, Trainable, Training
from tf_models.training.checkpoints import weights_fingerprint
from tf_models.training.optimizers import (
    ClippedAdafactor,
    FusedAdam,
    FusedMuon,
    LossScaling,
    TimedCosine,
)
from tf_models.training.run_directory import RunDirectory
from tf_models.transformer.schedule import CustomSchedule

VALIDATION_BATCH = 128
TOKENS_IN_A_SHARD = 256  # at least; with fewer, its matrices are too small to be worth a core
SECONDS_OF_A_HYPOTHESIS = 0.004  # on two cores, about
FREE = ("dropout",)  # of a model's settings those that its weights do not depend on


@dataclass(frozen=True)
class StartingPoint:
    """What a training starts from: the weights that a trained run translates with.

    settings, tokenizers: of the trained run.
    known_words: of its training sentences; empty if they are not known.
    said: what config.json of the new run says of its start: name of the trained run, checkpoint and
        fingerprint of the weights.
    """

    settings: TranslatorSettings
    tokenizers: TokenizerPair
    known_words: frozenset[str]
    said: Mapping[str, str]

    @classmethod
    def of(cls, name: str, new: RunDirectory) -> "StartingPoint":
        """A trained run, or `READY_MADE`, as the start of the training in another directory, which
        needs the trained one no more once it has saved something itself. Raises InputError: no run
        directory of a translator, no weights in it, or a damaged file.
        """
        trained = new if new.has_checkpoints else RunDirectory(_path(name))
        settings, tokenizers = load_settings(trained)
        words = load_known_words(trained.words_file)
        if trained is new:
            found = new.read_config(KIND).get("start_from") or {}
            return cls(settings, tokenizers, words, {**found, "run": name})
        checkpoint = default_checkpoint(trained, settings.training)
        fingerprint = weights_fingerprint(trained, checkpoint)
        said = {"run": name, "checkpoint": checkpoint, "fingerprint": fingerprint}
        return cls(settings, tokenizers, words, said)

    @property
    def languages(self) -> tuple[str, str]:
        """Source and target."""
        return self.tokenizers.source.language, self.tokenizers.target.language

    def check(self, corpus: Corpus, settings: TranslatorSettings) -> None:
        """Raise an InputError if a training of other languages, or of another model or tokenizer,
        is to have these weights.
        """
        name, languages = self.said["run"], (corpus.source_language, corpus.target_language)
        if corpus.encoded is not None:
            raise InputError(f"{corpus.name} is prepared, with other tokenizers than {name} has")
        if languages != self.languages:
            raise InputError(
                f"{name} translates from {' to '.join(self.languages)}, and the corpus goes from "
                f"{' to '.join(languages)}; --languages turns a corpus"
            )
        wanted = _fixed(settings)
        for setting, value in _fixed(self.settings).items():
            if wanted.get(setting) != value:
                raise InputError(
                    f"{name} has {setting}={value}; received {wanted.get(setting)}: what starts "
                    "from it has its model and its tokenizer"
                )

    def copy_weights(self, network: keras.Model) -> None:
        """Give the weights to the untrained network of a training that `check` lets pass."""
        trained = Translator.load(_path(self.said["run"]), self.said["checkpoint"]).model.network
        pairs = zip(network.trainable_variables, trained.trainable_variables, strict=True)
        for variable, its in pairs:
            variable.assign(its)


def _path(name: str) -> Path:
    return RUN_DIR if name == READY_MADE else Path(name)


def _fixed(settings: TranslatorSettings) -> dict[str, object]:
    """Settings that the weights depend on, by name."""
    model = {"model": settings.architecture, **settings.model.flat(), **settings.tokenizer.flat()}
    return {name: value for name, value in model.items() if name not in FREE}


@dataclass(frozen=True, kw_only=True)
class TranslatorTraining(Training):
    """Everything of one training run, ready to `fit`.

    pairs: what is trained on, as ids.
    """

    corpus: Corpus
    tokenizers: TokenizerPair
    pairs: Pairs

    @property
    def model(self) -> TranslationModel:
        """What is trained."""
        return cast(TranslationObjective, self.step.objective).model


def prepare_training(
    run: RunDirectory,
    corpus: Corpus,
    settings: TranslatorSettings,
    seed: int,
    *,
    data_dir: Path | None = None,
    start_from: StartingPoint | None = None,
    **options: Any,
) -> TranslatorTraining:
    """Set up a run in its directory, or pick up the one that is there (see `Preparation`), for
    training and validation pairs.

    BPEmb's files lie in data_dir, the folder of downloads. The training starts with the tokenizers
    and the weights of `start_from`. Raises InputError: the directory belongs to other settings, the
    corpus or the start does not fit them, or BLEU of its language needs a package that is not
    installed.
    """
    make_bleu(corpus.target_language)  # of the end of training: refused before hours are spent
    corpus.check(settings)
    if start_from:
        start_from.check(corpus, settings)
    origin = {"start_from": start_from.said} if start_from else {}
    trained = start_from.tokenizers if start_from else None
    start = Preparation(run, settings, seed, **options)
    report, batching = start.report, settings.batching
    # The corpus may lie elsewhere: its fingerprint says whether it is the same.
    with start.directory(KIND, describe(corpus), "data.corpus", **origin):
        tokenizers = make_tokenizers(
            start.run.tokenizers, corpus, settings.tokenizer, data_dir, trained
        )
    for side in (tokenizers.source, tokenizers.target):
        report(side.describe())
    if corpus.encoded is not None:
        pairs = corpus.encoded
        report(f"{len(pairs):,} training pairs, prepared")
    else:
        pairs = _encode(corpus.train, tokenizers, batching, "training", report)
    if start.run.writes and corpus.encoded is None and not start.run.words_file.exists():
        words = words_of(normalize_source(source) for source, _ in corpus.train)
        known = start_from.known_words if start_from else frozenset()
        save_known_words(start.run.words_file, words | known)
    in_order = {}
    for label, part in corpus.parts.items():
        name = "validation" if part is corpus else f"{label} validation"
        encoded = _encode(part.validation, tokenizers, batching, name, report)
        in_order[label] = TranslationBatches(encoded, VALIDATION_BATCH, seed).in_order()
    tokens = batching.batch_size * int(pairs.lengths[1].sum()) // len(pairs)
    start.share_cores(batching.batch_tokens or tokens, TOKENS_IN_A_SHARD)
    padded_lengths = batching.max_lengths if batching.padded else None
    options = {"padded_lengths": padded_lengths, "batch_tokens": batching.batch_tokens}
    batches = TranslationBatches(pairs, batching.batch_size, seed, **options)

    def make() -> Trainable:
        model = _make_model(start.run, settings, tokenizers, data_dir)
        if start_from and not start.run.has_checkpoints:
            start_from.copy_weights(model.network)
        objective = TranslationObjective(model, smoothing=settings.training.label_smoothing)
        optimizer = _optimizer(settings, len(batches), start.fraction)
        return Trainable(model.network, optimizer, objective)

    options = {"average_last_n": settings.training.average_last_n}
    training = start.assemble(
        batches, in_order, make, end_seconds=_end_seconds(corpus, settings), **options
    )
    metric = None
    if settings.training.patience:
        model = cast(TranslationObjective, training.step.objective).model
        metric = validation_bleu(model, tokenizers, settings.model.positions, corpus.validation)
    return TranslatorTraining(
        **{**vars(training), "metric": metric}, corpus=corpus, tokenizers=tokenizers, pairs=pairs
    )


def _end_seconds(corpus: Corpus, settings: TranslatorSettings) -> float:
    """What scores and figures take, about."""
    return END_SECONDS + SECONDS_OF_A_HYPOTHESIS * settings.decoding.beam_size * len(corpus.test)


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
) -> TranslationModel:
    """The untrained model, with BPEmb's vectors if it is to start from them."""
    chosen = architecture(settings.architecture)
    model = chosen.build(settings.model, tokenizers, settings.training.precision)
    if settings.training.pretrained_vectors and not run.has_checkpoints:
        if chosen.set_vectors is None:
            raise InputError(f"--model {settings.architecture} takes no pretrained vectors")
        sides = (tokenizers.source, tokenizers.target)
        size = settings.model.d_model, data_dir
        pieces = settings.tokenizer.pieces
        vectors = [pretrained_vectors(side.language, pieces, *size) for side in sides]
        chosen.set_vectors(model, tokenizers, vectors)
    return model


def _optimizer(
    settings: TranslatorSettings, epoch_steps: int, fraction: tf.Variable | None
) -> keras.optimizers.Optimizer:
    """Adam as in Vaswani et al. (2017), section 5.3, or another one with the same schedule."""
    optimizer = settings.optimizer
    schedule = CustomSchedule(settings.model.d_model, optimizer.warmup_steps, optimizer.peak)
    if fraction is not None:
        peak = float(schedule(optimizer.warmup_steps))
        schedule = TimedCosine(peak, fraction, optimizer.warmup_steps)
    elif optimizer.schedule == "cosine":
        steps = settings.training.epochs * epoch_steps
        warmup_steps = min(optimizer.warmup_steps, steps // 4)  # a small corpus has few steps
        schedule = keras.optimizers.schedules.CosineDecay(
            0.0,
            decay_steps=max(1, steps - warmup_steps),
            warmup_target=float(schedule(optimizer.warmup_steps)),
            warmup_steps=warmup_steps,
        )
    decay = optimizer.weight_decay or None
    options = {"global_clipnorm": optimizer.clip_norm or None, "weight_decay": decay}
    if optimizer.optimizer == "muon":
        options["adam_weight_decay"] = decay
        chosen = FusedMuon(schedule, adam_beta_2=0.98, epsilon=1e-9, **options)
    elif optimizer.optimizer == "adafactor":
        chosen = ClippedAdafactor(schedule, **options)
    else:
        chosen = FusedAdam(schedule, beta_1=0.9, beta_2=0.98, epsilon=1e-9, **options)
    chosen.exclude_from_weight_decay(var_names=["bias", "gamma", "beta"])
    return LossScaling(chosen) if settings.training.precision == "mixed_float16" else chosen
