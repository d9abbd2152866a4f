"""Draw a figure by its name: of a run of any kind, or of none."""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tf_models.command_line import Parser, add_seed, names_of_runs, numbers, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.option_names import meant, suggestion
from tf_models.plotting.registry import VALUE_NORMS, WITHOUT_MARKS, FigureRegistry
from tf_models.tasks.autoencoding.figures import FIGURES as OF_IMAGES
from tf_models.tasks.autoencoding.figures import FIGURES_BY_HAND as OF_AUTOENCODERS
from tf_models.tasks.autoencoding.figures import MAX_COUNT, check_count
from tf_models.tasks.classification.figures import FIGURES as OF_CLASSIFIER
from tf_models.tasks.classification.figures import OF_IMAGES as OF_IMAGE_CLASSIFIER
from tf_models.tasks.question_answering.figures import FIGURES as OF_QUESTIONS
from tf_models.tasks.translation.figures import ANIMATION, FIGURES_BY_HAND
from tf_models.tasks.translation.figures import FIGURES as OF_TRANSLATOR
from tf_models.tasks.translation.protocol import ATTENTION_KINDS
from tf_models.tasks.translation.ready_made import chosen_run_dir
from tf_models.training.run_directory import RunDirectory

OF_NO_RUN = (FIGURES_BY_HAND, OF_AUTOENCODERS)
OF_RUNS = (OF_TRANSLATOR, OF_IMAGES, OF_CLASSIFIER, OF_IMAGE_CLASSIFIER, OF_QUESTIONS)
SHARPNESS = "sharpness"  # the one figure that shows several runs
OF_DATA = ("label", "dataset", "data_dir")
COUNTED = f"how many images, steps of an interpolation or latents; 2 to {MAX_COUNT}"
NOT_OPTIONS = ("figure", "output", "run_dir", "checkpoint", *OF_DATA)


def list_figures() -> str:
    """All names, grouped by what the figures are of."""
    of_no_run = "\n".join(one.describe() for one in OF_NO_RUN)
    groups = [f"figures of no run:\n{of_no_run}"]
    groups += [f"figures of {one.of} (--run-dir):\n{one.describe()}" for one in OF_RUNS]
    return "\n\n".join(groups)


EXAMPLES = """\
  tf-models plot-figures --figure masks --output masks.png
      the three masks of the translator article
  tf-models plot-figures --figure lines --query animal --output lines.svg
      what a word attends to
  tf-models plot-figures --figure interpolation --run-dir runs/digits-vae \\
      --output fading.png
      a zero becomes a seven: in code space, and in pixel space
The names of all figures are at the end of --help-all."""
MORE = f"""\
  tf-models plot-figures --figure forced-map --without-marks --output map.png map.pdf
      ten German by nine English words: start, end and full stop are left out
  tf-models plot-figures --figure animation --run-dir runs/toy-toy --output heads.gif
      a map through the epochs that a training keeps
  tf-models plot-figures --figure sharpness --run-dir runs/digits-vae \\
      runs/digits-hierarchical --label "one layer" "six groups" --output samples.png
      sharpness is the variance of the Laplacian, as a share of that of the test images

{list_figures()}

A translator's figures are drawn of the translator of the package if --run-dir is left out."""
COMMON = {
    "--figure": "",
    "--output": "",
    "--run-dir": "",
    "--sentence": "",
    "--query": "",
    "--words": "",
    "--count": "images, steps of an interpolation or latents",
    "--dataset": "",
    "--data-dir": "",
}


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES, MORE, COMMON)
    parser.add_argument("--figure", required=True, metavar="NAME", help="see the end of --help-all")
    parser.add_argument(
        "--output", type=Path, nargs="+", required=True, metavar="F.png|pdf|svg",
        help="of the animation also F.gif",
    )  # fmt: skip
    parser.add_argument(
        "--run-dir",
        type=Path,
        nargs="+",
        help="several for sharpness; default: the translator of the package",
    )
    parser.add_argument("--checkpoint", metavar="NAME", help="best, latest, or a name")
    text = parser.add_argument_group("figures of texts")
    text.add_argument("--sentence", metavar="TEXT", help="in place of the article's")
    text.add_argument("--target", metavar="TEXT", help="the translation to force")
    text.add_argument("--kind", choices=ATTENTION_KINDS, help="of attention")
    text.add_argument("--layer", help="1 to the last", metavar="L")
    text.add_argument("--head", type=int, metavar="H", help="from 1")
    text.add_argument("--query", metavar="WORD", help="whose attention is drawn")
    text.add_argument("--words", action="store_true", default=None, help="merge pieces into words")
    changed = {"action": "store_true", "default": None}  # None is not given
    text.add_argument("--without-marks", help=WITHOUT_MARKS, **changed)
    text.add_argument("--value-norms", help=VALUE_NORMS, **changed)
    text.add_argument("--sizes", type=numbers, metavar="N,N", help="see below")
    text.add_argument("--test", type=Path, metavar="FILE", help="texts of the confusion matrix")
    text.add_argument("--fact", dest="facts", nargs="+", metavar="TEXT", help="of a story")
    text.add_argument("--question", metavar="TEXT", help="about these facts")
    text.add_argument("--tokens", metavar="TEXT", help="names of the rows that are normalised")
    text.add_argument("--features", type=int, metavar="N", help="of each of them")
    images = parser.add_argument_group("figures of images")
    images.add_argument(
        "--label", nargs="+", metavar="NAME", help="a name for each run; default: the folder's"
    )
    images.add_argument("--dataset", metavar="NAME", help="default: the one it was trained on")
    images.add_argument("--data-dir", type=Path, metavar="DIR", help="folder of TFDS data sets")
    images.add_argument("--count", type=int, metavar="N", help=COUNTED)
    images.add_argument("--classes", nargs=2, metavar="C", help="of the interpolation")
    images.add_argument("--temperature", type=float, metavar="X", help="of samples; default: 1")
    add_seed(images, "of samples, noise and numbers")
    parser.set_defaults(seed=None)
    return parser


def main(arguments: argparse.Namespace) -> None:
    name, run_dirs = arguments.figure, arguments.run_dir or []
    check_outputs(name, arguments.output)  # refused before minutes are spent
    registry = registry_of(name, run_dirs)
    check_runs(name, registry, arguments)
    with quiet_tensorflow():
        from tf_models.plotting.files import is_animation, save_animation, save_figure

        subject = load(registry, arguments)
        given = {n: v for n, v in vars(arguments).items() if n not in NOT_OPTIONS}
        if run_dirs and "run_dir" in registry.options_of(name):
            given["run_dir"] = run_dirs[0]
        stills = [path for path in arguments.output if not is_animation(path)]
        if stills:
            figure = registry.draw(name, *subject, **given)
        for path in stills:
            save_figure(figure, path)
        for path in set(arguments.output) - set(stills):
            save_animation(registry.draw(name, *subject, moves=True, **given), path)
    if registry is OF_IMAGES:
        for model in subject[0].models.values():
            model.say_if_unfinished(partial(print, file=sys.stderr))
    print(*arguments.output, sep="\n")


def check_outputs(name: str, paths: Sequence[Path]) -> None:
    """Refuse a file that cannot be written; only the animation can move."""
    from tf_models.plotting.files import check_figure_path, check_place, is_animation

    for path in paths:
        check = check_place if name == ANIMATION and is_animation(path) else check_figure_path
        check(path)


def registry_of(name: str, run_dirs: Sequence[Path]) -> FigureRegistry:
    """The figures of the run's kind, or where there is no run those with that name."""
    if run_dirs:
        kind = RunDirectory(run_dirs[0]).read_kind()
        for registry in OF_RUNS:
            if kind in registry.kinds:
                return registry
        raise InputError(f"there are no figures of a {kind} run, which {run_dirs[0]} holds")
    for registry in (*OF_NO_RUN, OF_TRANSLATOR):
        if name in registry.entries:
            return registry
    for registry in OF_RUNS:
        if name in registry.entries:
            raise InputError(f"--figure {name} needs --run-dir, a run of {registry.of}")
    names = [name for one in (*OF_NO_RUN, OF_TRANSLATOR) for name in one.entries]
    raise InputError(
        f"--figure must be one of {', '.join(names)}, or one of a run; received {name}"
        f"{suggestion(meant(name, names, {}))}"
    )


def check_runs(name: str, registry: FigureRegistry, arguments: argparse.Namespace) -> None:
    """Refuse runs, data and numbers that the figure does not show."""
    if arguments.count is not None:
        check_count(arguments.count)
    if len(arguments.run_dir or ()) > 1 and name != SHARPNESS:
        raise InputError(f"--figure {name} shows one run; received {len(arguments.run_dir)}")
    foreign = [option for option in OF_DATA if getattr(arguments, option) is not None]
    if foreign and registry is not OF_IMAGES:
        raise InputError(f"--figure {name} has no --{foreign[0].replace('_', '-')}")
    if registry in OF_NO_RUN and arguments.checkpoint:
        raise InputError(f"--figure {name} has no --checkpoint")


def load(registry: FigureRegistry, arguments: argparse.Namespace) -> tuple:
    """What the figure is drawn of, if anything."""
    if registry in OF_NO_RUN:
        return ()
    if registry is OF_IMAGES:
        names = names_of_runs(arguments, taken=["test images"])
        data = {"dataset": arguments.dataset, "data_dir": arguments.data_dir}
        return (registry.load(arguments.run_dir, arguments.checkpoint, names, **data),)
    run_dirs = arguments.run_dir or [chosen_run_dir(arguments)]
    return (registry.load(run_dirs, arguments.checkpoint),)
