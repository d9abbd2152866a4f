"""Export a trained translator: for CTranslate2, or as a SavedModel."""

import argparse
from collections.abc import Callable
from pathlib import Path

from tf_models.command_line import Parser, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.tasks.translation.ready_made import add_translator_arguments, chosen_run_dir

EXAMPLES = """\
  tf-models export --format ctranslate2 --quantization int8 --output toy-int8
      for CTranslate2
  tf-models export --format saved-model --beam-size 5 --output toy-tf
      for TensorFlow alone, with its beam search"""
MORE = """
docs/decoding.md has the lines from text to text, without this package. translator.json beside the
model has its languages, special ids and limits. Where it says "lowercase", write the text in lower
case with a 0 for each digit."""
COMMON = {
    "--run-dir": "",
    "--format": "",
    "--output": "",
    "--quantization": "int8, float16 ... of CTranslate2",
}

QUANTIZATIONS = (
    *("float32", "int8", "int8_float32", "int8_float16", "int8_bfloat16"),
    *("int16", "float16", "bfloat16"),
)
FORMATS = ("ctranslate2", "saved-model")


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
        help=f"of CTranslate2's weights ({', '.join(QUANTIZATIONS)}); default: float32",
    )
    parser.add_argument(
        "--beam-size",
        type=int,
        metavar="N",
        help="of the SavedModel's beam search; default: the run's, or else 4",
    )
    parser.add_argument(
        "--length-penalty", type=float, metavar="ALPHA", help="of the same; default: 0.6"
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
    translator = Translator.load(chosen_run_dir(arguments), arguments.checkpoint)
    with new_folder(arguments.output) as folder:
        exporter(arguments.format)(translator, folder, **options)
    print(f"wrote {arguments.output}; how to translate with it: docs/decoding.md")


def export_options(arguments: argparse.Namespace) -> dict:
    """The options of the chosen format that were given.

    Raises:
        InputError: one of the other format was given.
    """
    stored = {"quantization": arguments.quantization}
    search = {"beam_size": arguments.beam_size, "length_penalty": arguments.length_penalty}
    is_saved_model = arguments.format == "saved-model"
    own, other = (search, stored) if is_saved_model else (stored, search)
    for name, value in other.items():
        if value is not None:
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
    from tf_models.tasks.translation.export.saved_model import export_saved_model

    return export_saved_model
