"""Draw all pictures of the README and of docs/ into docs/images/.

Each is drawn by one command, of the models that come with the package: some four minutes in all.
The moving picture of the interactive page needs Chromium; those of notebooks are copied from where
they are stored. Also written are docs/gallery.md and, in
docs/heads.md, what `python -m research.heads` measured of the ready-made translator.
"""

import argparse
import base64
import csv
import json
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from PIL import Image

from tf_models.cli import plot_figures
from tf_models.cli.command_line import run
from tf_models.data.annotated import DIRECTOR, IT_STANDS_FOR as NOUNS
from tf_models.files import write_text
from tf_models.plotting.files import with_palette
from tf_models.translation.settings import RUN_DIR

EXAMPLES = """\
  python docs/make_images.py
      all pictures
  python docs/make_images.py --only it-animal it-street
      these two"""

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
GALLERY = ROOT / "docs" / "gallery.md"
HEADS = ROOT / "docs" / "heads.md"
MEASURED = "<!-- written by docs/make_images.py -->"  # before and after what is written
GALLERY_TEXT = """Here are all pictures of the other pages. This command draws two of them again:

```bash
python docs/make_images.py --only it-animal it-street
```"""
TIRED, WIDE = NOUNS
SLEEPS = "She sleeps."


class Head(NamedTuple):
    """A head of the ready-made translator, layer and number from one, and what was measured."""

    kind: str
    layer: str
    number: str
    measured: dict[str, float]

    def __str__(self) -> str:
        return f"{self.kind} {self.layer}.{self.number}"

    def shown(self, column: str, digits: int) -> str:
        """A number of the head; "-" where its kind has none."""
        return f"{self.measured[column]:.{digits}f}" if column in self.measured else "-"


def read_heads(path: Path) -> list[Head]:
    """All rows of the table that `python -m research.heads` writes; baselines have no layer."""
    rows = csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    return [
        Head(*list(row.values())[:3], {k: float(row[k]) for k in list(row)[3:-1] if row[k]})
        for row in rows
    ]


ROWS = read_heads(RUN_DIR / "heads.csv")
ALL_HEADS = [row for row in ROWS if row.number.isdigit()]
WHOLE = next(row for row in ROWS if row.number == "none").measured
ALIGNMENT = "alignment_error_rate"
TASKS = {  # what a head may do: heading, and column of its number
    "previous token": "previous",
    "word that is translated": ALIGNMENT,
    "noun that “it” stands for": "noun_of_it",
    "subject of the verb": "subject_of_verb",
    "noun of the adjective": "noun_of_adjective",
    "`<start>` and `<end>`": "start_and_end",
}
HEADINGS = ("previous", "alignment error", "it", "verb", "adjective", "start, end")
EXACT, PRONOUNS = "exact_match_ablated", "pronouns_ablated"
ABLATIONS = {
    "off: er, sie, es": PRONOUNS,
    "off: exact": EXACT,
    "off: BLEU": "bleu_ablated",
    "alone: er, sie, es": "pronouns_alone",
    "alone: exact": "exact_match_alone",
}
POINTS = 3  # of exact matches: fewer say little
MISSED = 3  # heads
OFF = """Translations without a head (*off*), and without the others of its block (*alone*), in
percent, and BLEU:"""


def best_head(column: str, *kinds: str) -> Head:
    """The head of these kinds, or of all, that does a task best."""
    heads = [head for head in ALL_HEADS if head.kind in kinds or not kinds]
    sign = -1 if column == ALIGNMENT else 1  # an error is best where it is small
    return max(
        (head for head in heads if column in head.measured),
        key=lambda head: sign * head.measured[column],
    )


def head_of_it() -> Head:
    """The head that attends most to the noun that "it" stands for.

    It is the encoder's, if that gives the noun more than half, or else that of cross-attention.
    """
    encoder = best_head("noun_of_it", "encoder")
    return encoder if encoder.measured["noun_of_it"] > 0.5 else best_head("noun_of_it", "cross")


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
    head = head_of_it()
    query = "it" if head.kind == "encoder" else pronoun
    where = f"--kind {head.kind} --layer {head.layer} --head {head.number} --query {query}"
    return _figure(f"maps --words {where}", sentence)


# To add a picture, add an entry here and show it in README.md or docs/.
PICTURES = {
    "it-animal": Picture(
        "The head that was trained to find what “it” stands for: too tired, so the animal.",
        _map_of_it(TIRED, "es"),
    ),
    "it-street": Picture("The same head: too wide, so the street.", _map_of_it(WIDE, "sie")),
    "attention-page": Picture(
        "The interactive page, and then without both heads that look at the noun: es becomes er.",
        'python docs/photograph_page.py --click "3. Without both heads that look"',
        suffix=".gif",
    ),
    "query": Picture(
        "What the decoder does while it writes “es”: it looks at “it”. The framed row is the "
        "histogram.",
        _figure("query --query es"),
    ),
    "lines": Picture(
        "“it” in one head, and in two as in the article: one looks at “animal”, one at “tired”; "
        "all heads of a layer are too many.",
        _figure("lines"),
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
    "fading": Picture(
        "A zero becomes a seven: in the code its shape changes, in pixels one image fades into the "
        "other, in the same way by four methods.",
        _figure("interpolation"),
    ),
    "denoising": Picture("Clean, noisy and restored digits.", _figure("denoising")),
    "vae-samples": Picture("New digits from a hierarchical VAE.", _figure("samples")),
    "mnist-samples": Picture(
        "Test images, samples of a VAE of one layer, and of a hierarchical one.",
        _figure("sharpness"),
    ),
}


@dataclass(frozen=True)
class NotebookPicture:
    """Picture that a stored notebook has: what it shows, and text of the cell that draws it."""

    shows: str
    notebook: str
    cell: str
    suffix: str = ".png"


FROM_NOTEBOOKS = {
    "learning": NotebookPicture(
        "Attention while it is learnt: one head of cross-attention before training, and after "
        "one, two and six epochs.",
        "05_translator.ipynb",
        'names=["before training"',
    ),
    "alignment": NotebookPicture(
        "A recurrent translator with Bahdanau's attention: what it reads while it writes.",
        "07_before_the_transformer.ipynb",
        "of_shown = {",
    ),
    "bleu-by-length": NotebookPicture(
        "BLEU by the length of a sentence: one vector, attention, and a Transformer.",
        "07_before_the_transformer.ipynb",
        'title="greedy, 30 lists each"',
    ),
    "story": NotebookPicture(
        "A question about a story: the facts that are read for its answer.",
        "07_before_the_transformer.ipynb",
        "figure = draw_answer(story",
    ),
    "class-token": NotebookPicture(
        "The patches that the class token of a Vision Transformer looks at.",
        "12_what_came_after.ipynb",
        'title="what the class token sees"',
    ),
}
# The gallery's headings, and what stands below each.
GROUPS = {
    "Where heads look": (
        *("it-animal", "it-street", "attention-page", "query", "lines", "director", "forced-map"),
        *("32-maps", "statistics"),
    ),
    "Inside a layer": (
        *("masks", "masked-softmax", "positions", "michael", "six-steps", "pipeline"),
        *("normalisation", "target-grid"),
    ),
    "Images": ("fading", "denoising", "vae-samples", "mnist-samples"),
    "From the notebooks": tuple(FROM_NOTEBOOKS),
}


ALL = {**PICTURES, **FROM_NOTEBOOKS}


def make_parser() -> argparse.ArgumentParser:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"examples:\n{EXAMPLES}", formatter_class=layout
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=ALL,
        default=list(ALL),
        metavar="NAME",
        help=f"of {', '.join(ALL)}; default: all",
    )
    return parser


def main(arguments: argparse.Namespace) -> None:
    write_text(GALLERY, gallery())
    write_text(HEADS, heads_page())
    for number, name in enumerate(arguments.only, start=1):
        print(f"picture {number} of {len(arguments.only)}: {name}")
        draw(name, IMAGES)


def draw(name: str, folder: Path) -> None:
    """Draw a picture into a folder; TensorFlow is loaded once for all that do not move."""
    if name in FROM_NOTEBOOKS:
        copy_from_notebook(name, folder)
        return
    words = picture_command(name, folder)
    if PICTURES[name].suffix == ".gif":
        subprocess.run([sys.executable, *words[1:]], cwd=ROOT, check=True)
        return
    with patch.object(sys, "argv", words[1:]):
        plot_figures.main()
    path = folder / file_name(name)
    with Image.open(path) as picture:
        small = with_palette(picture)
    small.save(path, optimize=True)


def copy_from_notebook(name: str, folder: Path) -> None:
    """Copy the last picture of a cell of a stored notebook."""
    picture = FROM_NOTEBOOKS[name]
    notebook = json.loads((ROOT / "notebooks" / picture.notebook).read_text(encoding="utf-8"))
    cell = next(cell for cell in notebook["cells"] if picture.cell in "".join(cell["source"]))
    data = [output["data"] for output in cell["outputs"] if "data" in output]
    *_, image = [mime["image/png"] for mime in data if "image/png" in mime]
    (folder / file_name(name)).write_bytes(base64.b64decode("".join(image)))


def picture_command(name: str, folder: Path) -> list[str]:
    """The words of the command that draws a picture into a folder."""
    return [*shlex.split(PICTURES[name].command), "--output", str(folder / file_name(name))]


def file_name(name: str) -> str:
    """Of a picture, in `IMAGES`."""
    return f"{name}{ALL[name].suffix}"


def gallery() -> str:
    """The page with every picture and what it shows."""
    parts = ["# Gallery", GALLERY_TEXT]
    for group, names in GROUPS.items():
        parts.append(f"## {group}")
        for name in names:
            picture = f"images/{file_name(name)}"
            parts.append(f"[![{name}]({picture})]({picture})\n**{name}**: {ALL[name].shows}")
    return "\n\n".join(parts) + "\n"


def heads_page() -> str:
    """The page of heads, with today's numbers between its two marks."""
    before, _, after = HEADS.read_text(encoding="utf-8").split(MEASURED)
    parts = [MEASURED, findings(), attention_table(), OFF, ablation_table(), MEASURED]
    return before + "\n\n".join(parts) + after


def findings() -> str:
    """What the numbers say, as a list."""
    encoder, cross = (best_head("noun_of_it", kind) for kind in ("encoder", "cross"))
    sink = best_head("start_and_end")
    needed = [head for head in ALL_HEADS if WHOLE[EXACT] - head.measured[EXACT] > POINTS]
    return (
        f"- **{encoder}** gives {percent(encoder, 'noun_of_it')} of its attention to the noun that "
        f"“it” stands for. With it {WHOLE[PRONOUNS]:.1f} % of the pronouns are right, without it "
        f"{encoder.shown(PRONOUNS, 1)} %: [another head](#two-heads-cover-for-each-other) looks "
        "there, too.\n"
        f"- Of the heads of cross-attention {cross} gives the noun most, while er, sie or es is "
        f"written: {percent(cross, 'noun_of_it')}.\n"
        f"- Without one of {len(ALL_HEADS)} heads, exact matches fall by more than "
        f"{POINTS} points for {len(needed)}: {', '.join(map(str, needed))}.\n"
        f"- {sink} leans most on `<start>` and `<end>`: {percent(sink, 'start_and_end')}."
    )


def percent(head: Head, column: str) -> str:
    return f"{100 * head.measured[column]:.0f} %"


def attention_table() -> str:
    """The best head for each task, and its numbers."""
    rows = [
        [task, head, *(head.shown(column, 2) for column in TASKS.values())]
        for task, head in zip(TASKS, map(best_head, TASKS.values()), strict=True)
    ]
    return table(["looks most at the …", "head", *HEADINGS], rows)


def ablation_table() -> str:
    """Translations without a head: without those above, and those that are missed most."""
    missed = sorted(ALL_HEADS, key=lambda head: head.measured[EXACT])[:MISSED]
    heads = {str(head): head for head in (*map(best_head, TASKS.values()), *missed)}
    columns = ABLATIONS.values()
    rows = [[name, *(head.shown(column, 1) for column in columns)] for name, head in heads.items()]
    whole = [f"{WHOLE[column]:.1f}" if column.endswith("_ablated") else "-" for column in columns]
    return table(["head", *ABLATIONS], [["none", *whole], *rows])


def table(headings: list[str], rows: list[list[object]]) -> str:
    """Of Markdown."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


if __name__ == "__main__":
    run(lambda: main(make_parser().parse_args()))
