"""What a translator's run directory says of it: its settings and its tokenizers."""

from pathlib import Path

from tf_models.data.text.bpemb import pretrained_tokenizer
from tf_models.data.text.corpora import Corpus
from tf_models.data.text.tokenizer import SubwordTokenizer, TokenizerPair, train_tokenizer
from tf_models.errors import InputError, error_message
from tf_models.tasks.translation.settings import TranslatorSettings
from tf_models.training.run_directory import RunDirectory

KIND = "translator"
MODEL_SETTINGS = (
    *("num_layers", "d_model", "num_heads", "dff", "rate", "word_rate", "positions"),
    *("tie_embeddings", "precision"),
)


def load_settings(run: RunDirectory) -> tuple[TranslatorSettings, TokenizerPair]:
    """Settings and tokenizers of a run that has been trained.

    Raises:
        InputError: no run directory, one of another kind, or one that is damaged.
    """
    config = run.read_config(KIND)
    try:
        settings = TranslatorSettings(**config["model"], **config["training"])
        languages = config["data"]["source_language"], config["data"]["target_language"]
    except (KeyError, TypeError) as error:
        raise InputError(f"{run.config_file} is damaged: {error_message(error)}") from error
    return settings, _load_tokenizers(run, languages, settings)


def run_config(corpus: Corpus, settings: TranslatorSettings, seed: int) -> dict:
    """What config.json says of a translator's run, package versions apart."""
    return {
        "kind": KIND,
        **settings.as_config(MODEL_SETTINGS),
        "data": {
            "corpus": corpus.name,
            "source_language": corpus.source_language,
            "target_language": corpus.target_language,
            "training_pairs": len(corpus.train),
            "validation_pairs": len(corpus.validation),
            "test_pairs": len(corpus.test),
            "fingerprint": corpus.fingerprint(),
        },
        "seed": seed,
    }


def make_tokenizers(
    run: RunDirectory, corpus: Corpus, settings: TranslatorSettings, bpemb_cache: Path | None
) -> TokenizerPair:
    """The tokenizers in a run directory; new ones are trained on the corpus or taken from BPEmb.

    Raises:
        InputError: they cannot be trained or found.
    """
    languages = (corpus.source_language, corpus.target_language)
    if (run.tokenizers / "target.model").exists():  # the last of the two to be written
        return _load_tokenizers(run, languages, settings)
    if settings.tokenizer == "bpemb":
        pair = (pretrained_tokenizer(code, settings.pieces, bpemb_cache) for code in languages)
        return TokenizerPair(*pair).copy_to(run.tokenizers)
    sides = [list(texts) for texts in zip(*corpus.train, strict=True)]
    if settings.joint:
        sides = [sides[0] + sides[1]] * 2
    return TokenizerPair(
        *(
            train_tokenizer(texts, code, settings.pieces, run.tokenizers / f"{side}.model")
            for texts, code, side in zip(sides, languages, ("source", "target"), strict=True)
        )
    )


def _load_tokenizers(run, languages, settings) -> TokenizerPair:
    lowercase = settings.tokenizer == "bpemb"
    return TokenizerPair(
        *(
            SubwordTokenizer(run.tokenizers / f"{side}.model", code, lowercase)
            for side, code in zip(("source", "target"), languages, strict=True)
        )
    )
