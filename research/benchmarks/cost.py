"""What a token costs by the length of its sentence, and by the size of its batch.

Training and greedy decoding of the article's model, untrained, beside PyTorch (eager) and
CTranslate2. The roofline is what no system can beat on this machine: the matrix products at the
GEMM peak, and in decoding the weights, which each step reads once.
"""

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from research.benchmarks.command import add_options, log, plan_from
from research.benchmarks.comparison import Plan, measure_in_turn, started
from research.benchmarks.cost_systems import (
    DECODING,
    TRAINING,
    VOCABULARY,
    Machine,
    article,
    systems,
)
from research.benchmarks.flops import FORWARD_AND_BACKWARD, TransformerSizes
from research.benchmarks.systems import installed_systems
from research.benchmarks.training_systems import sizes_of
from research.benchmarks.workers import Worker
from research.options import Parser, run
from tf_models.errors import InputError

EXAMPLES = """\
  python -m research.benchmarks.cost --output cost.png
      some 25 minutes on two quiet cores; with --rounds 1 six
  python -m research.benchmarks.cost --rounds 1 --lengths 10 50 --batches 1 16
PyTorch and CTranslate2 come with: pip install -e ".[benchmark]\""""
LENGTHS = (10, 25, 50, 100, 250, 500)
BATCHES = (1, 4, 16, 64, 256)
SHORTEST, LONGEST = 3, 500
COMMON_LENGTH = 25  # tokens, whatever the batch
TRAINING_TOKENS = 4096  # of a batch, whatever the length
DECODED_SENTENCES = 32  # of a batch, whatever the length
ROOFLINE = "roofline"
UNIT = "µs of a target token"

# By task and axis, then by system: the numbers of the axis, and what a token costs there.
Panels = dict[tuple[str, str], dict[str, tuple[list[int], list[float]]]]


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    add_options(parser, output="draw it: F.png, F.pdf or F.svg")
    for name, default in (("--lengths", LENGTHS), ("--batches", BATCHES)):
        shown = " ".join(map(str, default))
        parser.add_argument(
            name, type=int, nargs="+", default=default, metavar="N", help=f"default: {shown}"
        )
    return parser


def main(arguments: argparse.Namespace) -> None:
    plan = plan_from(arguments)
    if not all(SHORTEST <= length <= LONGEST for length in arguments.lengths):
        given = " ".join(map(str, arguments.lengths))
        raise InputError(f"--lengths must be {SHORTEST} to {LONGEST}; received {given}")
    if min(arguments.batches) < 1:
        raise InputError(f"--batches must be at least 1; received {min(arguments.batches)}")
    panels = {}
    for task in (TRAINING, DECODING):
        with tempfile.TemporaryDirectory(prefix="cost-") as folder:
            panels |= measure(task, arguments, plan, Path(folder))
    print(table(panels))
    if arguments.output:
        from tf_models.plotting.files import save_figure

        print(save_figure(draw(panels), arguments.output))


def table(panels: Panels) -> str:
    """A line for each system below the numbers of the axis."""
    text = []
    for title, lines in panels.items():
        numbers, _ = lines[ROOFLINE]
        rows = {", ".join(title): map(str, numbers)} | {
            name: (f"{cost:.1f}" for cost in costs) for name, (_, costs) in lines.items()
        }
        text += [
            "",
            *(f"{name:34s}" + "".join(f"{v:>9s}" for v in row) for name, row in rows.items()),
        ]
    return "\n".join([UNIT, *text])


def shapes(task: str, arguments: argparse.Namespace) -> dict[str, dict[int, tuple[int, int]]]:
    """For each axis, by the number that stands there, sentences and tokens of each."""

    def sentences(length: int) -> int:
        return max(1, TRAINING_TOKENS // length) if task == TRAINING else DECODED_SENTENCES

    return {
        "tokens of a sentence": {n: (sentences(n), n) for n in sorted(arguments.lengths)},
        "sentences of a batch": {n: (n, COMMON_LENGTH) for n in sorted(arguments.batches)},
    }


def measure(task: str, arguments: argparse.Namespace, plan: Plan, folder: Path) -> Panels:
    """Both axes of a task."""
    with Worker("machine", Machine, plan.threads, threads=plan.threads) as machine:
        known = systems(task, folder, plan.threads)
        chosen = {name: known[name] for name in installed_systems(known, log)}
        if "ctranslate2" in chosen:
            machine.ask("export", folder / "ctranslate2")
        sizes = sizes_of(article(), VOCABULARY)
        speeds = machine.ask("speeds", sizes.decoder_weights())
        with started(chosen, plan) as workers:
            panels = {}
            for axis, places in shapes(task, arguments).items():
                found = _costs(task, axis, places, workers, plan)
                found[ROOFLINE] = [
                    roofline(task, sizes, speeds, *shape) for shape in places.values()
                ]
                panels[task, axis] = {name: (list(places), costs) for name, costs in found.items()}
    return panels


def _costs(task: str, axis: str, places: Mapping, workers: dict[str, Worker], plan: Plan) -> dict:
    """Medians of all rounds, in microseconds of a target token, of each system at each place."""
    found = {name: [] for name in workers}
    for number, (sentences, tokens) in places.items():
        requests = dict.fromkeys(workers, ("seconds", sentences, tokens))
        measured = measure_in_turn(workers, requests, plan, f"{task}, {number} {axis}")
        for name, rounds in measured.items():
            seconds = median(measurement.result for measurement in rounds)
            found[name].append(1e6 * seconds / (sentences * tokens))
    return found


def roofline(
    task: str, sizes: TransformerSizes, speeds: tuple[float, float], sentences: int, tokens: int
) -> float:
    """Microseconds of a target token that this machine needs at least (see `Machine.speeds`)."""
    flop_per_second, numbers_per_second = speeds
    seconds = float(sizes.forward(tokens, tokens)) / tokens / flop_per_second
    if task == TRAINING:
        return 1e6 * FORWARD_AND_BACKWARD * seconds
    return 1e6 * max(seconds, sizes.decoder_weights() / numbers_per_second / sentences)


def draw(panels: Panels):
    """A panel for each task and axis; both scales are logarithmic."""
    from tf_models.plotting.lines import draw_lines
    from tf_models.plotting.style import figure_for_curves

    figure = figure_for_curves(9.6, 6.4, "what a token costs")
    for axes, ((task, axis), lines) in zip(figure.subplots(2, 2).flat, panels.items(), strict=True):
        marks, _ = lines[ROOFLINE]
        names = (axis, f"{UNIT}, {task}")
        draw_lines(axes, lines, axis_names=names, marks=marks, scales=("log", "log"))
    return figure


if __name__ == "__main__":
    run(make_parser(), main)
