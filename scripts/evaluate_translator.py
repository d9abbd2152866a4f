"""Score a trained translator against references: BLEU, chrF, exact match, by sentence length."""

import argparse
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
    from tf_models.files import check_writable, write_text

    if arguments.output:
        check_writable(arguments.output)  # refused before minutes are spent
    pairs = read_aligned(arguments.source, arguments.reference)
    with quiet_tensorflow():
        from tf_models.runtime import use_cores_for_inference
        from tf_models.tasks.translation.evaluation import evaluate_translator
        from tf_models.tasks.translation.report import report_scores
        from tf_models.tasks.translation.run import metrics_of_run
        from tf_models.tasks.translation.translator import Translator
        from tf_models.training.run_directory import RunDirectory
    use_cores_for_inference()
    translator = Translator.load(arguments.run_dir, arguments.checkpoint)
    scores, hypotheses = evaluate_translator(
        translator,
        pairs,
        beam_size=arguments.beam_size,
        length_penalty=arguments.length_penalty,
        metrics=metrics_of_run(RunDirectory(arguments.run_dir)),
        progress=True,
    )
    if arguments.json:
        print(json.dumps(scores.as_dict(), indent=2))
    else:
        report_scores(scores)
    if arguments.output:
        write_text(arguments.output, "".join(f"{line}\n" for line in hypotheses))


if __name__ == "__main__":
    run(make_parser(), main)
