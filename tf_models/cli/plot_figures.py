"""Draw a figure by its name: of a run of any kind, or of none.

  tf-models plot-figures --figure masks --output masks.png
      the three masks of the translator article
  tf-models plot-figures --figure lines --query animal --output lines.svg
      what a word attends to
  tf-models plot-figures --figure forced-map --without-marks --output map.png map.pdf
      ten German by nine English words: start, end and full stop are left out
  tf-models plot-figures --figure interpolation --run-dir runs/digits-vae --output fading.png
      a zero becomes a seven: in code space, and in pixel space
  tf-models plot-figures --figure animation --run-dir runs/toy-toy --output heads.gif
      a map through the epochs that a training keeps
  tf-models plot-figures --figure sharpness --run-dir runs/digits-vae runs/digits-hierarchical \\
      --label "one layer" "six groups" --output samples.png
      sharpness is the variance of the Laplacian, as a share of that of the test images

A translator's figures are drawn of the translator of the package if --run-dir is left out.
"""

import difflib
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from pydantic import Field

from tf_models.autoencoding.figures import FIGURES as OF_IMAGES
from tf_models.autoencoding.figures import FIGURES_BY_HAND as OF_AUTOENCODERS
from tf_models.autoencoding.figures import MAX_COUNT
from tf_models.classification.figures import FIGURES as OF_CLASSIFIER
from tf_models.classification.figures import OF_IMAGES as OF_IMAGE_CLASSIFIER
from tf_models.cli.command_line import parse, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.plotting.registry import FigureRegistry
from tf_models.questions.figures import FIGURES as OF_QUESTIONS
from tf_models.training.run_directory import RunDirectory
from tf_models.training.settings import Seed, Settings
from tf_models.translation.figures import ANIMATION, FIGURES_BY_HAND
from tf_models.translation.figures import FIGURES as OF_TRANSLATOR
from tf_models.translation.ready_made import RUN_DIR

OF_NO_RUN = (FIGURES_BY_HAND, OF_AUTOENCODERS)
OF_RUNS = (OF_TRANSLATOR, OF_IMAGES, OF_CLASSIFIER, OF_IMAGE_CLASSIFIER, OF_QUESTIONS)
SHARPNESS = "sharpness"  # the one figure that shows several runs
__doc__ += "\n\n".join(  # the figures, for --help
    [
        "",
        *(f"figures of no run:\n{one.describe()}" for one in OF_NO_RUN),
        *(f"figures of {one.of} (--run-dir):\n{one.describe()}" for one in OF_RUNS),
    ]
)


class FigureArguments(Settings):
    """What a figure shows, where it can be chosen."""

    sentence: str | None = None
    """In place of the article's."""
    target: str | None = None
    """Translation to force."""
    kind: Literal["encoder", "decoder", "cross"] | None = None
    """Kind of attention."""
    layer: str | None = None
    """1 to the last."""
    head: int | None = None
    """From 1."""
    query: str | None = None
    """Word whose attention is drawn."""
    words: bool | None = None
    """Merge subwords into words."""
    without_marks: bool | None = None
    """Leave out <start>, <end> and punctuation, and share the rest anew."""
    value_norms: bool | None = None
    """Draw each weight times the norm of the value that it carries: what a head moves."""
    sizes: tuple[int, ...] | None = None
    """Numbers that a figure of none depends on: see its line above."""
    test: Path | None = None
    """Texts of the confusion matrix."""
    facts: Annotated[tuple[str, ...] | None, tyro.conf.arg(name="fact")] = None
    """Of a story, one or more."""
    question: str | None = None
    """About these facts."""
    tokens: str | None = None
    """Names of the rows that are normalised."""
    features: int | None = None
    """Of each of them."""
    count: Annotated[int, Field(ge=2, le=MAX_COUNT)] | None = None
    """Images, steps of an interpolation, or latents."""
    classes: tuple[str, str] | None = None
    """Of the interpolation."""
    temperature: float | None = None
    """Of samples; if left out, 1."""
    seed: Seed | None = None
    """Of samples, noise and numbers."""


class Arguments(Settings):
    """All arguments."""

    figure: str
    """Name of the figure."""
    output: tuple[Path, ...]
    """Files to write: F.png, F.pdf or F.svg; of the animation also F.gif."""
    run_dir: tuple[Path, ...] = ()
    """Run directory, several for sharpness; if left out, the translator of the package."""
    checkpoint: str | None = None
    """best, latest, or a name."""
    label: tuple[str, ...] = ()
    """A name for each run; if left out, the folder's."""
    dataset: str | None = None
    """Images; if left out, those that the run was trained on."""
    data_dir: Path | None = None
    """Folder of TFDS data sets."""
    options: FigureArguments = FigureArguments()


def main() -> None:
    arguments = parse(Arguments)
    name, run_dirs = arguments.figure, arguments.run_dir
    registry = registry_of(name, run_dirs)
    if len(run_dirs) > 1 and name != SHARPNESS:
        raise InputError(f"--figure {name} shows one run; received {len(run_dirs)}")
    with quiet_tensorflow():
        from tf_models.plotting.files import (
            check_figure_path,
            check_place,
            is_animation,
            save_animation,
            save_figure,
        )

        for path in arguments.output:  # refused before minutes are spent
            moves = name == ANIMATION and is_animation(path)
            (check_place if moves else check_figure_path)(path)
        subject = load(registry, arguments)
        given: dict[str, Any] = dict(arguments.options)
        if run_dirs and "run_dir" in registry.options_of(name):
            given["run_dir"] = run_dirs[0]
        for path in arguments.output:
            if is_animation(path):
                save_animation(registry.draw(name, *subject, moves=True, **given), path)
            else:
                save_figure(registry.draw(name, *subject, **given), path)
    print(*arguments.output, sep="\n")


def registry_of(name: str, run_dirs: tuple[Path, ...]) -> FigureRegistry:
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
    names = [name for one in (*OF_NO_RUN, *OF_RUNS) for name in one.entries]
    meant = difflib.get_close_matches(name, names, n=1)
    suggestion = f"; perhaps you meant {meant[0]}" if meant else ""
    raise InputError(f"there is no figure {name!r}{suggestion} (see --help)")


def load(registry: FigureRegistry, arguments: Arguments) -> tuple:
    """What the figure is drawn of, if anything."""
    if registry in OF_NO_RUN:
        return ()
    if registry is not OF_IMAGES:
        return (registry.load(arguments.run_dir or [RUN_DIR], arguments.checkpoint),)
    names = list(arguments.label) or [path.resolve().name for path in arguments.run_dir]
    if len({*names, "test images"}) != len(arguments.run_dir) + 1:
        raise InputError(f"--label must name each run, differently; received {', '.join(names)}")
    data = {"dataset": arguments.dataset, "data_dir": arguments.data_dir}
    return (registry.load(arguments.run_dir, arguments.checkpoint, names, **data),)
