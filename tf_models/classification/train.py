"""Training a text classifier: from labelled texts and settings to a model in a run directory."""

import math
from collections.abc import Sequence

import numpy as np
import tensorflow as tf

from tf_models.classification.settings import ClassifierSettings
from tf_models.classification.text_classifier import (
    KIND,
    TrainedEncoder,
    build_classifier,
    load_tokenizer,
    plain_text,
    tokenizer_file,
)
from tf_models.data.batches import EncodedPairs, TranslationBatches
from tf_models.data.labelled import LabelledText, LabelledTexts
from tf_models.data.tokenizers import SentenceEncoder, SubwordTokenizer, train_tokenizer
from tf_models.errors import InputError, Report
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import make_adam, time_fraction
from tf_models.training.run_directory import RunDirectory
from tf_models.training.strategy import prepare_devices

TOKENS_IN_A_SHARD = 256  # at least; with fewer, its matrices are too small to be worth a core
UNNAMED = "text"  # language of a tokenizer that was trained here


def prepare_classifier_training(
    run: RunDirectory,
    texts: LabelledTexts,
    settings: ClassifierSettings,
    seed: int,
    *,
    encoder_from: TrainedEncoder | None = None,
    random_weights: bool = False,
    minutes: float = math.inf,
    strategy: tf.distribute.Strategy | None = None,
    report: Report = print,
) -> TrainingLoop:
    """Set up a training in its run directory, new or to be resumed.

    The best epoch is the one with the highest validation accuracy.

    Args:
        run: its directory.
        texts: training and validation texts.
        settings: model and training; with the sizes of `encoder_from`, if there is one.
        seed: of weights, noise and order.
        encoder_from: whose encoder to start from; its tokenizer is the classifier's then.
        random_weights: take only its tokenizer: what its weights bring shows beside such a run.
        minutes, strategy, report: see `TrainingLoop`.

    Raises:
        InputError: the directory belongs to another training, or the texts or the encoder do not
            fit it.
    """
    if settings.training.freeze and (encoder_from is None or random_weights):
        raise InputError("a frozen encoder must have been trained: pass --encoder-from, too")
    if encoder_from and texts.language not in ("", encoder_from.tokenizer.language):
        language = encoder_from.tokenizer.language
        raise InputError(
            f"the encoder of {encoder_from.name} reads {language}, and the texts are "
            f"{texts.language}"
        )
    trained = encoder_from.tokenizer if encoder_from else None
    origin = {
        "encoder_from": encoder_from and encoder_from.name,
        "random_weights": random_weights,
        "language": trained.language if trained else UNNAMED,
        "lowercase": trained.lowercase if trained else False,
    }
    run.prepare(KIND, settings, _describe(texts), seed, minutes, **origin)
    tokenizer = _tokenizer(run, texts, settings, trained)
    report(tokenizer.describe())
    encoder = SentenceEncoder(tokenizer, settings.model.max_length, cuts=True)
    training, validation = (
        _encode(split, name, texts.classes, encoder, settings.text.plain, report)
        for name, split in (("training", texts.train), ("validation", texts.validation))
    )
    batch_size = settings.training.batch_size
    batches = TranslationBatches(training, batch_size, seed)

    tokens = batch_size * sum(map(len, training.source)) // len(training)
    shards = prepare_devices(seed, tokens, TOKENS_IN_A_SHARD)
    strategy = strategy or tf.distribute.get_strategy()
    with strategy.scope():
        fraction = time_fraction(settings.optimizer.schedule, minutes)
        model = build_classifier(settings, tokenizer, len(texts.classes))
        if encoder_from and not random_weights and not run.has_checkpoints:
            encoder_from.copy_weights(model.encoder)
        model.encoder.trainable = not settings.training.freeze
        model.num_shards = shards
        steps = settings.training.epochs * len(batches)
        model.compile(make_adam(settings.optimizer, steps, fraction))
    return TrainingLoop(
        run,
        model,
        batches,
        TranslationBatches(validation, batch_size, seed).in_order(),
        epochs=settings.training.epochs,
        minutes=minutes,
        fraction=fraction,
        monitor="val_accuracy",
        strategy=strategy,
        report=report,
    )


def _tokenizer(
    run: RunDirectory,
    texts: LabelledTexts,
    settings: ClassifierSettings,
    trained: SubwordTokenizer | None,
) -> SubwordTokenizer:
    """The one in the run directory, else a copy of the encoder's, or one of the texts' own."""
    file = tokenizer_file(run)
    if file.exists():
        return load_tokenizer(run)
    if trained:
        return trained.copy_to(file)
    sentences = [plain_text(one.text, settings.text.plain) for one in texts.train]
    return train_tokenizer(sentences, UNNAMED, settings.text.pieces, file)


def _encode(
    texts: Sequence[LabelledText],
    name: str,
    classes: Sequence[str],
    encoder: SentenceEncoder,
    plain: bool,
    report: Report,
) -> EncodedPairs:
    """Ids of the texts, and beside them the number of the class as if it were a translation."""
    numbers = {label: number for number, label in enumerate(classes)}
    whole = [encoder.ids(plain_text(one.text, plain)) for one in texts]
    long = sum(len(ids) > encoder.max_length for ids in whole)
    if long:
        report(f"{long} of {len(whole)} {name} texts are cut to {encoder.max_length} tokens")
    source = [np.array(encoder.cut(ids), np.int32) for ids in whole]
    target = [np.array([numbers[one.label]], np.int32) for one in texts]
    return EncodedPairs(source, target, dropped=0)


def _describe(texts: LabelledTexts) -> dict:
    return {
        "texts": texts.name,
        "classes": texts.classes,
        "training_texts": len(texts.train),
        "validation_texts": len(texts.validation),
        "test_texts": len(texts.test),
        "fingerprint": texts.fingerprint(),
    }
