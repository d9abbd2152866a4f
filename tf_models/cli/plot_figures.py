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
import inspect
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from pydantic import Field, PositiveInt

from tf_models.cli.command_line import parse, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.training.run_directory import History, RunDirectory
from tf_models.training.settings import Seed, Settings
from tf_models.translation.ready_made import RUN_DIR

# What each figure shows, for --help. The tasks' `figures` modules draw them.
BY_HAND = {
    "architecture": "both stacks: the encoder's last output goes to every layer of the decoder",
    "masks": "the three masks of the translator article's pair, padded to --sizes",
    "encoder-mask": "the encoder's padding mask, before and after the softmax",
    "look-ahead-mask": "look-ahead and padding mask combined, before and after the softmax",
    "decoder-mask": "the decoder's padding mask, before and after the softmax; --sizes 42 41 as in "
    "the article",
    "positions": "positional encoding in both layouts; 20 positions, 512 numbers, or --sizes",
    "michael": "the weights of the query Michael, with their sum and the weighted sum",
    "six-steps": "the scores 112 and 96 through the six steps of attention",
    "target-grid": "je suis étudiant: the target grid, untrained, trained (takes seconds)",
    "layer-normalisation": "which axis layer normalisation goes along, beside batch normalisation",
    "autoencoder-and-vae": "the layers of an autoencoder beside those of a VAE",
}
OF_ANY_RUN = {"training": "loss, accuracy, BLEU and what else was measured, over the epochs"}
OF_TRANSLATOR = {
    "maps": "heat maps: the heads of a layer, one head, or all layers",
    "query": "a head's map, one row of it framed and as a histogram",
    "lines": "what one word attends to, as lines: one head, two heads, all heads",
    "forced-map": "ten German by nine English words, while a given target is forced",
    "masked-softmax": "a head's scores before and after the padding mask and the softmax",
    "statistics": "entropy and diagonality of every head",
    "pipeline": "multi-head attention from X to its output, with the numbers of a layer",
    "32-maps": "all maps of the encoder on one page: 4 x 8 of the translator of the package",
    "animation": "a map through the epochs that a run keeps; as .gif it moves",
}
OF_IMAGES = {
    "reconstructions": "test images, and what comes back",
    "samples": "new images, of a VAE",
    "classes": "new images of each class, of a VAE of --model conditional: a row for each, from "
    "the same z in each column",
    "sharpness": "samples of VAEs, one or several, beside test images, and how sharp they are",
    "traversal": "one number of the code moves",
    "latent-space": "images as points, coloured by class: two numbers of the code, beside PCA",
    "interpolation": "from one class to another, in code space and in pixel space",
    "denoising": "clean, noisy, restored",
    "pca": "an autoencoder of --model linear beside as many principal components",
    "roc": "the class of --without-class in training, found by its error",
}
OF_CLASSIFIER = {
    "attention": "heat maps of the encoder while it reads --sentence; --query first or mean: one "
    "row",
    "confusion": "which classes are taken for which, of --test",
}
OF_IMAGE_CLASSIFIER = {
    "attention": "what the class token looks at, laid over test images; --layer of the heads",
    "confusion": "which classes are taken for which",
}
OF_QUESTIONS = {
    "story": "which facts were read for an answer, hop by hop and word by word; of a model with "
    "attention"
}
OF_RUNS = {
    "a translator": OF_TRANSLATOR,
    "an autoencoder or VAE": OF_IMAGES,
    "a classifier": OF_CLASSIFIER,
    "a classifier of images": OF_IMAGE_CLASSIFIER,
    "a question answering model": OF_QUESTIONS,
    "any kind": OF_ANY_RUN,
}
ANIMATION, SHARPNESS, TRAINING = "animation", "sharpness", "training"


def _listed(heading: str, figures: dict[str, str]) -> str:
    return "\n".join([heading, *(f"  {name:21} {shows}" for name, shows in figures.items())])


__doc__ += "\n\n" + "\n\n".join(
    [
        _listed("figures of no run:", BY_HAND),
        *(_listed(f"figures of a run of {of} (--run-dir):", one) for of, one in OF_RUNS.items()),
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
    sizes: tuple[PositiveInt, PositiveInt] | None = None
    """Two numbers, of a figure of no run: see its line above."""
    test: Path | None = None
    """Texts of the confusion matrix."""
    facts: Annotated[tuple[str, ...] | None, tyro.conf.arg(name="fact")] = None
    """Of a story, one or more."""
    question: str | None = None
    """About these facts."""
    count: Annotated[int, Field(ge=2, le=400)] | None = None
    """Images, steps of an interpolation, or latents."""
    classes: tuple[str, str] | None = None
    """Of the interpolation."""
    temperature: float | None = None
    """Of samples; if left out, 1."""
    seed: Seed | None = None
    """Of samples and noise."""


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
    name, run_dirs, checkpoint = arguments.figure, arguments.run_dir, arguments.checkpoint
    check_name(name, run_dirs)
    if run_dirs:
        kind = RunDirectory(run_dirs[0]).read_kind()
    else:
        kind = "no run" if name in BY_HAND else "translator"
    with quiet_tensorflow():
        from tf_models.autoencoding import figures as of_images
        from tf_models.autoencoding.model import ImageModel, ImageRuns
        from tf_models.classification import figures as of_texts
        from tf_models.classification.model import ImageClassifier, TextClassifier
        from tf_models.plotting.files import check_figure_path, save_animation, save_figure
        from tf_models.plotting.lines import plot_training_curves
        from tf_models.questions import figures as of_questions
        from tf_models.questions.answer import Answerer
        from tf_models.runtime import use_cores_for_inference
        from tf_models.translation import figures as of_translator
        from tf_models.translation import figures_by_hand
        from tf_models.translation.translate import Translator
    for path in arguments.output:  # refused before minutes are spent
        check_figure_path(path, may_move=name == ANIMATION)
    use_cores_for_inference()
    figures: dict[str, Any]
    subject: list[Any] = []
    match kind:
        case _ if name == TRAINING:
            history = History.read(RunDirectory(run_dirs[0]).history_file)
            figures = {TRAINING: lambda: plot_training_curves(history.columns())}
        case "no run":
            figures = figures_by_hand.FIGURES | of_images.FIGURES_BY_HAND
        case "translator":
            figures = of_translator.FIGURES
            subject = [Translator.load(run_dirs[0] if run_dirs else RUN_DIR, checkpoint)]
        case "autoencoder" | "vae":
            models = [ImageModel.load(path, checkpoint) for path in run_dirs]
            origin, data = models[0].origin, (arguments.dataset, arguments.data_dir)
            images = origin.load(*data) if arguments.dataset else origin.load_kept(data[1])
            runs = ImageRuns(dict(zip(labels_of(arguments), models, strict=True)), images)
            figures = {one: of_images.FIGURES[one] for one in of_images.figures_of(runs)}
            subject = [runs]
        case "classifier":
            figures = of_texts.FIGURES
            subject = [TextClassifier.load(run_dirs[0], checkpoint)]
        case "image classifier":
            figures = of_texts.IMAGE_FIGURES
            subject = [ImageClassifier.load(run_dirs[0], checkpoint)]
        case "question answering":
            figures = of_questions.FIGURES
            subject = [Answerer.load(run_dirs[0], checkpoint)]
        case _:
            figures = {}
    if name not in figures:
        names = ", ".join([*figures, TRAINING])
        raise InputError(f"--figure {name} does not fit this run, but one of {names}")
    draw = figures[name]
    parameters = inspect.signature(draw).parameters
    options = {option: one for option, one in dict(arguments.options).items() if one is not None}
    for option in options.keys() - parameters.keys():
        raise InputError(f"--figure {name} has no --{option.replace('_', '-')}")
    if run_dirs and "run_dir" in parameters:
        options["run_dir"] = run_dirs[0]
    for path in arguments.output:
        if path.suffix == ".gif":
            save_animation(draw(*subject, moves=True, **options), path)
        else:
            save_figure(draw(*subject, **options), path)
    print(*arguments.output, sep="\n")


def check_name(name: str, run_dirs: tuple[Path, ...]) -> None:
    """Raise an InputError if there is no such figure, or none of so many runs."""
    if len(run_dirs) > 1 and name != SHARPNESS:
        raise InputError(f"--figure {name} shows one run; received {len(run_dirs)}")
    names = [*BY_HAND, *(one for figures in OF_RUNS.values() for one in figures)]
    if name not in names:
        meant = difflib.get_close_matches(name, names, n=1)
        suggestion = f"; perhaps you meant {meant[0]}" if meant else ""
        raise InputError(f"there is no figure {name!r}{suggestion} (see --help)")
    if not run_dirs and name not in BY_HAND | OF_TRANSLATOR:
        kinds = " or ".join(of for of, figures in OF_RUNS.items() if name in figures)
        raise InputError(f"--figure {name} needs --run-dir, a run of {kinds}")


def labels_of(arguments: Arguments) -> list[str]:
    """A name for each run."""
    labels = list(arguments.label) or [path.resolve().name for path in arguments.run_dir]
    if len({*labels, "test images"}) != len(arguments.run_dir) + 1:
        raise InputError(f"--label must name each run, differently; received {', '.join(labels)}")
    return labels
