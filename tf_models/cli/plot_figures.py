"""Draw a figure by its name: of a run of any kind, or of none.

$ tf-models plot-figures --figure masks --output masks.png
      the three masks of the translator article
$ tf-models plot-figures --figure sharpness --run-dir runs/digits-vae runs/digits-hierarchical \\
      --output samples.png
      of several runs
"""

import inspect
import sys
import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, PositiveInt

from tf_models.cli.command_line import parse, passed, quiet_tensorflow
from tf_models.cli.translator_arguments import MapArguments
from tf_models.errors import InputError
from tf_models.training.run_directory import History, RunDirectory
from tf_models.training.settings import Seed
from tf_models.translation.settings import RUN_DIR

# run kind -> name of a figure -> what it shows
FIGURES = tomllib.loads(Path(__file__).with_name("figures.toml").read_text(encoding="utf-8"))
TRAINING = "training"
COMMON = {"figure", "output", "run_dir", "data_dir"}  # arguments of all figures


class Arguments(MapArguments):
    figure: str
    """Name of the figure."""
    output: Path
    """File of the figure: F.png, F.pdf or F.svg."""
    run_dir: tuple[Path, ...] = ()
    """Run directory, several for sharpness; if left out, what comes with the package."""
    data_dir: Path | None = None
    """Folder of TFDS data sets."""
    sizes: tuple[PositiveInt, PositiveInt] | None = None
    """Two sizes, for a figure of no run (see above)."""
    test: Path | None = None
    """File of labelled texts, for the confusion matrix."""
    count: Annotated[int, Field(ge=2, le=400)] | None = None
    """Number of images, of steps of an interpolation, or of latents."""
    classes: tuple[str, str] | None = None
    """Two classes to interpolate between."""
    temperature: float | None = None
    """Temperature of the samples; if left out, 1."""
    seed: Seed | None = None
    """Seed of samples and noise."""


def main() -> None:
    arguments = parse(Arguments, details=listing())
    name = arguments.figure
    run_dirs = arguments.run_dir
    run_kind = run_kind_of(name, run_dirs)
    with quiet_tensorflow():
        from tf_models.autoencoding import figures as of_images
        from tf_models.autoencoding.model import ImageModel
        from tf_models.classification import figures as of_texts
        from tf_models.classification.model import ImageClassifier, TextClassifier
        from tf_models.plotting.files import check_figure_path, save_figure
        from tf_models.plotting.lines import plot_training_curves
        from tf_models.questions import figures as of_questions
        from tf_models.questions.answer import Answerer
        from tf_models.translation import figures as of_translator, figures_by_hand
        from tf_models.translation.translate import Translator
    check_figure_path(arguments.output)  # refused before minutes are spent
    if not run_dirs and run_kind != "no run":
        run_dirs = (RUN_DIR,) if run_kind == "translator" else of_images.ready_made_runs(name)
        print("no --run-dir: using the package's", *[run.name for run in run_dirs], file=sys.stderr)
    of_one_run = {
        "translator": (of_translator.FIGURES, Translator.load),
        "classifier": (of_texts.FIGURES, TextClassifier.load),
        "image classifier": (of_texts.IMAGE_FIGURES, ImageClassifier.load),
        "question answering": (of_questions.FIGURES, Answerer.load),
    }
    figures: dict[str, Any]
    subject: list[Any] = []
    if name == TRAINING:
        history = History.read(RunDirectory(run_dirs[0]).history_file)
        figures = {TRAINING: lambda: plot_training_curves(history.columns())}
    elif run_kind == "no run":
        figures = figures_by_hand.FIGURES | of_images.FIGURES_BY_HAND
    elif run_kind in of_one_run:
        figures, load = of_one_run[run_kind]
        subject = [load(run_dirs[0])]
    else:
        models = {path.resolve().name: ImageModel.load(path) for path in run_dirs}
        if len(models) < len(run_dirs):
            raise InputError("the runs' folders must have different names")
        images = next(iter(models.values())).origin.load_kept(arguments.data_dir)
        runs = of_images.ImageRuns(models, images)
        figures = {figure: of_images.FIGURES[figure] for figure in of_images.figures_of(runs)}
        subject = [runs]
    if name not in figures:
        fitting = ", ".join((*figures, TRAINING))
        raise InputError(f"--figure {name} does not fit this run, but {fitting}")
    parameters = inspect.signature(figures[name]).parameters
    options = passed(arguments, COMMON, parameters, f"--figure {name}")
    print(save_figure(figures[name](*subject, **options), arguments.output))


def listing() -> str:
    """The figures of each kind of runs, a line each."""
    lines = []
    for run_kind, figures in FIGURES.items():
        lines += ["", f"figures of {run_kind}:"]
        lines += [f"  {name:20}  {content}" for name, content in figures.items()]
    return "\n".join(lines)


def run_kind_of(name: str, run_dirs: tuple[Path, ...]) -> str:
    """Kind of the runs to draw; an InputError if the figure does not fit them."""
    if len(run_dirs) > 1 and name != "sharpness":
        raise InputError(f"--figure {name} shows one run; received {len(run_dirs)}")
    if run_dirs:
        return RunDirectory(run_dirs[0]).read_config()["kind"]
    for kind in ("no run", "translator", "autoencoder"):
        if name in FIGURES[kind]:
            return kind
    raise InputError(f"there is no figure {name!r} without --run-dir (see --help)")
