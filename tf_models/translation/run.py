"""What a translator's run directory says of it: its settings and its tokenizers."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tf_models.data.corpora import Corpus, CorpusMetric, load_corpora, metrics_of
from tf_models.data.tokenizers import (
    BPEMB,
    MODELS,
    TokenizerPair,
    normalize_source,
    train_tokenizer,
)
from tf_models.errors import InputError
from tf_models.training.run_directory import RunDirectory
from tf_models.translation.settings import TokenizerSettings, TranslatorSettings

KIND = "translator"


def describe(corpus: Corpus) -> dict[str, object]:
    """What config.json says of the corpus, by which it is known again; of several, in lists."""

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
    }


def load_settings(run: RunDirectory) -> tuple[TranslatorSettings, TokenizerPair]:
    """Settings and tokenizers of a trained run; an InputError if it is none, or is damaged."""
    with run.reading(KIND) as config:
        settings = TranslatorSettings.from_config(config)
        languages = config["data"]["source_language"], config["data"]["target_language"]
    kind = settings.tokenizer.tokenizer
    return settings, TokenizerPair.load(run.tokenizers, languages, kind)


def metrics_of_run(run: RunDirectory) -> tuple[CorpusMetric, ...]:
    """What else translations of the run's corpora can be measured by (see `load_settings`)."""
    config = run.read_config(KIND)
    return metrics_of(corpus_names(config), config["data"]["target_language"])


def corpus_of_run(
    run: RunDirectory, names: Sequence[str] | None = None, data_dir: Path | None = None
) -> Corpus:
    """What a run was trained on, read again; or other corpora, in its languages, with its seed.
    Raises InputError: see `load_settings` and `load_corpora`; or a corpus has other pairs now, and
    its test pairs may have been trained on.
    """
    config = run.read_config(KIND)
    data, options = config["data"], {"data_dir": data_dir, "seed": config["seed"]}
    languages = data["source_language"], data["target_language"]
    corpus = load_corpora(names or corpus_names(config), languages=languages, **options)
    if names is None and describe(corpus)["fingerprint"] != data["fingerprint"]:
        raise InputError(
            f"{corpus.name} has other pairs than {run.path} was trained on; name files, or "
            "--corpus if you know that its test pairs are the same"
        )
    return corpus


def corpus_names(config: Mapping) -> list[str]:
    """Of the corpora in config.json (see `describe`)."""
    found = config["data"]["corpus"]
    return found if isinstance(found, list) else [found]


def make_tokenizers(
    folder: Path,
    corpus: Corpus,
    settings: TokenizerSettings,
    data_dir: Path | None,
    trained: TokenizerPair | None = None,
) -> TokenizerPair:
    """The tokenizers in a folder; new ones are trained on the corpus or taken from BPEmb, or copied
    from those of another run that are `trained` already. Raises InputError: they cannot be trained
    or found.
    """
    languages = (corpus.source_language, corpus.target_language)
    if (folder / MODELS[-1]).exists():  # the last of the two to be written
        return TokenizerPair.load(folder, languages, settings.tokenizer)
    if trained:
        return trained.copy_to(folder)
    if settings.tokenizer == BPEMB:
        from tf_models.data.tokenizers import pretrained_tokenizer  # late: pooch takes its time

        pair = (pretrained_tokenizer(code, settings.pieces, data_dir) for code in languages)
        return TokenizerPair(*pair).copy_to(folder)
    files = [folder / name for name in MODELS]
    sources, targets = zip(*corpus.train, strict=True)
    sides = list(map(normalize_source, sources)), list(targets)
    if settings.tokenizer == "joint":
        both = train_tokenizer(sides[0] + sides[1], languages[0], settings.pieces, files[0])
        both.copy_to(files[1])
        return TokenizerPair.load(folder, languages, settings.tokenizer)
    return TokenizerPair(
        *(
            train_tokenizer(texts, code, settings.pieces, file)
            for texts, code, file in zip(sides, languages, files, strict=True)
        )
    )
