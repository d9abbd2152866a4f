"""Training of a translator, from scratch or as fine-tuning."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import keras

from tf_models.data.annotated import ARTICLE_SENTENCES
from tf_models.data.batches import BucketedBatches, EncodedPairs, encode_pairs
from tf_models.data.corpora import Corpus, corpus_list, load_corpora
from tf_models.data.pairs import SentencePair
from tf_models.data.subword_models import pretrained_tokenizer, pretrained_vectors, train_tokenizer
from tf_models.data.tokenizers import BPEMB, MODELS, TokenizerPair
from tf_models.data.words import normalize_source, split_words, word_forms
from tf_models.errors import InputError, Report, StrPath, counted
from tf_models.files import write_text
from tf_models.training.devices import TOKENS_IN_A_SHARD, device_scope
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import FusedAdam, TimedCosine
from tf_models.training.run_directory import RunDirectory
from tf_models.transformer.initialisation import initialise_mimetically, scale_residual_branches
from tf_models.transformer.model import Transformer
from tf_models.transformer.schedule import CustomSchedule
from tf_models.translation.evaluate import (
    describe_search,
    evaluate_translator,
    make_bleu,
    score_corpora,
)
from tf_models.translation.load import class_entry, load_class, load_known_words, load_settings
from tf_models.translation.model import TranslationModel, build_model, set_vectors
from tf_models.translation.settings import (
    TokenizerSettings,
    TransformerSettings,
    TranslatorSettings,
    run_dir_of,
)
from tf_models.translation.translate import Translator

VALIDATION_BATCH = 128
SHOWN_TRANSLATIONS = 10
CHARACTERS_IN_A_TOKEN = 4  # about
# Names and a number that no training sentence of the embedded corpora has.
UNSEEN_NAMES = (
    "My name is Hermione Woolf.",
    "Clint Bogart lives in Fresno.",
    "Ernest Elgar has 1234 books.",
)


def train_translator(
    run_dir: StrPath,
    data: Corpus | str | Sequence[str],
    settings: TranslatorSettings,
    seed: int = 0,
    *,
    languages: tuple[str, str] | None = None,
    max_pairs: int | None = None,
    data_dir: StrPath | None = None,
    start_from: StrPath | None = None,
    tokenizers: TokenizerPair | None = None,
    transformer_class: type[Transformer] = Transformer,
    inference_class: type[Transformer] | None = None,
    minutes: float = math.inf,
    fit: bool = True,
    report: Report = print,
) -> TrainingLoop:
    """Train a translator, or resume its training, and report on it.

    Args:
        run_dir: the run directory, new or of an interrupted training.
        data: a corpus, or one name or several that `load_corpora` takes.
        settings: of model and training.
        seed: of weights, noise and order.
        languages, max_pairs, data_dir: see `load_corpora`, if the data are named.
        start_from: a trained run to fine-tune, or `READY_MADE`; its tokenizers are kept.
        tokenizers: to use; else they are trained on the corpus, or BPEmb's, as settings say.
        transformer_class: class to train, registered with Keras.
        inference_class: class that `Translator.load` gives the weights to, if it is another one:
            `Transformer` for a subclass with an auxiliary loss.
        minutes: of training, in place of a number of epochs.
        fit: False stops before the first step: the loop that is returned may be looked at.
        report: takes the lines that are shown.

    Raises:
        InputError: the directory belongs to another training, or corpus, settings and
            `start_from` do not fit each other.
        TrainingInterrupted: Ctrl-C; the same call resumes.
    """
    run = RunDirectory(run_dir)
    trained = StartingPoint.load(str(start_from), run) if start_from else None
    known = trained.tokenizers if trained else tokenizers
    if isinstance(data, Corpus):
        corpus = data
    else:
        report(f"loading corpus {', '.join(corpus_list(data))}")
        wanted = languages or (trained.languages if trained else (None, None))
        corpus = load_corpora(
            data, languages=wanted, data_dir=data_dir, max_pairs=max_pairs, seed=seed
        )
    make_bleu(corpus.target_language)  # a language without BLEU is refused before training
    inference_class = inference_class or transformer_class
    if trained:
        trained.check(corpus, settings, inference_class)
    settings = settings.fitted(len(corpus.train), about_tokens(corpus.train))
    further = {"start_from": start_from and str(start_from), **class_entry(inference_class)}
    run.prepare("translator", settings, describe(corpus), seed, minutes, **further)

    if run.has_checkpoints:
        tokenizers = load_settings(run)[1]
    else:
        tokenizers = make_tokenizers(run.tokenizers, corpus, settings.tokenizer, data_dir, known)
        _write_known_words(run, corpus, trained)
    for side in (tokenizers.source, tokenizers.target):
        report(side.describe())

    batching = settings.batching
    lengths = settings.batching.max_lengths
    pairs = _encode(corpus.train, tokenizers, lengths, "training", report)
    padded = lengths if batching.padded and batching.batch_size else None
    mean_length = int(pairs.lengths[1].sum()) / len(pairs)
    tokens = batching.batch_tokens or int(batching.batch_size * mean_length)
    with device_scope(seed, tokens, TOKENS_IN_A_SHARD) as shards:
        batches = BucketedBatches(
            pairs,
            batching.batch_size,
            seed,
            padded_lengths=padded,
            batch_tokens=batching.batch_tokens,
        )
        held_out = _encode(corpus.validation, tokenizers, lengths, "validation", report)
        validation = BucketedBatches(held_out, VALIDATION_BATCH, seed).in_order()
        model = build_model(settings, tokenizers, settings.training.precision, transformer_class)
        if not run.has_checkpoints:
            _initialise(model, settings, tokenizers, data_dir, trained)
        model.network.num_shards = shards
        model.network.label_smoothing = settings.training.label_smoothing
        model.network.compile(make_optimizer(settings, len(batches), minutes))

    monitor, measure = "val_loss", None
    if settings.training.patience:
        monitor, measure = "val_bleu", _validation_bleu(model, tokenizers, settings, corpus)
    loop = TrainingLoop(
        run,
        model.network,
        batches,
        validation,
        epochs=settings.training.epochs,
        minutes=minutes,
        monitor=monitor,
        patience=settings.training.patience,
        measure=measure,
        average_last_n=settings.training.average_last_n,
        report=report,
    )
    if fit:
        source, target = next(iter(batches.batches_from(0, 0, 1)))
        report(f"first batch: source {tuple(source.shape)}, target {tuple(target.shape)}")
        report(settings.length(len(pairs), "pair", len(batches), minutes))
        loop.fit()
        if loop.is_chief:
            report_training(loop, corpus, report)
    return loop


def about_tokens(pairs: Sequence[SentencePair]) -> int:
    """About the tokens of the longer sides, before there is a tokenizer."""
    longer = (max(len(source), len(target)) for source, target in pairs)
    return sum(length // CHARACTERS_IN_A_TOKEN + 2 for length in longer)  # <start>, <end>


def describe(corpus: Corpus) -> dict[str, object]:
    """Entry of config.json that identifies a corpus; lists for several."""

    def of_each(value: Callable[[Corpus], object]) -> object:
        values = [value(part) for part in corpus.parts.values()]
        return values if len(values) > 1 else values[0]

    return {
        "corpus": of_each(lambda part: part.name),
        "source_language": corpus.source_language,
        "target_language": corpus.target_language,
        "training_pairs": of_each(lambda part: len(part.train)),
        "validation_pairs": of_each(lambda part: len(part.validation)),
        "test_pairs": of_each(lambda part: len(part.test)),
        "fingerprint": of_each(lambda part: part.fingerprint()),
        "selection": of_each(lambda part: part.selection),
    }


def make_tokenizers(
    folder: Path,
    corpus: Corpus,
    settings: TokenizerSettings,
    data_dir: StrPath | None = None,
    known: TokenizerPair | None = None,
) -> TokenizerPair:
    """Write tokenizers to a folder: copies of `known`, BPEmb's, or new ones.

    Raises InputError: they cannot be trained or found.
    """
    languages = (corpus.source_language, corpus.target_language)
    if known:
        return known.copy_to(folder)
    if settings.tokenizer == BPEMB:
        pair = (pretrained_tokenizer(code, settings.pieces, data_dir) for code in languages)
        return TokenizerPair(*pair).copy_to(folder)
    files = [folder / name for name in MODELS]
    sources = [normalize_source(source) for source, _ in corpus.train]
    targets = [target for _, target in corpus.train]
    if settings.tokenizer == "joint":
        both = train_tokenizer(sources + targets, languages[0], settings.pieces, files[0])
        both.copy_to(files[1])
    else:
        for texts, code, file in zip((sources, targets), languages, files, strict=True):
            train_tokenizer(texts, code, settings.pieces, file)
    return TokenizerPair.load(folder, languages, settings.tokenizer)


def _write_known_words(run: RunDirectory, corpus: Corpus, trained: "StartingPoint | None") -> None:
    words = word_forms(normalize_source(source) for source, _ in corpus.train)
    words |= trained.known_words if trained else set()
    write_text(run.words_file, "".join(f"{word}\n" for word in sorted(words)))


def _encode(
    pairs: Sequence[SentencePair],
    tokenizers: TokenizerPair,
    max_lengths: tuple[int, int],
    name: str,
    report: Report,
) -> EncodedPairs:
    encoded = encode_pairs(pairs, tokenizers, max_lengths)
    limits = "{} source or {} target tokens".format(*max_lengths)
    kept = counted(len(encoded), f"{name} pair")
    report(f"{kept} ({encoded.dropped} longer than {limits} dropped)")
    return encoded


def _initialise(
    model: TranslationModel,
    settings: TranslatorSettings,
    tokenizers: TokenizerPair,
    data_dir: StrPath | None,
    trained: "StartingPoint | None",
) -> None:
    """Initialise weights as set, or from a trained run or BPEmb's vectors."""
    if isinstance(settings.model, TransformerSettings):
        if settings.model.branch_scale != 1:
            scale_residual_branches(model.network, settings.model.branch_scale)
        if settings.model.mimetic_initialisation:
            initialise_mimetically(model.network)
    if trained:
        weights = Translator.load(run_dir_of(trained.name)).model.network.trainable_variables
        for new, old in zip(model.network.trainable_variables, weights, strict=True):
            new.assign(old)
    elif settings.training.pretrained_vectors:
        pieces = settings.tokenizer.pieces
        width = settings.model.d_model
        sides = (tokenizers.source, tokenizers.target)
        vectors = [pretrained_vectors(side.language, pieces, width, data_dir) for side in sides]
        set_vectors(model.network, vectors)


def _validation_bleu(
    model: TranslationModel, tokenizers: TokenizerPair, settings: TranslatorSettings, corpus: Corpus
) -> Callable[[], dict[str, float]]:
    """Measure of cased BLEU: greedy translations with the current weights."""
    translator = Translator(model, tokenizers, settings.model.positions)
    return lambda: {"val_bleu": evaluate_translator(translator, corpus.validation)[0].bleu}


def make_optimizer(
    settings: TranslatorSettings, epoch_steps: int, minutes: float = math.inf
) -> keras.optimizers.Optimizer:
    """Adam as in Vaswani et al. (2017), section 5.3, or another optimizer.

    Muon (Jordan et al. 2024) is for matrices; embeddings, biases and norms go by its Adam.

    Args:
        settings: of model, optimizer and training.
        epoch_steps: batches in an epoch, for a cosine.
        minutes: of the training, in place of its epochs.
    """
    optimizer = settings.optimizer
    schedule = CustomSchedule(settings.model.d_model, optimizer.warmup_steps, optimizer.peak)
    peak = float(schedule(optimizer.warmup_steps))
    if optimizer.schedule == "cosine" and minutes < math.inf:
        schedule = TimedCosine(peak, 60 * minutes, warmup_steps=optimizer.warmup_steps)
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
        keras_optimizer = keras.optimizers.Muon(
            schedule,
            exclude_layers=["bias"],  # a GRU has two, one over the other: a matrix for Keras
            adam_beta_2=0.98,
            epsilon=1e-9,
            adam_weight_decay=decay,
            **options,
        )
    elif optimizer.optimizer == "adafactor":
        keras_optimizer = keras.optimizers.Adafactor(schedule, **options)
    else:
        keras_optimizer = FusedAdam(schedule, beta_1=0.9, beta_2=0.98, epsilon=1e-9, **options)
    keras_optimizer.exclude_from_weight_decay(var_names=["bias", "gamma", "beta"])
    return keras_optimizer


def report_training(loop: TrainingLoop, corpus: Corpus, report: Report = print) -> None:
    """Report test scores of the trained model, and some translations."""
    translator = Translator.load(loop.run.path)
    search = describe_search(translator.beam_size)
    report(f"\n{counted(len(corpus.test), 'test pair')}, {search}:")
    results = score_corpora(translator, corpus.parts, report)
    for label, part in corpus.parts.items():
        step = max(1, len(part.test) // SHOWN_TRANSLATIONS)  # evenly from the first to the last
        shown = list(zip(part.test, results[label][1], strict=True))[::step][:SHOWN_TRANSLATIONS]
        for pair, translation in shown:
            report(f"\n  source       {pair.source}\n  translation  {translation}")
            report(f"  reference    {pair.target}")
    familiar = [
        sentence
        for sentence in (*ARTICLE_SENTENCES, *UNSEEN_NAMES)
        if 2 * len(translator.unknown_words(sentence)) <= len(split_words(sentence))
    ]
    if corpus.source_language == "en" and familiar:
        report("\nthe articles' sentences, and names that the embedded corpora do not have:")
        report_translations(translator, familiar, report)


def report_translations(
    translator: Translator, sentences: Sequence[str], report: Report = print
) -> None:
    """Report translations of all readable sentences, and unknown words."""
    sentences = list(filter(translator.can_translate, sentences))
    for sentence, (best, *_) in zip(sentences, translator.translate(sentences), strict=True):
        report(f"\n  source       {sentence}\n  translation  {best.text}")
        if unknown := translator.unknown_words(sentence):
            report(f"  unknown      {' '.join(unknown)}")


class StartingPoint(NamedTuple):
    """A trained run to fine-tune; `name` is its directory or `READY_MADE`."""

    name: str
    settings: TranslatorSettings
    tokenizers: TokenizerPair
    known_words: frozenset[str]
    transformer_class: type[Transformer]

    @classmethod
    def load(cls, name: str, new: RunDirectory) -> "StartingPoint":
        """Load a trained run, or the `new` one once it has checkpoints."""
        run = new if new.has_checkpoints else RunDirectory(run_dir_of(name))
        return cls(name, *load_settings(run), load_known_words(run), load_class(run))

    @property
    def languages(self) -> tuple[str, str]:
        """Source and target language."""
        return self.tokenizers.source.language, self.tokenizers.target.language

    def check(
        self, corpus: Corpus, settings: TranslatorSettings, transformer_class: type[Transformer]
    ) -> None:
        """Raise an InputError if languages, model or tokenizer do not match."""
        languages = corpus.source_language, corpus.target_language
        if languages != self.languages:
            raise InputError(
                f"{self.name} translates from {' to '.join(self.languages)}, and the corpus goes "
                f"from {' to '.join(languages)}; --languages turns a corpus"
            )
        model = self.settings.model.changed(dropout=settings.model.dropout)
        same = self.settings.architecture, model, self.settings.tokenizer, self.transformer_class
        wanted = settings.architecture, settings.model, settings.tokenizer, transformer_class
        if same != wanted:
            raise InputError(f"what starts from {self.name} keeps its model and its tokenizer")
