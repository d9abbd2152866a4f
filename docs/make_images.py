"""Draw all pictures of the README and of docs/ into docs/images/, and write docs/gallery.md.

Each picture is drawn from runs that the commands of the README and docs/ make. A run that is
missing is trained first, one that is finished is kept; remove its folder to train it again.
The run of MNIST reads it from the folder data, or has TensorFlow Datasets download it there.
On two cores everything takes about an hour and a half, most of it training.
"""

import argparse
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tf_models.cli.command_line import INTERRUPTED, quiet_tensorflow, run
from tf_models.data.pairs import DIRECTOR, FACTS, QUESTION
from tf_models.data.pairs import IT_STANDS_FOR as NOUNS
from tf_models.errors import InputError
from tf_models.files import write_text

if TYPE_CHECKING:  # --help need not wait for TensorFlow
    from tf_models.translation.attention import HeadOfIt

EXAMPLES = """\
  python docs/make_images.py
      all pictures; trains the runs that are missing
  python docs/make_images.py --only it-animal it-street
      these two, and the one run that they need
  python docs/make_images.py --runs scratch
      the same pictures from runs in the folder scratch, not in runs"""

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
GALLERY = ROOT / "docs" / "gallery.md"
GALLERY_TEXT = """Every picture of these pages.
A command draws one again, and trains the runs that it needs:

```bash
python docs/make_images.py --only it-animal
```"""
RUN_FOLDER = "runs"  # as the commands below name it
TIRED, WIDE = NOUNS
SLEEPS = "She sleeps."
BROUGHT = "We brought the apple to the horse because it was hungry."
# Pictures of one head: the sentence, and the noun that "it" stands for.
IT_STANDS_FOR = {f"it-{noun}": (sentence, noun) for sentence, noun in NOUNS.items()}

# Each run, and the command that makes it, word for word as the README or docs/ state it.
RUNS = {
    "toy-toy-rnn-attention": "python scripts/train_translator.py --model rnn-attention",
    "comparison": "python -m research.experiments comparison",
    "digits-convolutional": "python scripts/train_autoencoder.py --model convolutional",
    "denoising": "python scripts/train_autoencoder.py --model convolutional --masking-noise 0.3 "
    "--run-dir runs/denoising",
    "without-8": "python scripts/train_autoencoder.py --without-class 8 --run-dir runs/without-8",
    "digits-stacked": "python scripts/train_autoencoder.py --model stacked",
    "mnist-vae": "python scripts/train_vae.py --dataset mnist --data-dir data --activation elu "
    "--learning-rate 0.003 --epochs 60",
    "reference-classifier": "python scripts/train_classifier.py",
    "mnist-classifier": "python scripts/train_image_classifier.py --dataset mnist --data-dir data "
    "--minutes 10",
    "mnist-hierarchical": "python scripts/train_vae.py --dataset mnist --data-dir data --model "
    "hierarchical --groups 3 5 --patch 4 --channels 32 --latent-channels 8 --kl-warmup-epochs 1 "
    "--epochs 6",
    "stories": "python scripts/train_question_answering.py",
}


@dataclass(frozen=True)
class Picture:
    """How a picture is drawn.

    shows: what there is to see.
    command: all of it but `--output`; for the pictures of `IT_STANDS_FOR` also but `--kind`,
        `--layer`, `--head` and `--query`, which are looked for. Empty if the run draws it.
    runs: names of the `RUNS` that must be there first.
    suffix: of the file; .gif moves.
    """

    shows: str
    command: str
    runs: tuple[str, ...] = ()
    suffix: str = ".png"

    def drawn_by_run(self, name: str, folder: Path) -> Path:
        """Where the run has drawn it, if there is no command."""
        return folder / self.runs[0] / "figures" / f"{name}.png"


def _attention(options: str, sentence: str, run_name: str | None = None) -> str:
    """Of a run, or of the translator of the package."""
    of_run = f" --run-dir runs/{run_name}" if run_name else ""
    return f'python scripts/plot_attention.py{of_run} {options} --sentence "{sentence}"'


def _figure(options: str, *runs: str) -> str:
    of_runs = " --run-dir " + " ".join(f"runs/{name}" for name in runs) if runs else ""
    return f"python scripts/plot_figures.py --figure {options}{of_runs}"


def _answer(facts: Sequence[str], question: str) -> str:
    words = ["python", "scripts/answer.py", "--run-dir", "runs/stories"]
    return shlex.join([*words, "--fact", *facts, "--question", question])


# To add a picture, add an entry here and show it in README.md or docs/.
PICTURES = {
    "it-animal": Picture(
        "The head that attends to what “it” stands for: too tired, so the animal.",
        _figure(f"maps --words --sentence {shlex.quote(TIRED)}"),
    ),
    "it-street": Picture(
        "Too wide, so the street.", _figure(f"maps --words --sentence {shlex.quote(WIDE)}")
    ),
    "32-maps": Picture(
        "Every head of a trained encoder, a row for each layer.", _figure("32-maps")
    ),
    "director": Picture(
        'Cross-attention of the last layer; "großartige" is framed.',
        _figure(f"maps --kind cross --words --query großartige --sentence {shlex.quote(DIRECTOR)}"),
    ),
    "query": Picture('The row of "es" of one head, framed and as a histogram.', _figure("query")),
    "statistics": Picture(
        "Entropy and diagonality of every head.",
        _figure(f"statistics --sentence {shlex.quote(TIRED)}"),
    ),
    "heads": Picture(
        "What each head attends to, and which pronouns are lost without it.",
        "python -m research.heads --max-sentences 300",
    ),
    "masks": Picture("The three masks.", _figure("masks")),
    "masked-softmax": Picture(
        "Scores and weights with a padding mask.",
        _figure(f"masked-softmax --sentence {shlex.quote(SLEEPS)}"),
    ),
    "positions": Picture(
        "Positional encoding, interleaved and concatenated.", _figure("positions")
    ),
    "recurrent-alignment": Picture(
        "Bahdanau's attention.",
        _attention("--words", WIDE, "toy-toy-rnn-attention"),
        ("toy-toy-rnn-attention",),
    ),
    "bleu-by-length": Picture(
        "BLEU by sentence length, for three translators.", "", ("comparison",)
    ),
    "bleu-by-minutes": Picture(
        "BLEU by minutes of training, for three translators.", "", ("comparison",)
    ),
    "alignments-1": Picture(
        "What two models attend to: “gelesen”, the last word, looks at “read”.", "", ("comparison",)
    ),
    "alignments-2": Picture("The same for a longer sentence.", "", ("comparison",)),
    "six-steps": Picture("The scores 112 and 96 through the six steps.", _figure("six-steps")),
    "michael": Picture("The nine weights of Michael, and their sum.", _figure("michael")),
    "pipeline": Picture(
        "Multi-head attention from X to output, with a trained layer's numbers.",
        _figure("pipeline"),
    ),
    "forced-map": Picture(
        "Cross-attention, ten German by nine English words.", _figure("forced-map --without-marks")
    ),
    "lines": Picture(
        'What "es" attends to: one head, two heads, all heads of a layer.', _figure("lines")
    ),
    "target-grid": Picture(
        "je suis étudiant: the target grid, untrained and trained.", _figure("target-grid")
    ),
    "story": Picture(
        "Which facts are read to answer where the apple is.", _answer(FACTS, QUESTION), ("stories",)
    ),
    "attention-page": Picture(
        "The interactive page: the head that looks at the noun is switched off.",
        'python docs/photograph_page.py --click "switch head 3 off"',
        suffix=".gif",
    ),
    "classified": Picture(
        'The encoder of a classifier of what "it" stands for.',
        "python scripts/classify.py --run-dir runs/reference-classifier --words "
        f"{shlex.quote(BROUGHT)}",
        ("reference-classifier",),
    ),
    "class-token": Picture(
        "What the class token of a Vision Transformer looks at.",
        _figure("attention --count 6", "mnist-classifier"),
        ("mnist-classifier",),
    ),
    # Trains its runs by itself, and keeps those that are finished.
    "encoder-transfer": Picture(
        "A classifier on a translator's encoder, by the number of labels.",
        "python -m research.experiments transfer --run-dir runs/reference-transfer",
    ),
    "normalisation": Picture(
        "Which axis layer and batch normalisation go along.", _figure("layer-normalisation")
    ),
    "fading": Picture(
        "A zero becomes a seven.",
        _figure("interpolation", "digits-convolutional"),
        ("digits-convolutional",),
    ),
    "denoising": Picture(
        "Three of ten pixels are missing.", _figure("denoising", "denoising"), ("denoising",)
    ),
    "anomalies": Picture(
        "ROC curve of finding a class that was left out.",
        _figure("roc", "without-8"),
        ("without-8",),
    ),
    # Trains a run for each size by itself, and keeps those that are finished.
    "code-sizes": Picture(
        "Error by code size, autoencoders and PCA.",
        "python -m research.experiments code-sizes --run-dir runs/digits-dense-sizes",
    ),
    "transfer": Picture(
        "Classifiers on codes, by the number of labels.",
        "python -m research.experiments codes --encoder-from runs/digits-stacked --seeds 0,1,2",
        ("digits-stacked",),
    ),
    "vae-samples": Picture(
        "New digits from a VAE trained on MNIST.",
        _figure("samples --data-dir data", "mnist-vae"),
        ("mnist-vae",),
    ),
    "mnist-samples": Picture(
        "MNIST: test images, a VAE of one layer, a hierarchical one.",
        _figure(
            'sharpness --label "one layer" hierarchical --data-dir data',
            *("mnist-vae", "mnist-hierarchical"),
        ),
        ("mnist-vae", "mnist-hierarchical"),
    ),
}


# The gallery's headings, and what stands below each.
GROUPS = {
    "where heads look": (
        *("it-animal", "it-street", "attention-page", "query", "lines", "director", "forced-map"),
        *("32-maps", "statistics", "heads"),
    ),
    "inside a layer": (
        *("masks", "masked-softmax", "positions", "michael", "six-steps", "pipeline"),
        *("normalisation", "target-grid"),
    ),
    "other models of text": (
        *("recurrent-alignment", "bleu-by-length", "bleu-by-minutes", "alignments-1"),
        *("alignments-2", "story", "classified", "encoder-transfer"),
    ),
    "images": (
        "class-token",
        "fading",
        "denoising",
        "anomalies",
        "code-sizes",
        "transfer",
        "vae-samples",
        "mnist-samples",
    ),
}


def make_parser() -> argparse.ArgumentParser:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"examples:\n{EXAMPLES}", formatter_class=layout
    )
    parser.add_argument(
        "--runs",
        type=Path,
        default=ROOT / RUN_FOLDER,
        metavar="DIR",
        help="folder of the run directories; default: runs beside docs",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=PICTURES,
        default=list(PICTURES),
        metavar="NAME",
        help=f"of {', '.join(PICTURES)}; default: all",
    )
    return parser


def main(arguments: argparse.Namespace) -> None:
    names = list(dict.fromkeys(arguments.only))
    folder = arguments.runs.resolve()
    for name in dict.fromkeys(needed for one in names for needed in PICTURES[one].runs):
        make_run(name, folder)
    IMAGES.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(names, start=1):
        print(f"picture {number} of {len(names)}: {name}")
        if PICTURES[name].command:
            call(picture_command(name, folder))
        else:
            drawn = PICTURES[name].drawn_by_run(name, folder)
            shutil.copyfile(drawn, IMAGES / file_name(name))
        if PICTURES[name].suffix == ".png":
            shrink(IMAGES / file_name(name))
    write_text(GALLERY, gallery())


def file_name(name: str) -> str:
    """Of a picture, in `IMAGES`."""
    return f"{name}{PICTURES[name].suffix}"


def shrink(path: Path) -> None:
    """Store a picture with a palette."""
    from PIL import Image

    from tf_models.plotting.files import with_palette

    with Image.open(path) as picture:
        small = with_palette(picture)
    small.save(path, optimize=True)


def gallery() -> str:
    """The page with every picture and what it shows."""
    parts = ["# Gallery", GALLERY_TEXT]
    for group, names in GROUPS.items():
        parts.append(f"## {group}")
        for name in names:
            picture = f"images/{file_name(name)}"
            parts.append(f"[![{name}]({picture})]({picture})\n**{name}**: {PICTURES[name].shows}")
    return "\n\n".join(parts) + "\n"


def make_run(name: str, folder: Path) -> None:
    """Train a run; one that is finished is kept, one that was interrupted goes on."""
    if is_finished(folder / name):
        print(f"run {name}: kept, {folder / name}")
        return
    print(f"run {name}: {RUNS[name]}")
    call(run_command(name, folder))


def is_finished(run_dir: Path) -> bool:
    """Whether training came to its end: then it draws figures."""
    return any((run_dir / "figures").glob("*.png"))


def run_command(name: str, folder: Path) -> list[str]:
    """The words of a run's command, its run directory in `folder`."""
    words = shlex.split(RUNS[name])
    if "--run-dir" not in words:
        words += ["--run-dir", f"{RUN_FOLDER}/{name}"]
    return in_folder(words, folder)


def picture_command(name: str, folder: Path) -> list[str]:
    """The words of a picture's command."""
    picture = PICTURES[name]
    words = in_folder(shlex.split(picture.command), folder)
    if name in IT_STANDS_FOR:
        head = pronoun_head(name)
        words += ["--kind", head.kind, "--layer", str(head.layer), "--head", str(head.head)]
        words += ["--query", head.word]
    return [*words, "--output", str(IMAGES / file_name(name))]


def in_folder(words: Sequence[str], folder: Path) -> list[str]:
    """The words, with `folder` in place of the folder "runs"."""
    opening = f"{RUN_FOLDER}/"
    return [
        str(folder / word.removeprefix(opening)) if word.startswith(opening) else word
        for word in words
    ]


def pronoun_head(name: str) -> "HeadOfIt":
    """The head for a picture of `IT_STANDS_FOR`: of the package's it attends to the noun most.

    Raises:
        InputError: no head attends to the noun.
    """
    with quiet_tensorflow():
        from tf_models.translation.attention import surest_head_of_it
        from tf_models.translation.translate import ready_made

    sentence, noun = IT_STANDS_FOR[name]
    head = surest_head_of_it(ready_made(), sentence)
    if head is None:
        raise InputError(f"no head attends most to {noun!r} in {sentence!r}")
    print(f"  {head.kind}, layer {head.layer}, head {head.head}: weight {head.weight:.2f}")
    return head


def call(words: Sequence[str]) -> None:
    """Run one of the project's scripts from the repository's root.

    Raises:
        InputError: it failed; it has said why.
        KeyboardInterrupt: Ctrl-C ended it.
    """
    process = subprocess.Popen([sys.executable, *words[1:]], cwd=ROOT)  # in place of "python"
    status = None
    while status is None:
        try:
            status = process.wait()
        except KeyboardInterrupt:
            continue  # the script received it, too, and saves
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    if status:
        raise InputError(f"failed with status {status}: {shlex.join(words)}")


if __name__ == "__main__":
    run(lambda: main(make_parser().parse_args()))
