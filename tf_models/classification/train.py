"""Training of a classifier of texts or images, from data to test scores."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tf_models.classification.evaluate import report_images, report_texts
from tf_models.classification.figures import draw_attention, draw_class_token, plot_predictions
from tf_models.classification.model import (
    OF_IMAGES,
    OF_TEXTS,
    ImageClassifier,
    TextClassifier,
    build_image_model,
    build_text_model,
    load_tokenizer,
    plain_text,
    tokenizer_file,
)
from tf_models.classification.settings import ImageClassifierSettings, TextClassifierSettings
from tf_models.data.batches import BucketedBatches, EncodedPairs
from tf_models.data.image_batches import LabelledBatches
from tf_models.data.images import KEPT_BYTES, ImageSet, load_images
from tf_models.data.labelled import LabelledText, LabelledTexts, load_texts
from tf_models.data.subword_models import train_tokenizer
from tf_models.data.tokenizers import SentenceEncoder, SubwordTokenizer
from tf_models.errors import Report, StrPath
from tf_models.plotting.files import save_figures
from tf_models.plotting.lines import plot_training_curves
from tf_models.training.devices import EXAMPLES_IN_A_SHARD, TOKENS_IN_A_SHARD, device_scope
from tf_models.training.image_origin import describe
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import make_adam
from tf_models.training.run_directory import RunDirectory
from tf_models.transformer.model import Encoder

UNNAMED = "text"  # language of a tokenizer that was trained here
SIZES = ("num_layers", "d_model", "num_heads", "dff")


class TrainedEncoder(NamedTuple):
    """A trained translator's encoder, and its name: a run or "ready-made".

    The tokenizer is that of the source language, the settings are those of the model; `load` is
    called in a `device_scope`.
    """

    name: str
    tokenizer: SubwordTokenizer
    settings: Mapping[str, Any]
    load: Callable[[], Encoder]


def train_text_classifier(
    run_dir: StrPath,
    data: LabelledTexts | StrPath,
    settings: TextClassifierSettings,
    seed: int = 0,
    *,
    encoder_from: TrainedEncoder | None = None,
    minutes: float = math.inf,
    evaluates: bool = True,
    report: Report = print,
) -> TrainingLoop:
    """Train a classifier of texts, or resume from its run's latest checkpoint.

    The best epoch is the one with the highest validation accuracy. Minutes and report are
    those of `TrainingLoop`.

    Args:
        run_dir: the run directory, new or of an interrupted training.
        data: labelled texts, or a name that `load_texts` takes.
        settings: of model and training.
        seed: of weights, noise and order.
        encoder_from: encoder to start from; the classifier takes its sizes and its tokenizer.
        evaluates: True if the trained model is scored on the test texts and figures are drawn.

    Raises:
        InputError: the directory belongs to another training.
        TrainingInterrupted: by Ctrl-C; what is done is saved.
    """
    run = RunDirectory(run_dir)
    texts = data if isinstance(data, LabelledTexts) else load_texts(data, seed)
    if encoder_from:
        sizes = {name: encoder_from.settings[name] for name in SIZES}
        settings = settings.changed(**sizes, pieces=encoder_from.tokenizer.pieces)
    sentences = [plain_text(example.text, settings.text.plain) for example in texts.train]
    settings = settings.fitted(len(sentences)).for_texts(sentences)
    run.prepare(OF_TEXTS, settings, _describe(texts), seed, minutes, **_origin(encoder_from))
    tokenizer = _tokenizer(run, sentences, settings.text.pieces, encoder_from)
    report(tokenizer.describe())
    encoder = SentenceEncoder(tokenizer, settings.model.max_length, cuts=True)
    train, validation = (
        _encode(split, texts.classes, encoder, settings.text.plain)
        for split in (texts.train, texts.validation)
    )
    training = settings.training
    tokens = training.batch_size * int(train.source.lengths.sum()) // len(train)  # in a batch
    with device_scope(seed, tokens, TOKENS_IN_A_SHARD) as shards:
        batches = BucketedBatches(train, training.batch_size, seed)
        model = build_text_model(settings, tokenizer, len(texts.classes))
        if encoder_from and not run.has_checkpoints:
            model.encoder.set_weights(encoder_from.load().get_weights())
        model.encoder.trainable = not training.freeze
        model.num_shards = shards
        model.compile(make_adam(settings.optimizer, training.epochs * len(batches), minutes))
    loop = TrainingLoop(
        run,
        model,
        batches,
        BucketedBatches(validation, training.batch_size, seed).in_order(),
        epochs=training.epochs,
        minutes=minutes,
        monitor="val_accuracy",
        patience=training.patience,
        report=report,
    )
    report(settings.length(len(train), "text", len(batches), minutes))
    loop.fit()
    if evaluates and loop.is_chief:
        classifier = TextClassifier.load(run.path)
        right, predicted = report_texts(classifier, texts.test, report, texts.train)
        shortest = min((example.text for example in texts.test), key=len)
        figures = {
            "training": plot_training_curves(loop.history.columns()),
            "confusion": plot_predictions(right, predicted, classifier.classes, "test texts"),
            "attention": draw_attention(classifier, sentence=shortest, words=True),
        }
        save_figures(figures, run.figures, report)
    return loop


def train_image_classifier(
    run_dir: StrPath,
    data: ImageSet | StrPath,
    settings: ImageClassifierSettings,
    seed: int = 0,
    *,
    minutes: float = math.inf,
    evaluates: bool = True,
    report: Report = print,
) -> TrainingLoop:
    """Train a Vision Transformer on images, like `train_text_classifier`.

    The data are images, or a name that `load_images` takes.

    Raises:
        InputError: the directory belongs to another training, or the images have no labels or do
            not fit the settings.
        TrainingInterrupted: by Ctrl-C; what is done is saved.
    """
    run = RunDirectory(run_dir)
    images = data if isinstance(data, ImageSet) else load_images(data, seed=seed)
    images.number_of_classes("a classifier")  # an InputError if there are no labels
    classes = list(images.class_names)
    settings = settings.fitted(len(images.train))
    run.prepare(OF_IMAGES, settings, {**describe(images), "classes": classes}, seed, minutes)
    images.save(run.images_file, KEPT_BYTES)
    training, shift = settings.training, settings.augmentation.shift
    train, validation = images.train, images.validation
    options = images.maximum, training.batch_size, seed
    with device_scope(seed, min(training.batch_size, len(train)), EXAMPLES_IN_A_SHARD) as shards:
        batches = LabelledBatches(train.images, *options, labels=train.labels, shift=shift)
        model = build_image_model(settings, images.shape, len(classes))
        model.num_shards = shards
        model.compile(make_adam(settings.optimizer, training.epochs * len(batches), minutes))
    loop = TrainingLoop(
        run,
        model,
        batches,
        LabelledBatches(validation.images, *options, labels=validation.labels).in_order(),
        epochs=training.epochs,
        minutes=minutes,
        monitor="val_accuracy",
        report=report,
    )
    report(settings.length(len(train), "image", len(batches), minutes))
    loop.fit()
    if evaluates and loop.is_chief:
        classifier = ImageClassifier.load(run.path)
        right, predicted = report_images(classifier, images, report)
        figures = {
            "training": plot_training_curves(loop.history.columns()),
            "confusion": plot_predictions(right, predicted, classifier.classes, "test images"),
            "attention": draw_class_token(classifier),
        }
        save_figures(figures, run.figures, report)
    return loop


def _origin(source: TrainedEncoder | None) -> dict:
    if source is None:
        return {"encoder_from": None, "language": UNNAMED, "lowercase": False}
    tokenizer = source.tokenizer
    language, lowercase = tokenizer.language, tokenizer.lowercase
    return {"encoder_from": source.name, "language": language, "lowercase": lowercase}


def _describe(texts: LabelledTexts) -> dict:
    return {
        "texts": texts.name,
        "classes": texts.classes,
        "training_texts": len(texts.train),
        "validation_texts": len(texts.validation),
        "test_texts": len(texts.test),
    }


def _tokenizer(
    run: RunDirectory, texts: Sequence[str], pieces: int, source: TrainedEncoder | None
) -> SubwordTokenizer:
    file = tokenizer_file(run)
    if run.has_checkpoints:
        return load_tokenizer(run)
    if source:
        return source.tokenizer.copy_to(file)
    return train_tokenizer(texts, UNNAMED, pieces, file)


def _encode(
    texts: Sequence[LabelledText], classes: Sequence[str], encoder: SentenceEncoder, plain: bool
) -> EncodedPairs:
    """Ids of the texts, with the class number in place of a translation."""
    ids = [encoder.cut(encoder.ids(plain_text(example.text, plain))) for example in texts]
    return EncodedPairs(ids, [[classes.index(example.label)] for example in texts])
