"""Sequence autoencoders in run directories: one language of a corpus, one tokenizer, one model."""

from collections.abc import Callable
from dataclasses import dataclass

import tensorflow as tf

from tf_models.data.text.batches import EncodedPairs, TranslationBatches, encode_pairs
from tf_models.data.text.corpora import Corpus
from tf_models.data.text.pairs import SentencePair
from tf_models.data.text.tokenizer import SubwordTokenizer, TokenizerPair, train_tokenizer
from tf_models.errors import InputError, error_message
from tf_models.recurrent.sequence_autoencoder import SequenceAutoencoder
from tf_models.tasks.autoencoding.sentence_settings import SEQUENCE_MODELS, SentenceRunSettings
from tf_models.training.assembly import Trainable, assemble, share_cores
from tf_models.training.checkpoints import load_model
from tf_models.training.distributed.workers import Workers
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import make_adam
from tf_models.training.reproducibility import make_reproducible
from tf_models.training.run_directory import RunDirectory, run_config
from tf_models.training.summed_loss_objective import SummedLossObjective

KIND = "sequence autoencoder"
TOKENS_IN_A_SHARD = 256  # at least; with fewer, its matrices are too small to be worth a core


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
    settings: SentenceRunSettings,
    seed: int,
    *,
    strategy: tf.distribute.Strategy | None = None,
    report: Callable[[str], None] = print,
) -> SequenceTraining:
    """Set up a run in its directory, or pick up the one that is there.

    It sets TensorFlow's threads, too, if TensorFlow has computed nothing yet.

    Args:
        run: new, or made by the same call before.
        corpus: whose source sentences are to be read and written again.
        settings: model and training.
        seed: of weights, dropout and order, 0 to 2**32 - 1.
        strategy: how to distribute; TensorFlow's default strategy (one device) if left out.
        report: what to do with a line for the reader.

    Raises:
        InputError: the directory belongs to other settings, or the sentences do not fit them.
    """
    strategy = strategy or tf.distribute.get_strategy()
    make_reproducible(seed)
    workers = Workers(strategy)
    run = workers.share(run)
    with workers.chief_first():
        changeable = [*settings.changeable(), "data.corpus"]
        run.prepare(_config(corpus, settings, seed), changeable, settings.lowerable())
        tokenizer = _tokenizer(run, corpus, settings)
    report(tokenizer.describe())
    training, validation = (
        _encode(pairs, tokenizer, settings) for pairs in (corpus.train, corpus.validation)
    )
    batch_size = settings.training.batch_size
    tokens = batch_size * sum(map(len, training.target)) // len(training)
    num_shards = share_cores(strategy, tokens, TOKENS_IN_A_SHARD)
    batches = TranslationBatches(training, batch_size, seed)

    def make() -> Trainable:
        model = build_sequence_autoencoder(settings, tokenizer)
        steps = settings.training.epochs * len(batches)
        model.compile(make_adam(settings.optimizer, steps))
        return Trainable(model, model.optimizer, SummedLossObjective(model, "tokens"))

    loop = assemble(
        run,
        batches,
        TranslationBatches(validation, batch_size, seed).in_order(),
        make,
        strategy=strategy,
        num_shards=num_shards,
        report=report,
    )
    return SequenceTraining(run, tokenizer, loop.step.model, loop)


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
        model.dropout,
    )


def _encode(
    pairs: list[SentencePair], tokenizer: SubwordTokenizer, settings: SentenceRunSettings
) -> EncodedPairs:
    same = [SentencePair(sentence, sentence) for sentence in sources(pairs)]
    longest = settings.tokenizer.longest
    return encode_pairs(same, TokenizerPair(tokenizer, tokenizer), longest, longest)


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


def _config(corpus: Corpus, settings: SentenceRunSettings, seed: int) -> dict:
    data = {
        "corpus": corpus.name,
        "language": corpus.source_language,
        "training_sentences": len(sources(corpus.train)),
        "validation_sentences": len(sources(corpus.validation)),
        "test_sentences": len(sources(corpus.test)),
        "fingerprint": corpus.fingerprint(),
    }
    return run_config(KIND, settings, data, seed)
