"""A trained run as the start of another training: its settings, its tokenizers, its weights."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import keras

from tf_models.data.text.corpora import Corpus
from tf_models.data.text.tokenizer import TokenizerPair
from tf_models.errors import InputError
from tf_models.tasks.translation.decoding_options import DecodingOptions
from tf_models.tasks.translation.ready_made import READY_MADE, RUN_DIR
from tf_models.tasks.translation.remarks import TrainingSentences
from tf_models.tasks.translation.run import KIND, load_settings
from tf_models.tasks.translation.settings import TranslatorSettings
from tf_models.tasks.translation.translator import Translator
from tf_models.training.checkpoints import weights_fingerprint
from tf_models.training.run_directory import RunDirectory

FREE = ("dropout",)  # of a model's settings those that its weights do not depend on


@dataclass(frozen=True)
class StartingPoint:
    """What a training starts from: the weights that a trained run translates with.

    settings, tokenizers, sentences: of the trained run.
    said: what config.json of the new run says of its start: name of the trained run, checkpoint and
        fingerprint of the weights.
    """

    settings: TranslatorSettings
    tokenizers: TokenizerPair
    sentences: TrainingSentences
    said: Mapping[str, str]

    @classmethod
    def of(cls, name: str, new: RunDirectory) -> "StartingPoint":
        """A trained run, or `READY_MADE`, as the start of the training in another directory, which
        needs the trained one no more once it has saved something itself.

        Raises:
            InputError: no run directory of a translator, no weights in it, or a damaged file.
        """
        trained = new if new.has_checkpoints else RunDirectory(_path(name))
        settings, tokenizers = load_settings(trained)
        sentences = TrainingSentences.load(trained, settings.batching.max_lengths[0])
        if trained is new:
            found = new.read_config(KIND).get("start_from") or {}
            return cls(settings, tokenizers, sentences, {**found, "run": name})
        checkpoint = DecodingOptions.of(trained).checkpoint
        fingerprint = weights_fingerprint(trained, checkpoint)
        said = {"run": name, "checkpoint": checkpoint, "fingerprint": fingerprint}
        return cls(settings, tokenizers, sentences, said)

    @property
    def languages(self) -> tuple[str, str]:
        """Source and target."""
        return self.tokenizers.source.language, self.tokenizers.target.language

    def check(self, corpus: Corpus, settings: TranslatorSettings) -> None:
        """Check that a training can have these weights.

        Raises:
            InputError: it is of other languages, or of another model or tokenizer.
        """
        name, languages = self.said["run"], (corpus.source_language, corpus.target_language)
        if corpus.encoded is not None:
            raise InputError(f"{corpus.name} is prepared, with other tokenizers than {name} has")
        if languages != self.languages:
            raise InputError(
                f"{name} translates from {' to '.join(self.languages)}, and the corpus goes from "
                f"{' to '.join(languages)}; --languages turns a corpus"
            )
        wanted = _fixed(settings)
        for setting, value in _fixed(self.settings).items():
            if wanted.get(setting) != value:
                raise InputError(
                    f"{name} has {setting}={value}; received {wanted.get(setting)}: what starts "
                    "from it has its model and its tokenizer"
                )

    def copy_weights(self, network: keras.Model) -> None:
        """Give the weights to the untrained network of a training that `check` lets pass."""
        trained = Translator.load(_path(self.said["run"]), self.said["checkpoint"]).model.network
        pairs = zip(network.trainable_variables, trained.trainable_variables, strict=True)
        for variable, its in pairs:
            variable.assign(its)


def _path(name: str) -> Path:
    return RUN_DIR if name == READY_MADE else Path(name)


def _fixed(settings: TranslatorSettings) -> dict[str, object]:
    """Settings that the weights depend on, by name."""
    model = {"model": settings.architecture, **settings.model.flat(), **settings.tokenizer.flat()}
    return {name: value for name, value in model.items() if name not in FREE}
