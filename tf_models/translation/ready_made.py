"""The translator that comes with the package, loaded."""

from pathlib import Path

from tf_models.data.tokenizers import SubwordTokenizer
from tf_models.errors import InputError
from tf_models.transformer.model import Encoder
from tf_models.translation.arguments import READY_MADE, RUN_DIR
from tf_models.translation.model import inner_transformer
from tf_models.translation.translate import Translator


def ready_made() -> Translator:
    """The translator that comes with the package: English to German, everyday sentences.

    It is what the scripts use where no run directory is named.
    """
    return Translator.load(RUN_DIR)


def source_encoder(name: str) -> tuple[SubwordTokenizer, Encoder]:
    """The encoder of a translator at its best epoch, and the tokenizer of what it reads.

    It is that of a run directory, or of the package's translator by the name `READY_MADE`. Raises
    InputError: no run directory of a translator, or one without such an encoder.
    """
    run_dir = RUN_DIR if name == READY_MADE else Path(name)
    translator = Translator.load(run_dir, "best")
    transformer = inner_transformer(translator.model)
    if transformer is None:
        raise InputError(
            f"{run_dir} holds a {type(translator.model.network).__name__}; --encoder-from needs "
            "the article's Transformer"
        )
    return translator.tokenizers.source, transformer.encoder
