"""The encoder of a trained translator, for whoever wants to build on it."""

from pathlib import Path

from tf_models.data.text.tokenizer import SubwordTokenizer
from tf_models.errors import InputError
from tf_models.tasks.translation.protocol import inner_transformer
from tf_models.tasks.translation.ready_made import RUN_DIR
from tf_models.tasks.translation.translator import Translator
from tf_models.transformer.model import Encoder

READY_MADE = "ready-made"  # the translator that comes with the package


def source_encoder(name: str) -> tuple[SubwordTokenizer, Encoder]:
    """The encoder with the weights of its best epoch, and the tokenizer of what it reads.

    Args:
        name: a run directory, or `READY_MADE`.

    Raises:
        InputError: no run directory of a translator, or one without such an encoder.
    """
    run_dir = RUN_DIR if name == READY_MADE else Path(name)
    translator = Translator.load(run_dir, "best")
    transformer = inner_transformer(translator.model)
    if transformer is None:
        raise InputError(
            f"{run_dir} holds a recurrent translator; --encoder-from needs a Transformer"
        )
    return translator.tokenizers.source, transformer.encoder
