"""Sequence autoencoders in run directories: one language of a corpus, one tokenizer, one model."""

from collections.abc import Callable
from dataclasses import dataclass

import tensorflow as tf

from tf_models.data.text.batches import TranslationBatches, encode_pairs
from tf_models.data.text.corpora import Corpus
from tf_models.data.text.pairs import SentencePair
from tf_models.data.text.tokenizer import SubwordTokenizer, TokenizerPair, train_tokenizer
from tf_models.errors import InputError, error_message
from tf_models.recurrent.sequence_autoencoder import SequenceAutoencoder
from tf_models.tasks.autoencoding.sentence_settings import SequenceSettings
from tf_models.training.checkpoints import checkpoint_path, load_model
from tf_models.training.fit_step import FitStep
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import FusedAdam
from tf_models.training.reproducibility import make_reproducible
from tf_models.training.run_directory import RunDirectory
from tf_models.training.schedules import learning_rate

KIND = "sequence autoencoder"
MODEL_SETTINGS = ("embedding_dim", "code_size", "bidirectional", "rate")


@dataclass(frozen=True)
class SequenceTraining:
    """Everything of one training run, ready to `loop.fit(epochs)`."""

    run: RunDirectory
    tokenizer: SubwordTokenizer
    model: SequenceAutoencoder
    loop: TrainingLoop


def prepare_sequence_training(
    run: RunDirectory,
    corpus: Corpus,
    settings: SequenceSettings,
    seed: int,
    report: Callable[[str], None] = print,
) -> SequenceTraining:
    """Set up a run in its directory, or pick up the one that is there.

    Args:
        run: new, or made by the same call before.
        corpus: whose source sentences are to be read and written again.
        settings: model and training.
        seed: of weights, dropout and order, 0 to 2**32 - 1.
        report: what to do with a line for the reader.

    Raises:
        InputError: the directory belongs to other settings, or the sentences do not fit them.
    """
    make_reproducible(seed)
    run.prepare(_config(corpus, settings, seed))
    tokenizer = _tokenizer(run, corpus, settings)
    report(tokenizer.describe())
    training, validation = (
        _batches(pairs, tokenizer, settings, seed) for pairs in (corpus.train, corpus.validation)
    )
    model = build_sequence_autoencoder(settings, tokenizer)
    model.compile(FusedAdam(learning_rate(settings, len(training))))
    model.optimizer.build(model.trainable_variables)
    in_order = validation.in_order()
    step = FitStep(model, in_order.element_spec, unit="sentences")
    loop = TrainingLoop(run, step, training, in_order, tf.distribute.get_strategy(), report=report)
    return SequenceTraining(run, tokenizer, model, loop)


def load_sequence_autoencoder(
    run: RunDirectory, checkpoint: str | None = None
) -> tuple[SequenceAutoencoder, SubwordTokenizer, SequenceSettings]:
    """A trained model, its tokenizer and its settings.

    Args:
        run: its directory.
        checkpoint: "best" (the default), "latest" or a name.

    Raises:
        InputError: no such run or checkpoint, or one that is damaged.
    """
    config = run.read_config(KIND)
    try:
        settings = SequenceSettings(**config["model"], **config["training"])
        language = config["data"]["language"]
    except (KeyError, TypeError) as error:
        raise InputError(f"{run.config_file} is damaged: {error_message(error)}") from error
    tokenizer = _load_tokenizer(run, language)
    model = build_sequence_autoencoder(settings, tokenizer)
    load_model(model, checkpoint_path(run.checkpoints, checkpoint or "best"))
    return model, tokenizer, settings


def sources(pairs: list[SentencePair]) -> list[str]:
    """Each source sentence once, however many translations it has."""
    return list(dict.fromkeys(pair.source for pair in pairs))


def build_sequence_autoencoder(
    settings: SequenceSettings, tokenizer: SubwordTokenizer
) -> SequenceAutoencoder:
    """The untrained model of these settings."""
    return SequenceAutoencoder(
        tokenizer.vocabulary_size,
        settings.embedding_dim,
        settings.code_size // (1 + settings.bidirectional),
        settings.bidirectional,
        settings.rate,
    )


def _batches(
    pairs: list[SentencePair], tokenizer: SubwordTokenizer, settings: SequenceSettings, seed: int
) -> TranslationBatches:
    same = [SentencePair(sentence, sentence) for sentence in sources(pairs)]
    encoded = encode_pairs(
        same, TokenizerPair(tokenizer, tokenizer), settings.longest, settings.longest
    )
    return TranslationBatches(encoded, settings.batch_size, seed)


def _tokenizer(run: RunDirectory, corpus: Corpus, settings: SequenceSettings) -> SubwordTokenizer:
    file = run.tokenizers / "source.model"
    if file.exists():
        return _load_tokenizer(run, corpus.source_language)
    return train_tokenizer(sources(corpus.train), corpus.source_language, settings.pieces, file)


def _load_tokenizer(run: RunDirectory, language: str) -> SubwordTokenizer:
    return SubwordTokenizer(run.tokenizers / "source.model", language, lowercase=False)


def _config(corpus: Corpus, settings: SequenceSettings, seed: int) -> dict:
    return {
        "kind": KIND,
        **settings.as_config(MODEL_SETTINGS),
        "data": {
            "corpus": corpus.name,
            "language": corpus.source_language,
            "training_sentences": len(sources(corpus.train)),
            "validation_sentences": len(sources(corpus.validation)),
            "test_sentences": len(sources(corpus.test)),
            "fingerprint": corpus.fingerprint(),
        },
        "seed": seed,
    }
