"""Export a trained translator: for CTranslate2 or LiteRT, as SavedModel or small run directory.

  tf-models export --format run-directory --quantization float16 --output small
      to pass on: without what only training needs, a quarter of the size or less
  tf-models export --format ctranslate2 --quantization int8 --output toy-int8
      for CTranslate2
  tf-models export --format litert --quantization int8 --output toy-litert
      for LiteRT, with a translate.py that needs no TensorFlow
  tf-models export --format saved-model --beam-size 5 --output toy-tf
      for TensorFlow alone, with its beam search

from text to text with CTranslate2, without this package:
  import ctranslate2, sentencepiece
  source = sentencepiece.SentencePieceProcessor(model_file="toy-ct2/source.model")
  target = sentencepiece.SentencePieceProcessor(model_file="toy-ct2/target.model")
  pieces = [[source.id_to_piece(i) for i in source.encode("The old dog sleeps.") if i]]
  found = ctranslate2.Translator("toy-ct2").translate_batch(pieces, max_decoding_length=127)
  print(target.decode(found[0].hypotheses[0]))

from text to text with LiteRT (pip install ai-edge-litert sentencepiece), without this package:
  python toy-litert/translate.py "The old dog sleeps."

from text to text with the SavedModel:
  import sentencepiece, tensorflow as tf
  source = sentencepiece.SentencePieceProcessor(model_file="toy-tf/source.model")
  target = sentencepiece.SentencePieceProcessor(model_file="toy-tf/target.model")
  start, end = source.vocab_size(), source.vocab_size() + 1
  ids = [start, *filter(None, source.encode("The old dog sleeps.")), end]
  model = tf.saved_model.load("toy-tf")
  found = model.beam_search(tf.constant([ids]))["ids"][0, 0]
  print(target.decode([int(i) for i in found if 1 < i < target.vocab_size()]))

translator.json beside the model has its languages, special ids and limits ("max_target_length" is
the 127 above). Where it says "lowercase", write the text in lower case with a 0 for each digit.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from tf_models.command_line import parse, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.tasks.translation.arguments import TranslatorArguments
from tf_models.training.settings import NotNegative, Size

# fmt: off
Quantization = Literal[
    "float32", "int8", "int8_float32", "int8_float16", "int8_bfloat16", "int16", "float16",
    "bfloat16",
]
# fmt: on


class Arguments(TranslatorArguments):
    """All arguments."""

    format: Literal["ctranslate2", "litert", "saved-model", "run-directory"]
    """What is written."""
    output: Path
    """A folder, new or empty."""
    quantization: Quantization | None = None
    """Of CTranslate2's weights; float16 and int8 of LiteRT's, float16 of a run directory's; if left
    out, float32."""
    beam_size: Size | None = None
    """Of the beam search of LiteRT and of the SavedModel; if left out, what training chose."""
    length_penalty: NotNegative | None = None
    """Of the same; if left out, as chosen."""


def main() -> None:
    arguments = parse(Arguments)
    options = export_options(arguments)
    with quiet_tensorflow():
        from tf_models.files import check_is_new, new_folder
        from tf_models.runtime import use_cores_for_inference
        from tf_models.tasks.translation.translator import Translator
    check_is_new(arguments.output)
    use_cores_for_inference()
    run_dir = arguments.chosen_run_dir
    translator = Translator.load(run_dir, arguments.checkpoint)
    if arguments.format == "run-directory":
        options["run_dir"] = run_dir
    with new_folder(arguments.output) as folder:
        exporter(arguments.format)(translator, folder, **options)
    print(f"wrote {arguments.output}; how to translate with it: --help")


def export_options(arguments: Arguments) -> dict:
    """The options of the chosen format that were given.

    Raises:
        InputError: one of the other format was given.
    """
    stored = {"quantization": arguments.quantization}
    search = {"beam_size": arguments.beam_size, "length_penalty": arguments.length_penalty}
    by_format = {
        "ctranslate2": stored,
        "litert": {**stored, **search},
        "saved-model": search,
        "run-directory": stored,
    }
    own = by_format.pop(arguments.format)
    for name, value in (item for others in by_format.values() for item in others.items()):
        if value is not None and name not in own:
            option = f"--{name.replace('_', '-')}"
            raise InputError(
                f"{option} does not belong to --format {arguments.format}; leave it out"
            )
    return {name: value for name, value in own.items() if value is not None}


def exporter(name: str) -> Callable[..., object]:
    """The function that writes this format."""
    if name == "ctranslate2":
        from tf_models.tasks.translation.export.ctranslate2 import export_ctranslate2

        return export_ctranslate2
    if name == "litert":
        from tf_models.tasks.translation.export.litert import export_litert

        return export_litert
    if name == "run-directory":
        from tf_models.tasks.translation.export.run_directory import export_run_directory

        return export_run_directory
    from tf_models.tasks.translation.export.saved_model import export_saved_model

    return export_saved_model
