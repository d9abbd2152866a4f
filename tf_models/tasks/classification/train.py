"""Training a text classifier: from labelled texts and settings to a model in a run directory."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from tf_models.data.text.batches import EncodedPairs, TranslationBatches
from tf_models.data.text.labelled import LabelledText, LabelledTexts
from tf_models.data.text.sentence_encoder import SentenceEncoder
from tf_models.data.text.tokenizer import SubwordTokenizer, train_tokenizer
from tf_models.errors import InputError
from tf_models.tasks.classification.objective import ClassificationObjective
from tf_models.tasks.classification.settings import ClassifierSettings
from tf_models.tasks.classification.text_classifier import (
    KIND,
    build_classifier,
    load_tokenizer,
    plain_text,
    tokenizer_file,
)
from tf_models.tasks.classification.trained_encoder import TrainedEncoder
from tf_models.training.assembly import Trainable, assemble, share_cores
from tf_models.training.distributed.workers import Workers
from tf_models.training.loop import Metric, TrainingLoop
from tf_models.training.optimizers import make_adam
from tf_models.training.reproducibility import make_reproducible
from tf_models.training.run_directory import RunDirectory, run_config
from tf_models.training.train_step import TrainStep
from tf_models.transformer.classifier import TransformerClassifier

TOKENS_IN_A_SHARD = 256  # at least; with fewer, its matrices are too small to be worth a core
UNNAMED = "text"  # language of a tokenizer that was trained here

Report = Callable[[str], None]  # what to do with a line for the reader


@dataclass(frozen=True)
class ClassifierTraining:
    """Everything of one training run, ready to `fit`."""

    run: RunDirectory
    settings: ClassifierSettings
    texts: LabelledTexts
    model: TransformerClassifier
    step: TrainStep
    loop: TrainingLoop

    def fit(self, minutes: float = math.inf) -> bool:
        """Train to the end of the settings; return False if Ctrl-C ended it before.

        The best epoch is the one with the highest validation accuracy.

        Args:
            minutes: begin no epoch after so much training, earlier sessions included.
        """
        settings = self.settings.training
        return self.loop.fit(
            settings.epochs,
            # Computed last, it is of the validation texts.
            metric=Metric("accuracy", lambda: self.step.metrics.means()["accuracy"]),
            patience=settings.patience,
            minutes=minutes,
        )


def prepare_classifier_training(
    run: RunDirectory,
    texts: LabelledTexts,
    settings: ClassifierSettings,
    seed: int,
    *,
    encoder_from: TrainedEncoder | None = None,
    random_weights: bool = False,
    strategy: tf.distribute.Strategy | None = None,
    report: Report = print,
) -> ClassifierTraining:
    """Set up a run in its directory, or pick up the one that is there.

    It sets TensorFlow's threads, too, if TensorFlow has computed nothing yet.

    Args:
        run: new, or made by the same call before.
        texts: training and validation texts.
        settings: model and training; with the sizes of `encoder_from`, if there is one.
        seed: of weights, dropout and order, 0 to 2**32 - 1.
        encoder_from: whose encoder to start from; its tokenizer is the classifier's then.
        random_weights: whether to take only its tokenizer: what the weights are worth shows beside
            such a run.
        strategy: how to distribute; TensorFlow's default strategy (one device) if left out.
        report: what to do with a line for the reader.

    Raises:
        InputError: the directory belongs to other settings, or the texts or the encoder do not fit
            them.
    """
    if settings.training.freeze and (encoder_from is None or random_weights):
        raise InputError("a frozen encoder must have been trained: pass --encoder-from, too")
    if encoder_from:
        encoder_from.check_language(texts.language)
    strategy = strategy or tf.distribute.get_strategy()
    make_reproducible(seed)
    config = _config(texts, settings, seed, encoder_from, random_weights)
    workers = Workers(strategy)
    run = workers.share(run)
    with workers.chief_first():
        changeable = [*settings.changeable(), "data.texts"]
        run.prepare(config, changeable, settings.lowerable())
        tokenizer = _tokenizer(run, texts, settings, encoder_from)
    report(tokenizer.describe())
    encoder = SentenceEncoder(tokenizer, settings.model.positions, cuts=True)
    training, validation = (
        _encode(split, name, texts.classes, encoder, settings.text.plain, report)
        for name, split in (("training", texts.train), ("validation", texts.validation))
    )
    batch_size = settings.training.batch_size
    tokens = batch_size * sum(map(len, training.source)) // len(training)
    num_shards = share_cores(strategy, tokens, TOKENS_IN_A_SHARD)
    batches = TranslationBatches(training, batch_size, seed)

    def make() -> Trainable:
        model = build_classifier(settings, tokenizer, len(texts.classes))
        if encoder_from and not random_weights and not run.has_checkpoints:
            encoder_from.copy_weights(model.encoder)
        model.encoder.trainable = not settings.training.freeze
        optimizer = make_adam(settings.optimizer, settings.training.epochs * len(batches))
        return Trainable(model, optimizer, ClassificationObjective(model))

    loop = assemble(
        run,
        batches,
        TranslationBatches(validation, batch_size, seed).in_order(),
        make,
        strategy=strategy,
        num_shards=num_shards,
        report=report,
    )
    return ClassifierTraining(run, settings, texts, loop.step.model, loop.step, loop)


def _tokenizer(
    run: RunDirectory,
    texts: LabelledTexts,
    settings: ClassifierSettings,
    encoder_from: TrainedEncoder | None,
) -> SubwordTokenizer:
    """The one in the run directory, else a copy of the encoder's, or one of the texts' own."""
    file = tokenizer_file(run)
    if file.exists():
        return load_tokenizer(run)
    if encoder_from:
        return encoder_from.tokenizer.copy_to(file)
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
    whole = [encoder.tokenizer.encode(plain_text(one.text, plain)) for one in texts]
    long = sum(len(ids) > encoder.longest for ids in whole)
    if long:
        report(f"{long} of {len(whole)} {name} texts are cut to {encoder.longest} tokens")
    source = [np.array(encoder.cut(ids), np.int32) for ids in whole]
    target = [np.array([numbers[one.label]], np.int32) for one in texts]
    return EncodedPairs(source, target, dropped=0)


def _config(
    texts: LabelledTexts,
    settings: ClassifierSettings,
    seed: int,
    encoder_from: TrainedEncoder | None,
    random_weights: bool,
) -> dict:
    data = {
        "texts": texts.name,
        "classes": texts.classes,
        "training_texts": len(texts.train),
        "validation_texts": len(texts.validation),
        "test_texts": len(texts.test),
        "fingerprint": texts.fingerprint(),
    }
    tokenizer = encoder_from.tokenizer if encoder_from else None
    return {
        **run_config(KIND, settings, data, seed),
        "encoder_from": encoder_from.name if encoder_from else None,
        "random_weights": random_weights,
        "language": tokenizer.language if tokenizer else UNNAMED,
        "lowercase": tokenizer.lowercase if tokenizer else False,
    }
