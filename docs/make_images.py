"""Draw all pictures of the README and of docs/ into docs/images/, and write docs/gallery.md.

Each is drawn by one command, of the models that come with the package: some four minutes in all.
The moving picture of the interactive page needs Chromium.
"""

import argparse
import csv
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from tf_models.cli.command_line import run
from tf_models.data.pairs import DIRECTOR
from tf_models.data.pairs import IT_STANDS_FOR as NOUNS
from tf_models.errors import InputError
from tf_models.files import write_text
from tf_models.plotting.files import with_palette
from tf_models.translation.ready_made import RUN_DIR

EXAMPLES = """\
  python docs/make_images.py
      all pictures
  python docs/make_images.py --only it-animal it-street
      these two"""

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
GALLERY = ROOT / "docs" / "gallery.md"
GALLERY_TEXT = """Every picture of these pages. One command draws them all, or some:

```bash
python docs/make_images.py
python docs/make_images.py --only it-animal it-street
```"""
TIRED, WIDE = NOUNS
SLEEPS = "She sleeps."


class HeadOfIt(NamedTuple):
    """A head of the ready-made translator and its attention to the noun that "it" stands for.

    Layer and head count from one; share: the mean over the sentences of `python -m research.heads`.
    """

    kind: str
    layer: int
    head: int
    share: float

    @classmethod
    def surest(cls, kind: str) -> "HeadOfIt":
        """The head of a kind, encoder or cross, that gives the noun most."""
        table = (RUN_DIR / "heads.csv").read_text(encoding="utf-8").splitlines()
        heads = [
            cls(kind, int(row["layer"]), int(row["head"]), float(row["noun_of_it"]))
            for row in csv.DictReader(table)
            if row["kind"] == kind and row["head"].isdigit()
        ]
        return max(heads, key=lambda head: head.share)

    @classmethod
    def shown(cls) -> "HeadOfIt":
        """The encoder's, if it gives the noun more than half, or else that of cross-attention."""
        encoder = cls.surest("encoder")
        return encoder if encoder.share > 0.5 else cls.surest("cross")


@dataclass(frozen=True)
class Picture:
    """What a picture shows, and the command that draws it, all of it but `--output`."""

    shows: str
    command: str
    suffix: str = ".png"  # .gif moves


def _figure(options: str, sentence: str = "") -> str:
    of_sentence = f" --sentence {shlex.quote(sentence)}" if sentence else ""
    return f"python scripts/plot_figures.py --figure {options}{of_sentence}"


def _map_of_it(sentence: str, pronoun: str) -> str:
    """The same head in both sentences; `pronoun` is the one that is written."""
    kind, layer, head, _ = HeadOfIt.shown()
    query = "it" if kind == "encoder" else pronoun
    where = f"--kind {kind} --layer {layer} --head {head} --query {query}"
    return _figure(f"maps --words {where}", sentence)


# To add a picture, add an entry here and show it in README.md or docs/.
PICTURES = {
    "it-animal": Picture(
        "The head that looks at what “it” stands for: too tired, so the animal.",
        _map_of_it(TIRED, "es"),
    ),
    "it-street": Picture("The same head: too wide, so the street.", _map_of_it(WIDE, "sie")),
    "attention-page": Picture(
        "The interactive page: the head that looks at the noun is switched off.",
        f'python docs/photograph_page.py --click "switch head {HeadOfIt.surest("cross").head} off"',
        suffix=".gif",
    ),
    "query": Picture("The row of one word, framed and as a histogram.", _figure("query")),
    "lines": Picture(
        "What one word attends to: one head, two heads, all heads of a layer.", _figure("lines")
    ),
    "director": Picture(
        "Cross-attention of the last layer; “großartige” is framed.",
        _figure("maps --kind cross --words --query großartige", DIRECTOR),
    ),
    "forced-map": Picture(
        "Cross-attention, ten German by nine English words.", _figure("forced-map --without-marks")
    ),
    "32-maps": Picture(
        "Every head of a trained encoder, a row for each layer.", _figure("32-maps")
    ),
    "statistics": Picture("Entropy and diagonality of every head.", _figure("statistics", TIRED)),
    "masks": Picture("The three masks.", _figure("masks")),
    "masked-softmax": Picture(
        "Scores and weights with a padding mask.", _figure("masked-softmax", SLEEPS)
    ),
    "positions": Picture(
        "Positional encoding, interleaved and concatenated.", _figure("positions")
    ),
    "michael": Picture("The nine weights of Michael, and their sum.", _figure("michael")),
    "six-steps": Picture("The scores 112 and 96 through the six steps.", _figure("six-steps")),
    "pipeline": Picture(
        "Multi-head attention from X to output, with a trained layer's numbers.",
        _figure("pipeline"),
    ),
    "normalisation": Picture(
        "Which axis layer and batch normalisation go along.", _figure("layer-normalisation")
    ),
    "target-grid": Picture(
        "je suis étudiant: the target grid, untrained and trained.", _figure("target-grid")
    ),
    "fading": Picture("A zero becomes a seven.", _figure("interpolation")),
    "denoising": Picture("Clean, noisy and restored digits.", _figure("denoising")),
    "vae-samples": Picture("New digits from a VAE.", _figure("samples")),
    "mnist-samples": Picture(
        "Test images, samples of a VAE of one layer, and of a hierarchical one.",
        _figure("sharpness"),
    ),
}


# The gallery's headings, and what stands below each.
GROUPS = {
    "where heads look": (
        *("it-animal", "it-street", "attention-page", "query", "lines", "director", "forced-map"),
        *("32-maps", "statistics"),
    ),
    "inside a layer": (
        *("masks", "masked-softmax", "positions", "michael", "six-steps", "pipeline"),
        *("normalisation", "target-grid"),
    ),
    "images": ("fading", "denoising", "vae-samples", "mnist-samples"),
}


def make_parser() -> argparse.ArgumentParser:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"examples:\n{EXAMPLES}", formatter_class=layout
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
    write_text(GALLERY, gallery())
    for number, name in enumerate(arguments.only, start=1):
        print(f"picture {number} of {len(arguments.only)}: {name}")
        words = picture_command(name, IMAGES)
        process = subprocess.run([sys.executable, *words[1:]], cwd=ROOT)  # in place of "python"
        if process.returncode:
            raise InputError(f"failed with status {process.returncode}: {shlex.join(words)}")
        shrink(IMAGES / file_name(name))


def picture_command(name: str, folder: Path) -> list[str]:
    """The words of the command that draws a picture into a folder."""
    return [*shlex.split(PICTURES[name].command), "--output", str(folder / file_name(name))]


def file_name(name: str) -> str:
    """Of a picture, in `IMAGES`."""
    return f"{name}{PICTURES[name].suffix}"


def shrink(path: Path) -> None:
    """Store a picture that does not move with a palette."""
    if path.suffix == ".png":
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


if __name__ == "__main__":
    run(lambda: main(make_parser().parse_args()))
