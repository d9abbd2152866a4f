"""The translator that comes with the package, trained, and how a command chooses a translator."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tf_models.errors import InputError
from tf_models.training.settings import Settings

RUN_DIR = Path(__file__).with_name("ready_made_run")
"""The translator that comes with the package: a run directory without what only training needs.

docs/corpus.md says how it was made.
"""

READY_MADE = "ready-made"  # its name on the command line

if TYPE_CHECKING:  # a script's --help need not wait for TensorFlow
    from tf_models.data.text.tokenizer import SubwordTokenizer
    from tf_models.tasks.translation.translator import Translator
    from tf_models.transformer.model import Encoder


def ready_made() -> Translator:
    """The translator that comes with the package: English to German, everyday sentences.

    It is what the scripts use where no run directory is named.
    """
    from tf_models.tasks.translation.translator import Translator

    return Translator.load(RUN_DIR)


def source_encoder(name: str) -> tuple[SubwordTokenizer, Encoder]:
    """The encoder of a translator at its best epoch, and the tokenizer of what it reads.

    It is that of a run directory, or of the package's translator by the name `READY_MADE`. Raises
    InputError: no run directory of a translator, or one without such an encoder.
    """
    from tf_models.tasks.translation.protocol import inner_transformer
    from tf_models.tasks.translation.translator import Translator

    run_dir = RUN_DIR if name == READY_MADE else Path(name)
    translator = Translator.load(run_dir, "best")
    transformer = inner_transformer(translator.model)
    if transformer is None:
        raise InputError(
            f"{run_dir} holds a {type(translator.model.network).__name__}; --encoder-from needs "
            "the article's Transformer"
        )
    return translator.tokenizers.source, transformer.encoder


class TranslatorArguments(Settings):
    """The trained translator that a command uses."""

    run_dir: Path | None = None
    """Run directory; if left out, the translator of the package."""
    checkpoint: str | None = None
    """best, average, latest, or a name; if left out, what training chose, or else best."""

    @property
    def chosen_run_dir(self) -> Path:
        """The run directory, or the ready-made one; then a line says so on stderr."""
        if self.run_dir is not None:
            return self.run_dir
        print("no --run-dir: using the translator that comes with the package", file=sys.stderr)
        return RUN_DIR
