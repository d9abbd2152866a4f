"""Score a trained translator against references: BLEU, chrF, exact match, by sentence length."""

import argparse
import json
import sys
from functools import partial
from pathlib import Path

from tf_models.command_line import Parser, quiet_tensorflow, run
from tf_models.errors import InputError
from tf_models.tasks.translation.ready_made import add_translators_arguments, chosen_run_dirs

EXAMPLES = """\
  python scripts/evaluate_translator.py --run-dir runs/multi30k-best \\
      --source test_2016_flickr.en.gz --reference test_2016_flickr.de.gz
  python scripts/evaluate_translator.py --run-dir runs/multi30k-best --beam-size 5 --json \\
      --source test.en --reference test.de --output test.translated.de
  python scripts/evaluate_translator.py --run-dir runs/seed-0 --run-dir runs/seed-1 \\
      --source test.en --reference test.de
      two models' probabilities averaged
  python scripts/evaluate_translator.py --run-dir runs/seed-0 --run-dir runs/seed-1 \\
      --choose-penalty val.en,val.de --source test.en --reference test.de
      with a length penalty that is chosen for both together
  python scripts/evaluate_translator.py --run-dir runs/toy-toy --references lesson.tsv
      sentences of your own: English, tab, German, tab, another German that is as good …"""


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    add_translators_arguments(parser)
    parser.add_argument("--source", type=Path, help="text, plain or .gz")
    parser.add_argument("--reference", type=Path, help="line by line beside it")
    parser.add_argument(
        "--references",
        type=Path,
        metavar="F.tsv",
        help="in place of these: sentence, tab, reference, tab, another reference …",
    )
    parser.add_argument("--beam-size", type=int, metavar="B", help="1 is greedy; the same default")
    parser.add_argument("--length-penalty", type=float, metavar="ALPHA", help="the same default")
    parser.add_argument(
        "--choose-penalty",
        metavar="SOURCE,REFERENCE",
        help="choose the length penalty on these validation pairs first, as training does",
    )
    parser.add_argument("--output", type=Path, metavar="F", help="write the translations to F")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.files import check_writable, write_text

    if arguments.output:
        check_writable(arguments.output)  # refused before minutes are spent
    pairs, others = pairs_to_score(arguments)
    validation = validation_pairs(arguments)
    with quiet_tensorflow():
        from tf_models.runtime import use_cores_for_inference
        from tf_models.tasks.translation.ensemble import load_translators
        from tf_models.tasks.translation.evaluation import choose_penalty, evaluate_translator
        from tf_models.tasks.translation.report import report_scores
        from tf_models.tasks.translation.run import metrics_of_run
        from tf_models.training.run_directory import RunDirectory
    use_cores_for_inference()
    run_dirs = chosen_run_dirs(arguments)
    translator = load_translators(run_dirs, arguments.checkpoint)
    beam_size, penalty = arguments.beam_size, arguments.length_penalty
    if validation:
        report = partial(print, file=sys.stderr)  # standard output is for the scores
        chosen = choose_penalty(translator, validation, beam_size, report)
        beam_size, penalty = chosen.beam_size, chosen.length_penalty
    scores, hypotheses = evaluate_translator(
        translator,
        pairs,
        beam_size=beam_size,
        length_penalty=penalty,
        others=others,
        metrics=metrics_of_run(RunDirectory(run_dirs[0])),
        progress=True,
    )
    if arguments.json:
        print(json.dumps(scores.as_dict(), indent=2))
    else:
        report_scores(scores)
    if arguments.output:
        write_text(arguments.output, "".join(f"{line}\n" for line in hypotheses))


def pairs_to_score(arguments: argparse.Namespace) -> tuple[list, dict]:
    """Pairs, and all references of each source where there are several."""
    from tf_models.data.text.corpus_files import read_aligned, read_references
    from tf_models.data.text.pairs import SentencePair

    given = (arguments.source, arguments.reference, arguments.references)
    named = tuple(path is not None for path in given)
    if named not in ((True, True, False), (False, False, True)):
        raise InputError("name --source and --reference, or --references alone")
    if arguments.source:
        return read_aligned(arguments.source, arguments.reference), {}
    references = read_references(arguments.references)
    pairs = [SentencePair(source, first) for source, (first, *_) in references.items()]
    return pairs, references


def validation_pairs(arguments: argparse.Namespace) -> list:
    """The pairs of --choose-penalty; none if it is not given."""
    from tf_models.data.text.corpus_files import read_aligned

    if arguments.choose_penalty is None:
        return []
    if arguments.length_penalty is not None:
        raise InputError("--choose-penalty chooses the length penalty; leave out --length-penalty")
    files = arguments.choose_penalty.split(",")
    if len(files) != 2 or not all(files):
        raise InputError(
            "--choose-penalty takes two files with a comma between them; received "
            f"{arguments.choose_penalty!r}"
        )
    return read_aligned(*map(Path, files))


if __name__ == "__main__":
    run(make_parser(), main)
