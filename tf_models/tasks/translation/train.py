"""Training a translator: from a corpus and settings to a model in a run directory."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import keras
import tensorflow as tf

from tf_models.data.text.batches import (
    EncodedPairs,
    RetokenizedBatches,
    TranslationBatches,
    encode_pairs,
    reverse_randomly,
)
from tf_models.data.text.bpemb import pretrained_vectors
from tf_models.data.text.corpora import Corpus
from tf_models.data.text.pairs import SentencePair
from tf_models.data.text.tokenizer import TokenizerPair
from tf_models.runtime import TOKENS_IN_A_TOWER, use_cores_for_towers
from tf_models.tasks.translation.run import make_tokenizers, run_config
from tf_models.tasks.translation.settings import TranslatorSettings
from tf_models.tasks.translation.train_step import TranslationStep
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import FusedAdam
from tf_models.training.reproducibility import make_reproducible
from tf_models.training.run_directory import RunDirectory
from tf_models.transformer.initialisation import shrink_residual_branches
from tf_models.transformer.model import Transformer
from tf_models.transformer.schedule import CustomSchedule

VALIDATION_BATCH = 128


@dataclass(frozen=True)
class TranslatorTraining:
    """Everything of one training run, ready to `loop.fit(epochs)`."""

    run: RunDirectory
    tokenizers: TokenizerPair
    pairs: EncodedPairs
    model: Transformer
    optimizer: keras.optimizers.Optimizer
    batches: TranslationBatches | RetokenizedBatches
    step: TranslationStep
    loop: TrainingLoop


def prepare_training(
    run: RunDirectory,
    corpus: Corpus,
    settings: TranslatorSettings,
    seed: int,
    *,
    bpemb_cache: Path | None = None,
    strategy: tf.distribute.Strategy | None = None,
    report: Callable[[str], None] = print,
) -> TranslatorTraining:
    """Set up a run in its directory, or pick up the one that is there.

    Args:
        run: new, or made by the same call before.
        corpus: training and validation pairs.
        settings: model, tokenizer, batches, schedule.
        seed: of weights, dropout and order, 0 to 2**32 - 1.
        bpemb_cache: folder of BPEmb's files, for `settings.tokenizer == "bpemb"`.
        strategy: how to distribute; TensorFlow's default strategy (one device) if left out.
        report: what to do with a line for the reader.

    Raises:
        InputError: the directory belongs to other settings, or the corpus does not fit them.
    """
    strategy = strategy or tf.distribute.get_strategy()
    make_reproducible(seed)
    run.prepare(run_config(corpus, settings, seed))
    tokenizers = make_tokenizers(run, corpus, settings, bpemb_cache)
    for side in (tokenizers.source, tokenizers.target):
        report(side.describe())
    training = _encode(corpus.train, tokenizers, settings, "training", report)
    validation = _encode(corpus.validation, tokenizers, settings, "validation", report)
    towers = use_cores_for_towers(
        _tokens_in_a_batch(training, settings) // strategy.num_replicas_in_sync, TOKENS_IN_A_TOWER
    )
    batches = _batches(training, settings, seed)
    if settings.bpe_dropout or settings.both_directions:
        batches = _resampled(training, corpus.train, tokenizers, settings, seed)
    with strategy.scope():
        model = build_model(settings, tokenizers)
        if settings.pretrained_vectors and not run.has_checkpoints:
            _set_vectors(model, tokenizers, settings.pieces, bpemb_cache)
        optimizer = _optimizer(settings, len(batches))
        optimizer.build(model.trainable_variables)
    in_order = TranslationBatches(validation, VALIDATION_BATCH, seed).in_order()
    in_order = strategy.experimental_distribute_dataset(in_order)
    step = TranslationStep(
        model,
        optimizer,
        strategy,
        in_order.element_spec,
        smoothing=settings.label_smoothing,
        r_drop=settings.r_drop,
        num_towers=towers,
    )
    loop = TrainingLoop(
        run, step, batches, in_order, strategy, averaged=settings.averaged, report=report
    )
    return TranslatorTraining(run, tokenizers, training, model, optimizer, batches, step, loop)


def build_model(settings: TranslatorSettings, tokenizers: TokenizerPair) -> Transformer:
    """The untrained Transformer of these settings, built."""
    model = Transformer(
        settings.num_layers,
        settings.d_model,
        settings.num_heads,
        settings.dff,
        input_vocab_size=tokenizers.source.vocabulary_size,
        target_vocab_size=tokenizers.target.vocabulary_size,
        pe_input=settings.positions,
        pe_target=settings.positions,
        rate=settings.rate,
        tie_embeddings=settings.tie_embeddings,
        word_rate=settings.word_rate,
        dtype=settings.precision,
    )
    model.build()
    if settings.residual_gain != 1:
        shrink_residual_branches(model, settings.residual_gain)
    return model


def _encode(
    pairs: list[SentencePair], tokenizers, settings, name: str, report: Callable[[str], None]
) -> EncodedPairs:
    encoded = encode_pairs(pairs, tokenizers, settings.longest_source, settings.longest_target)
    limits = f"{settings.longest_source} source or {settings.longest_target} target tokens"
    report(f"{len(encoded)} {name} pairs ({encoded.dropped} longer than {limits} dropped)")
    return encoded


def _batches(pairs: EncodedPairs, settings: TranslatorSettings, seed: int) -> TranslationBatches:
    options = {}
    if settings.batching == "article":
        options["padded_lengths"] = (settings.longest_source, settings.longest_target)
    if settings.batching == "tokens":
        options["batch_tokens"] = settings.batch_tokens
    return TranslationBatches(pairs, settings.batch_size, seed, **options)


def _resampled(
    encoded: EncodedPairs, pairs: list[SentencePair], tokenizers, settings, seed: int
) -> RetokenizedBatches:
    limits = settings.longest_source, settings.longest_target

    def read(epoch: int) -> EncodedPairs:
        found, of_epoch = encoded, (seed, epoch)
        if settings.bpe_dropout:
            dropout = settings.bpe_dropout
            found = encode_pairs(pairs, tokenizers, *limits, bpe_dropout=dropout, seed=of_epoch)
        return (
            reverse_randomly(found, *limits, of_epoch)
            if epoch < settings.both_directions
            else found
        )

    return RetokenizedBatches(read, lambda found: _batches(found, settings, seed))


def _tokens_in_a_batch(pairs: EncodedPairs, settings: TranslatorSettings) -> int:
    if settings.batching == "tokens":
        return settings.batch_tokens
    return settings.batch_size * sum(map(len, pairs.target)) // len(pairs)


def _optimizer(settings: TranslatorSettings, epoch_steps: int) -> keras.optimizers.Optimizer:
    """Adam as in Vaswani et al. (2017), section 5.3."""
    schedule = CustomSchedule(settings.d_model, settings.warmup_steps, settings.peak)
    if settings.schedule == "cosine":
        steps = settings.epochs * epoch_steps
        warmup_steps = min(settings.warmup_steps, steps // 4)  # a small corpus has few steps
        schedule = keras.optimizers.schedules.CosineDecay(
            0.0,
            decay_steps=max(1, steps - warmup_steps),
            warmup_target=float(schedule(settings.warmup_steps)),
            warmup_steps=warmup_steps,
        )
    return FusedAdam(schedule, beta_1=0.9, beta_2=0.98, epsilon=1e-9)


def _set_vectors(model: Transformer, tokenizers: TokenizerPair, pieces: int, cache) -> None:
    """Put BPEmb's vectors in place of the random embeddings of the pieces."""
    sides = ((model.encoder, tokenizers.source), (model.decoder, tokenizers.target))
    for stack, tokenizer in sides:
        table = stack.embedding.embeddings
        vectors = pretrained_vectors(tokenizer.language, pieces, stack.d_model, cache)
        values = table.numpy()
        # As large as the random ones, or they would drown the positions.
        values[: len(vectors)] = vectors * (values.std() / vectors.std())
        table.assign(values)
