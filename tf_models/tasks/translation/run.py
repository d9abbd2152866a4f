"""What a translator's run directory says of it: its settings and its tokenizers."""

from pathlib import Path

from tf_models.data.text.bpemb import pretrained_tokenizer
from tf_models.data.text.corpora import Corpus, CorpusMetric, metrics_of
from tf_models.data.text.tokenizer import BPEMB, MODELS, TokenizerPair, train_tokenizer
from tf_models.tasks.translation.architectures import architecture
from tf_models.tasks.translation.settings import TokenizerSettings, TranslatorSettings
from tf_models.training.run_directory import RunDirectory

KIND = "translator"


def describe(corpus: Corpus) -> dict[str, object]:
    """What config.json says of the corpus, by which it is known again."""
    return {
        "corpus": corpus.name,
        "source_language": corpus.source_language,
        "target_language": corpus.target_language,
        "training_pairs": len(corpus.train),
        "validation_pairs": len(corpus.validation),
        "test_pairs": len(corpus.test),
        "fingerprint": corpus.fingerprint(),
    }


def load_settings(run: RunDirectory) -> tuple[TranslatorSettings, TokenizerPair]:
    """Settings and tokenizers of a run that has been trained.

    Raises:
        InputError: no run directory, one of another kind, or one that is damaged.
    """
    with run.reading(KIND) as config:
        settings = architecture(config["architecture"]).read_settings(config)
        languages = config["data"]["source_language"], config["data"]["target_language"]
    kind = settings.tokenizer.tokenizer
    return settings, TokenizerPair.load(run.tokenizers, languages, kind)


def metrics_of_run(run: RunDirectory) -> tuple[CorpusMetric, ...]:
    """What else translations of the run's corpus can be measured by.

    Raises:
        InputError: see `load_settings`.
    """
    with run.reading(KIND) as config:
        corpus, language = config["data"]["corpus"], config["data"]["target_language"]
    return metrics_of(corpus, language)


def make_tokenizers(
    run: RunDirectory, corpus: Corpus, settings: TokenizerSettings, data_dir: Path | None
) -> TokenizerPair:
    """The tokenizers in a run directory; new ones are trained on the corpus or taken from BPEmb.

    Raises:
        InputError: they cannot be trained or found.
    """
    languages = (corpus.source_language, corpus.target_language)
    if (run.tokenizers / MODELS[-1]).exists():  # the last of the two to be written
        return TokenizerPair.load(run.tokenizers, languages, settings.tokenizer)
    if corpus.tokenizers:
        return corpus.tokenizers.copy_to(run.tokenizers)
    if settings.tokenizer == BPEMB:
        pair = (pretrained_tokenizer(code, settings.pieces, data_dir) for code in languages)
        return TokenizerPair(*pair).copy_to(run.tokenizers)
    files = [run.tokenizers / name for name in MODELS]
    sides = [list(texts) for texts in zip(*corpus.train, strict=True)]
    if settings.tokenizer == "joint":
        both = train_tokenizer(sides[0] + sides[1], languages[0], settings.pieces, files[0])
        both.copy_to(files[1])
        return TokenizerPair.load(run.tokenizers, languages, settings.tokenizer)
    return TokenizerPair(
        *(
            train_tokenizer(texts, code, settings.pieces, file)
            for texts, code, file in zip(sides, languages, files, strict=True)
        )
    )
