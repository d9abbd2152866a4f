"""Export a trained translator: for CTranslate2, or as a SavedModel.

$ tf-models export --format ctranslate2 --quantization int8 --output toy-int8
      for CTranslate2
$ tf-models export --format saved-model --beam-size 5 --output toy-tf
      for TensorFlow alone, with its beam search

docs/decoding.md has the lines from text to text, without this package. translator.json beside the
model has its languages, special ids and limits.
"""

from pathlib import Path
from typing import Literal

from tf_models.cli.command_line import parse, passed, quiet_tensorflow
from tf_models.cli.translator_arguments import SearchArguments
from tf_models.errors import InputError

Quantization = Literal["float32", "int8", "int8_float32", "int8_float16", "int16", "float16"]
COMMON = {"run_dir", "checkpoint", "output", "format"}
OPTIONS = {"ctranslate2": {"quantization"}, "saved-model": {"beam_size", "length_penalty"}}


class Arguments(SearchArguments):
    output: Path
    """Folder to write to, new or empty."""
    format: Literal["ctranslate2", "saved-model"] = "ctranslate2"
    """Format of the model; a SavedModel has a beam search of its own."""
    quantization: Quantization | None = None
    """Quantization of the weights, for CTranslate2; if left out, float32."""


def main() -> None:
    arguments = parse(Arguments)
    options = passed(arguments, COMMON, OPTIONS[arguments.format], f"--format {arguments.format}")
    with quiet_tensorflow():
        from tf_models.translation.export import export_ctranslate2, export_saved_model
        from tf_models.translation.translate import Translator
    folder = arguments.output
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder} exists already; choose another --output")
    translator = Translator.load(arguments.chosen_run_dir, arguments.checkpoint)
    folder.mkdir(parents=True, exist_ok=True)
    export = export_ctranslate2 if arguments.format == "ctranslate2" else export_saved_model
    export(translator, folder, **options)
    print(f"wrote {folder}; how to translate with it: docs/decoding.md")
