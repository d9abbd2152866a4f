"""A translator's trained encoder as the start of a classifier: read from its run directory."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tf_models.data.text.tokenizer import SubwordTokenizer, TokenizerPair
from tf_models.errors import InputError, error_message
from tf_models.home import READY_MADE_RUN
from tf_models.tasks.classification.settings import ClassifierSettings
from tf_models.training.checkpoints import load_model
from tf_models.training.run_directory import RunDirectory
from tf_models.transformer.model import Encoder, transformer_of

READY_MADE = "ready-made"  # the translator that comes with the package
SIZES = ("num_layers", "d_model", "num_heads", "dff")


@dataclass(frozen=True)
class TranslatorEncoder:
    """The encoder of a trained translator, and the tokenizer of what it reads.

    name: its run directory, or `READY_MADE`.
    run: the same.
    model: the section `model` of its config.json.
    tokenizer: of its source language.
    target_vocabulary_size: of the decoder, which the checkpoint has, too.
    """

    name: str
    run: RunDirectory
    model: Mapping
    tokenizer: SubwordTokenizer
    target_vocabulary_size: int

    @classmethod
    def find(cls, name: str) -> "TranslatorEncoder":
        """That of a run directory, or of the ready-made translator.

        Raises:
            InputError: no run directory, one that is damaged, or of something without such an
                encoder.
        """
        run = RunDirectory(READY_MADE_RUN if name == READY_MADE else Path(name))
        config = run.read_config("translator")
        try:
            if config["architecture"] != "transformer":
                raise InputError(
                    f"{run.path} holds a translator of architecture {config['architecture']}; "
                    "only a transformer has such an encoder"
                )
            data, model = config["data"], config["model"]
            tokenizer = config["tokenizer"]["tokenizer"]
            missing = [size for size in SIZES if not isinstance(model[size], int)]
            if missing:
                raise TypeError(f"{missing[0]} is {model[missing[0]]!r}")
            languages = data["source_language"], data["target_language"]
        except (KeyError, TypeError) as error:
            raise InputError(f"{run.config_file} is damaged: {error_message(error)}") from error
        pair = TokenizerPair.load(run.tokenizers, languages, tokenizer)
        return cls(name, run, model, pair.source, pair.target.vocabulary_size)

    @property
    def sizes(self) -> dict[str, int]:
        """Settings of a classifier that has this encoder."""
        return {**{size: self.model[size] for size in SIZES}, "pieces": self.tokenizer.pieces}

    def settings_for(
        self, settings: ClassifierSettings, given: Mapping[str, object]
    ) -> ClassifierSettings:
        """The settings with the sizes of this encoder.

        Args:
            settings: of a classifier.
            given: those that somebody asked for, by name.

        Raises:
            InputError: another size was asked for.
        """
        for name, size in self.sizes.items():
            if given.get(name, size) != size:
                raise InputError(
                    f"the encoder of {self.name} has {name}={size}; received {given[name]}: "
                    f"leave --{name.replace('_', '-')} out"
                )
        return settings.changed(**self.sizes)

    def check_language(self, language: str) -> None:
        """Refuse texts of another language; "" is not known, and passes.

        Raises:
            InputError: the encoder reads another one.
        """
        if language and language != self.tokenizer.language:
            raise InputError(
                f"the encoder of {self.name} reads {self.tokenizer.language}, and the texts are "
                f"{language}"
            )

    @cached_property
    def encoder(self) -> Encoder:
        """With its weights.

        Raises:
            InputError: there is no checkpoint, or it is damaged.
        """
        vocabularies = self.tokenizer.vocabulary_size, self.target_vocabulary_size
        try:
            network = transformer_of(self.model, *vocabularies, "float32")
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"{self.run.config_file} is damaged: {error_message(error)}"
            ) from error
        load_model(network, self.run, "best")
        return network.encoder

    def copy_weights(self, encoder: Encoder) -> None:
        """Give them to another encoder of the same sizes.

        Raises:
            InputError: see `encoder`.
        """
        pairs = zip(encoder.trainable_variables, self.encoder.trainable_variables, strict=True)
        for variable, trained in pairs:
            variable.assign(trained)
