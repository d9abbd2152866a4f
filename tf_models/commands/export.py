"""Export a trained translator: for CTranslate2 or LiteRT, as SavedModel or small run directory."""

import argparse
from collections.abc import Callable
from pathlib import Path

from tf_models.command_line import Parser, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.parser import as_called
from tf_models.tasks.translation.ready_made import add_translator_arguments, chosen_run_dir

EXAMPLES = """\
  tf-models export --format run-directory --quantization float16 --output small
      to pass on: without what only training needs, a quarter of the size or less
  tf-models export --format ctranslate2 --quantization int8 --output toy-int8
      for CTranslate2
  tf-models export --format litert --quantization int8 --output toy-litert
      for LiteRT, with a translate.py that needs no TensorFlow
  tf-models export --format saved-model --beam-size 5 --output toy-tf
      for TensorFlow alone, with its beam search"""
MORE = """
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
the 127 above). Where it says "lowercase", write the text in lower case with a 0 for each digit."""
COMMON = {
    "--run-dir": "",
    "--format": "",
    "--output": "",
    "--quantization": "int8, float16 ... of CTranslate2 and LiteRT, float16 of a run directory",
}

QUANTIZATIONS = (
    *("float32", "int8", "int8_float32", "int8_float16", "int8_bfloat16"),
    *("int16", "float16", "bfloat16"),
)
FORMATS = ("ctranslate2", "litert", "saved-model", "run-directory")


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES, MORE, COMMON)
    add_translator_arguments(parser)
    parser.add_argument(
        "--format", choices=FORMATS, required=True, metavar="NAME", help=", ".join(FORMATS)
    )
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="new or empty")
    parser.add_argument(
        "--quantization",
        choices=QUANTIZATIONS,
        metavar="NAME",
        help=f"of CTranslate2's weights ({', '.join(QUANTIZATIONS)}), float16 and int8 of "
        "LiteRT's, float16 of a run directory's; default: float32",
    )
    parser.add_argument(
        "--beam-size",
        type=int,
        metavar="N",
        help="of the beam search of LiteRT (default: what training chose) and of the SavedModel "
        "(the same, or else 4)",
    )
    parser.add_argument(
        "--length-penalty", type=float, metavar="ALPHA", help="of the same; default: as chosen"
    )
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.files import check_is_new, new_folder

    options = export_options(arguments)
    check_is_new(arguments.output)
    with quiet_tensorflow():
        from tf_models.runtime import use_cores_for_inference
        from tf_models.tasks.translation.translator import Translator
    use_cores_for_inference()
    run_dir = chosen_run_dir(arguments)
    translator = Translator.load(run_dir, arguments.checkpoint)
    if arguments.format == "run-directory":
        options["run_dir"] = run_dir
    with new_folder(arguments.output) as folder:
        exporter(arguments.format)(translator, folder, **options)
    print(f"wrote {arguments.output}; {how_to_use(arguments)}")


def how_to_use(arguments: argparse.Namespace) -> str:
    """What to do with what was written."""
    if arguments.format == "litert":
        program = arguments.output / "translate.py"
        needed = "ai-edge-litert sentencepiece"
        return f"python {program} translates with it, after pip install {needed}"
    if arguments.format == "run-directory":
        return as_called(f"tf-models translate --run-dir {arguments.output} translates with it")
    return "how to translate with it: --help-all"


def export_options(arguments: argparse.Namespace) -> dict:
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
