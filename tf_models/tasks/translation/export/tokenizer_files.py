"""What turns text into ids and back, beside an exported model: subword models and a description."""

import json
from pathlib import Path

from tf_models.data.text.tokenizer import SubwordTokenizer
from tf_models.files import write_text
from tf_models.ids import PADDING_ID, UNKNOWN_ID
from tf_models.tasks.translation.translator import Translator


def save_tokenizers(translator: Translator, folder: Path, **options) -> None:
    """Write source.model, target.model and translator.json into `folder`.

    Args:
        translator: whose tokenizers and limits are to be written down.
        folder: exists.
        options: of the export, for the description.
    """
    tokenizers = translator.tokenizers
    tokenizers.copy_to(folder)
    description = {
        **options,
        "source": _describe(tokenizers.source),
        "target": _describe(tokenizers.target),
        "padding_id": PADDING_ID,
        "unknown_id": UNKNOWN_ID,
        "max_source_length": translator.max_length,  # ids, start and end included
        "max_target_length": translator.max_length - 1,  # ids after the start, the end included
    }
    write_text(folder / "translator.json", json.dumps(description, indent=2) + "\n")


def _describe(tokenizer: SubwordTokenizer) -> dict:
    return {
        "language": tokenizer.language,
        "lowercase": tokenizer.lowercase,  # with a 0 for every digit, as BPEmb has it
        "pieces": tokenizer.pieces,
        "start_id": tokenizer.start_id,
        "end_id": tokenizer.end_id,
    }
