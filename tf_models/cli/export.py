"""Export a trained translator: for CTranslate2, or as a SavedModel.

  tf-models export --format ctranslate2 --quantization int8 --output toy-int8
      for CTranslate2
  tf-models export --format saved-model --beam-size 5 --output toy-tf
      for TensorFlow alone, with its beam search

docs/decoding.md has the lines from text to text, without this package. translator.json beside the
model has its languages, special ids and limits. Where it says "lowercase", write the text in lower
case with a 0 for each digit.
"""

from pathlib import Path
from typing import Literal

from tf_models.cli.command_line import parse, parse_some, quiet_tensorflow
from tf_models.training.settings import NotNegative, Size
from tf_models.translation.ready_made import TranslatorArguments


class Format(TranslatorArguments):
    """The argument that others depend on."""

    format: Literal["ctranslate2", "saved-model"] = "ctranslate2"
    """What is written."""


class Arguments(Format):
    """Arguments for both formats."""

    output: Path
    """A folder, new or empty."""


Quantization = Literal["float32", "int8", "int8_float32", "int8_float16", "int16", "float16"]


class CTranslate2Arguments(Arguments):
    """Arguments for CTranslate2."""

    quantization: Quantization = "float32"
    """Of the weights."""


class SavedModelArguments(Arguments):
    """Arguments for a SavedModel."""

    beam_size: Size | None = None
    """Of its beam search; if left out, 4."""
    length_penalty: NotNegative | None = None
    """Of the same; if left out, the run's."""


def main() -> None:
    is_saved_model = parse_some(Format).format == "saved-model"
    arguments = parse(SavedModelArguments if is_saved_model else CTranslate2Arguments)
    with quiet_tensorflow():
        from tf_models.files import check_is_new, new_folder
        from tf_models.runtime import use_cores_for_inference
        from tf_models.translation.export import export_ctranslate2, export_saved_model
        from tf_models.translation.translate import Translator
    check_is_new(arguments.output)
    use_cores_for_inference()
    translator = Translator.load(arguments.chosen_run_dir, arguments.checkpoint)
    export = export_saved_model if is_saved_model else export_ctranslate2
    own = type(arguments).__annotations__  # the options of this format
    options = {n: v for n, v in arguments if n in own and v is not None}
    with new_folder(arguments.output) as folder:
        export(translator, folder, **options)
    print(f"wrote {arguments.output}; how to translate with it: --help")
