"""Score a trained translator against references: BLEU, chrF, exact match, by sentence length."""

import argparse
import dataclasses
import json
from pathlib import Path

from tf_models.command_line import CHECKPOINT_HELP, Parser, quiet_tensorflow, run

EXAMPLES = """\
  python scripts/evaluate_translator.py --run-dir runs/multi30k-toy \\
      --source test_2016_flickr.en.gz --reference test_2016_flickr.de.gz
  python scripts/evaluate_translator.py --run-dir runs/multi30k-toy --beam-size 5 --json \\
      --source test.en --reference test.de --output test.translated.de"""


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--run-dir", type=Path, required=True)
    parser.add_argument("--source", type=Path, required=True, help="text, plain or .gz")
    parser.add_argument("--reference", type=Path, required=True, help="line by line beside it")
    parser.add_argument("--checkpoint", help=CHECKPOINT_HELP)
    parser.add_argument("--beam-size", type=int, metavar="B", help="1 is greedy; the same default")
    parser.add_argument("--length-penalty", type=float, metavar="ALPHA", help="the same default")
    parser.add_argument("--output", type=Path, metavar="F", help="write the translations to F")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.data.text.corpus_files import read_aligned

    pairs = read_aligned(arguments.source, arguments.reference)
    with quiet_tensorflow():
        from tf_models.tasks.translation.evaluation import evaluate_translator
        from tf_models.tasks.translation.translator import Translator
    translator = Translator.load(arguments.run_dir, arguments.checkpoint)
    scores, hypotheses = evaluate_translator(
        translator,
        pairs,
        beam_size=arguments.beam_size,
        length_penalty=arguments.length_penalty,
        progress=True,
    )
    if arguments.json:
        print(json.dumps(dataclasses.asdict(scores), indent=2))
    else:
        print_scores(scores)
    if arguments.output:
        from tf_models.files import write_text

        write_text(arguments.output, "".join(f"{line}\n" for line in hypotheses))


def print_scores(scores) -> None:
    print(f"sentences       {scores.sentences}")
    print(f"BLEU            {scores.bleu:6.2f}  {scores.signature}")
    print(f"BLEU lowercased {scores.bleu_lowercased:6.2f}  {scores.signature_lowercased}")
    print(f"chrF            {scores.chrf:6.2f}")
    print(f"exact match     {scores.exact_match:6.2f} %")
    print(f"unknown source pieces {100 * scores.unknown_rate:.2f} %")
    if scores.pronouns:
        print(f"pronouns right  {scores.pronoun_accuracy:6.2f} % of {scores.pronouns}")
    print("BLEU by source words:")
    for words, (bleu, sentences) in scores.bleu_by_length.items():
        print(f"  {words:>7}  {bleu:6.2f}  ({sentences} sentences)")


if __name__ == "__main__":
    run(make_parser(), main)
