"""Settings, tokenizers, class and known words of a translator's run."""

import keras

from tf_models.data.tokenizers import TokenizerPair
from tf_models.errors import InputError
from tf_models.training.checkpoints import AVERAGE, BEST, kept_epochs
from tf_models.training.run_directory import RunDirectory
from tf_models.transformer.model import Transformer
from tf_models.translation.settings import TrainingSettings, TranslatorSettings


def load_settings(run: RunDirectory) -> tuple[TranslatorSettings, TokenizerPair]:
    """Settings and tokenizers of a run; InputError if missing or damaged."""
    config = run.read_config("translator")
    settings = TranslatorSettings.from_config(config)
    languages = config["data"]["source_language"], config["data"]["target_language"]
    kind = settings.tokenizer.tokenizer
    return settings, TokenizerPair.load(run.tokenizers, languages, kind)


def class_entry(transformer_class: type[Transformer]) -> dict[str, str]:
    """Entry of config.json for a class; none for the article's.

    Raises InputError: Keras could not find the class by its name.
    """
    if transformer_class is Transformer:
        return {}
    name = keras.saving.get_registered_name(transformer_class)
    if keras.saving.get_registered_object(name) is not transformer_class:
        raise InputError(
            f"{name} needs @keras.saving.register_keras_serializable(), or else its run cannot be "
            "loaded; or pass inference_class=Transformer if only its loss is another"
        )
    return {"transformer_class": name}


def load_class(run: RunDirectory) -> type[Transformer]:
    """Class of Transformers of a run; InputError if it is not imported."""
    name = run.read_config("translator").get("transformer_class")
    if name is None:
        return Transformer
    transformer_class = keras.saving.get_registered_object(name)
    if transformer_class is None:
        raise InputError(f"{run.path} holds a {name}; import the module of this class first")
    return transformer_class


def load_known_words(run: RunDirectory) -> frozenset[str]:
    """Words of a run's training sentences; empty if they are not stored."""
    file = run.words_file
    return frozenset(file.read_text(encoding="utf-8").split()) if file.exists() else frozenset()


def _default_checkpoint(run: RunDirectory, training: TrainingSettings) -> str:
    # An average over most epochs has weights from before the model had learnt.
    is_late = 0 < 2 * training.average_last_n <= training.epochs
    return AVERAGE if is_late and kept_epochs(run.checkpoints) else BEST
