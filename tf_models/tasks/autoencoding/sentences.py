"""Sequence autoencoders in run directories: one language of a corpus, one tokenizer, one model."""

import tensorflow as tf

from tf_models.data.text.batches import EncodedPairs, TranslationBatches, encode_pairs
from tf_models.data.text.corpora import Corpus
from tf_models.data.text.pairs import SentencePair
from tf_models.data.text.tokenizer import SubwordTokenizer, TokenizerPair, train_tokenizer
from tf_models.errors import InputError, Report, error_message
from tf_models.recurrent.sequence_autoencoder import SequenceAutoencoder
from tf_models.tasks.autoencoding.sentence_settings import SEQUENCE_MODELS, SentenceRunSettings
from tf_models.training.assembly import Preparation, Trainable, Training
from tf_models.training.checkpoints import load_model
from tf_models.training.optimizers import make_adam
from tf_models.training.run_directory import RunDirectory
from tf_models.training.train_step import SummedLossObjective

KIND = "sequence autoencoder"
TOKENS_IN_A_SHARD = 256  # at least; with fewer, its matrices are too small to be worth a core


def prepare_sequence_training(
    run: RunDirectory,
    corpus: Corpus,
    settings: SentenceRunSettings,
    seed: int,
    *,
    strategy: tf.distribute.Strategy | None = None,
    report: Report = print,
) -> Training:
    """Set up a run in its directory, or pick up the one that is there (see `Preparation`).

    Args:
        run, seed, strategy, report: see `Preparation`.
        corpus: whose source sentences are to be read and written again.
        settings: model and training.

    Raises:
        InputError: the directory belongs to other settings, or the sentences do not fit them.
    """
    start = Preparation(run, settings, seed, strategy, report)
    with start.directory(KIND, _describe(corpus), "data.corpus"):
        tokenizer = _tokenizer(start.run, corpus, settings)
    report(tokenizer.describe())
    training, validation = (
        _encode(pairs, tokenizer, settings) for pairs in (corpus.train, corpus.validation)
    )
    batch_size = settings.training.batch_size
    tokens = batch_size * sum(map(len, training.target)) // len(training)
    start.share_cores(tokens, TOKENS_IN_A_SHARD)
    batches = TranslationBatches(training, batch_size, seed)

    def make() -> Trainable:
        model = build_sequence_autoencoder(settings, tokenizer)
        steps = settings.training.epochs * len(batches)
        model.compile(make_adam(settings.optimizer, steps))
        return Trainable(model, model.optimizer, SummedLossObjective(model, "tokens"))

    in_order = TranslationBatches(validation, batch_size, seed).in_order()
    return start.assemble(batches, in_order, make)


def load_sequence_autoencoder(
    run: RunDirectory, checkpoint: str | None = None
) -> tuple[SequenceAutoencoder, SubwordTokenizer, SentenceRunSettings]:
    """A trained model, its tokenizer and its settings.

    Args:
        run: its directory.
        checkpoint: "best" (the default), "latest" or a name.

    Raises:
        InputError: no such run or checkpoint, or one that is damaged.
    """
    config = run.read_config(KIND)
    try:
        settings = SEQUENCE_MODELS[config["variant"]].from_config(config)
        language = config["data"]["language"]
    except (KeyError, TypeError, InputError) as error:
        raise InputError(f"{run.config_file} is damaged: {error_message(error)}") from error
    tokenizer = _load_tokenizer(run, language)
    model = build_sequence_autoencoder(settings, tokenizer)
    load_model(model, run, checkpoint or "best")
    return model, tokenizer, settings


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
    same = [SentencePair(sentence, sentence) for sentence in sources(pairs)]
    length = settings.tokenizer.max_length
    return encode_pairs(same, TokenizerPair(tokenizer, tokenizer), (length, length))


def _tokenizer(
    run: RunDirectory, corpus: Corpus, settings: SentenceRunSettings
) -> SubwordTokenizer:
    file = run.tokenizers / "source.model"
    if file.exists():
        return _load_tokenizer(run, corpus.source_language)
    pieces = settings.tokenizer.pieces
    return train_tokenizer(sources(corpus.train), corpus.source_language, pieces, file)


def _load_tokenizer(run: RunDirectory, language: str) -> SubwordTokenizer:
    return SubwordTokenizer(run.tokenizers / "source.model", language, lowercase=False)


def _describe(corpus: Corpus) -> dict:
    return {
        "corpus": corpus.name,
        "language": corpus.source_language,
        "training_sentences": len(sources(corpus.train)),
        "validation_sentences": len(sources(corpus.validation)),
        "test_sentences": len(sources(corpus.test)),
        "fingerprint": corpus.fingerprint(),
    }
