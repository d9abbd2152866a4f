"""Prepare a corpus that is larger than memory: a folder that train-translator trains on."""

import argparse
from pathlib import Path

from tf_models.command_line import Parser, add_seed, add_settings, given_settings, quiet_tensorflow
from tf_models.parser import as_called
from tf_models.tasks.translation.options import add_data_arguments, add_max_length, max_lengths
from tf_models.tasks.translation.presets import PRESETS

EXAMPLES = """\
  tf-models prepare-corpus --corpus train.en,train.de --preset best \\
      --output prepared/own
  tf-models train-translator --corpus prepared/own --preset best
      two aligned files, and the training that follows
  tf-models prepare-corpus --corpus tfds:wmt14_translate/de-en --languages en-de \\
      --preset best --output prepared/wmt14
      WMT14, 4.5 million pairs, of TensorFlow Datasets
After a crash, the same command begins again; what it left behind is removed."""
COMMON = {
    "--corpus": "SOURCE,TARGET files, tfds:NAME/CONFIG, or as train-translator has it",
    "--output": "the folder to write",
    **dict.fromkeys(("--languages", "--preset", "--max-pairs", "--data-dir"), ""),
}


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES, common=COMMON)
    add_data_arguments(parser)
    parser.add_argument("--output", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--preset",
        default="best",
        choices=PRESETS,
        help="whose settings to start from, the same as in training; default: %(default)s",
    )
    add_seed(parser, "of the splits, and of the pairs that BPE is trained on; default: 0")
    settings = parser.add_argument_group("tokenizer and longest sentences, as in training")
    tokenizers = {name: one.tokenizer for name, one in PRESETS.items()}
    add_settings(settings, tokenizers)
    add_max_length(settings)
    return parser


def main(arguments: argparse.Namespace) -> None:
    with quiet_tensorflow():
        from tf_models.data.large.prepare import CorpusSource, prepare
        from tf_models.tasks.translation.run import make_tokenizers
    chosen = PRESETS[arguments.preset]
    source = CorpusSource(
        arguments.corpus,
        arguments.languages or (None, None),
        arguments.data_dir,
        arguments.max_pairs,
        arguments.seed,
    )
    tokenizer = chosen.tokenizer.changed(**given_settings(arguments, chosen.tokenizer))
    limits = chosen.batching.changed(**max_lengths(arguments)).max_lengths
    prepare(arguments.output, source, tokenizer, limits, make_tokenizers)
    training = f"train-translator --corpus {arguments.output} --preset {arguments.preset}"
    print(as_called(f"prepared: tf-models {training}"))
