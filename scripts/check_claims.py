"""Put what the articles say of the Transformer to the test: train it without each part in turn.

sqrt(d_k), the number of heads, positions, sentences longer than in training, and the depth.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from statistics import mean

from tf_models.command_line import Parser, quiet_tensorflow, run
from tf_models.errors import InputError
from tf_models.tasks.translation.options import (
    default_run_dir,
    load_corpus_of,
    make_training_parser,
    settings_from,
)
from tf_models.training.run_directory import check_folder_of_runs

EXAMPLES = """\
  python scripts/check_claims.py --dot-products
      what sqrt(d_k) does to the softmax and its gradient; a second, nothing is trained
  python scripts/check_claims.py
      nine models on the embedded corpus, minutes each, an hour and a half together
  python scripts/check_claims.py --claims depth --epochs 1 --max-pairs 20000
  python scripts/check_claims.py --claims scaling positions --repeats 3
Ctrl-C saves; the same command goes on where it stopped."""
DEPTHS = (4, 16, 64, 256, 1024)


def make_parser() -> Parser:
    folder = "runs/CORPUS-claims, with a run for each trial and seed"
    parser = make_training_parser(__doc__, EXAMPLES, folder)
    parser.add_argument(
        "--claims",
        nargs="+",
        metavar="CLAIM",
        help="only these of scaling, heads, positions, length, depth",
    )
    parser.add_argument(
        "--repeats", type=int, default=1, metavar="N", help="seeds, from --seed on; default: 1"
    )
    parser.add_argument(
        "--dot-products", action="store_true", help="only the table of dot products; trains nothing"
    )
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.tasks.translation.claims import TRIALS, known_variants, trials_of

    if arguments.dot_products:
        show_dot_products(arguments.seed)
        return
    if arguments.repeats < 1:
        raise InputError(f"--repeats must be at least 1; received {arguments.repeats}")
    trials = trials_of(settings_from(arguments), arguments.claims or tuple(TRIALS))
    folder = arguments.run_dir or default_run_dir(arguments.corpus, "claims")
    check_folder_of_runs(folder)
    corpus = load_corpus_of(arguments)
    with quiet_tensorflow():
        import tf_models.tasks.translation.train  # noqa: F401 - what starts up shall be quiet
    with known_variants():
        train_and_show(folder, corpus, trials, arguments)


def train_and_show(folder: Path, corpus, trials: Mapping, arguments: argparse.Namespace) -> None:
    from tf_models.tasks.translation.claims import measure_trial
    from tf_models.tasks.translation.trials import train_trials

    found: dict[str, list] = {}
    seeds = range(arguments.seed, arguments.seed + arguments.repeats)
    options = {"bpemb_cache": arguments.bpemb_cache, "minutes": arguments.minutes}
    for one in train_trials(folder, corpus, trials, seeds, **options):
        scores = measure_trial(one.run_dir, corpus, progress=True)
        found.setdefault(one.name, []).append(scores.cells())
    print()
    for line in table(found):
        print(line)


def table(found: Mapping[str, list[Mapping[str, float | None]]]) -> list[str]:
    """A row for each trial: means over the seeds."""
    (first, *_) = found.values()
    width = max(map(len, found))
    columns = list(first[0])
    lines = [" " * width + "".join(f"  {name}" for name in columns)]
    for name, repeats in found.items():
        means = ([one[column] for one in repeats] for column in columns)
        cells = (
            f"{'-' if None in values else format(mean(values), '.1f'):>{len(column) + 2}}"
            for column, values in zip(columns, means, strict=True)
        )
        lines.append(f"{name:{width}}" + "".join(cells))
    return lines


def show_dot_products(seed: int) -> None:
    from tf_models.tasks.translation.claims import dot_products

    print("20 normal keys for each query: deviation of the scores, largest weight, and norm of the")
    print("softmax's gradient, not divided and divided by sqrt(d_k)")
    headings = ("deviation", "largest", "gradient")
    print(f"{'d_k':>5}" + "".join(f"{name:>11}" for name in headings * 2))
    for depth in DEPTHS:
        both = (dot_products(depth, scaled=scaled, seed=seed) for scaled in (False, True))
        numbers = (f"{of.spread:11.1f}{of.largest:11.2f}{of.gradient:11.3f}" for of in both)
        print(f"{depth:5}" + "".join(numbers))


if __name__ == "__main__":
    run(make_parser(), main)
