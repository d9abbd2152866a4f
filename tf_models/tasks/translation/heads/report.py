"""What was measured of the heads: tables to read, files to keep, figures."""

import json
from pathlib import Path

from matplotlib.figure import Figure

from tf_models.files import write_text
from tf_models.plotting.files import save_figure
from tf_models.plotting.head_effects import HeadPoint, plot_head_effects
from tf_models.plotting.head_similarity import plot_head_similarity
from tf_models.tasks.translation.heads.measurement import ALL, ANY, NONE, HeadMeasurement, Row

# Title of a table, and its columns with their headings and digits.
LOOKS = (
    "where each head looks (shares from 0 to 1, entropy in nats)",
    {
        "entropy": ("entropy", 2),
        "diagonality": ("diagonal", 2),
        "start_and_end": ("ends", 2),
        "itself": ("itself", 2),
        "previous": ("previous", 2),
        "alignment_error_rate": ("align.err", 2),
        "noun_of_it": ("it>noun", 2),
        "subject_of_verb": ("verb>subj", 2),
        "noun_of_adjective": ("adj>noun", 2),
    },
)
OFF = (
    "translations with the head off, and with all others of its block off (percent, BLEU)",
    {
        "pronouns_off": ("er/sie/es", 1),
        "exact_match_off": ("exact", 1),
        "bleu_off": ("BLEU", 1),
        "pronouns_only": ("alone: e/s/e", 1),
        "exact_match_only": ("exact", 1),
        "bleu_only": ("BLEU", 1),
    },
)
CHOICES = (
    "er, sie or es after the reference's own words: chosen right, and probability (percent)",
    {
        "choice_off": ("off", 1),
        "probability_off": ("prob.", 1),
        "choice_noun_blocked": ("noun blocked", 1),
        "probability_noun_blocked": ("prob.", 1),
        "choice_other_blocked": ("other blocked", 1),
        "probability_other_blocked": ("prob.", 1),
    },
)
FILES = ("heads.csv", "heads.json", "heads.png", "similarity.png")


def tables(measured: HeadMeasurement) -> list[str]:
    """Three tables as lines: a row for each head and for what stands beside them."""
    lines = [
        f"{measured.sentences} sentences; er, sie or es is to be chosen in {measured.pronouns}",
    ]
    for title, columns in (LOOKS, OFF, CHOICES):
        rows = [row for row in measured.rows if any(row[name] is not None for name in columns)]
        if rows:
            lines += ["", title, *_table(rows, columns)]
    return lines


def _table(rows: list[Row], columns: dict[str, tuple[str, int]]) -> list[str]:
    width = max(len(name_of(row)) for row in rows)
    widths = {name: max(len(heading), 5) + 2 for name, (heading, _) in columns.items()}
    head = " " * width + "".join(f"{h:>{widths[n]}}" for n, (h, _) in columns.items())
    lines = [head]
    for row in rows:
        cells = (
            f"{_cell(row[name], digits):>{widths[name]}}" for name, (_, digits) in columns.items()
        )
        lines.append(f"{name_of(row):{width}}" + "".join(cells))
    return lines


def _cell(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:z.{digits}f}"


def name_of(row: Row) -> str:
    """ "encoder 1.2" is the second head of the first layer; others by what they are."""
    kind, layer, head = row["kind"], row["layer"], row["head"]
    if isinstance(head, int):
        return f"{kind} {layer}.{head}"
    if head == NONE:
        return "nothing off"
    if head == ALL:
        return "all heads" if kind == ANY else f"{kind}, all heads"
    place = "" if kind == ANY else kind if layer is None else f"{kind} {layer}"
    return f"{place} {head}".strip()


def effects_figure(measured: HeadMeasurement) -> Figure | None:
    """Attention to the noun against right pronouns lost, two ways; None without such sentences."""
    whole = measured.beside(NONE)
    ways = {
        "the head is off": "choice_off",
        "only its look at the noun is blocked": "choice_noun_blocked",
    }
    looking = [row for row in measured.heads() if row["noun_of_it"] is not None]
    if not looking or whole["choice_off"] is None:
        return None

    def point(row: Row, column: str) -> HeadPoint:
        lost = whole["choice_off"] - row[column]
        return HeadPoint(row["kind"], f"{row['layer']}.{row['head']}", row["noun_of_it"], lost)

    panels = {title: [point(row, column) for row in looking] for title, column in ways.items()}
    names = (
        'attention to the noun that "it" stands for',
        "right er/sie/es lost, percentage points",
    )
    title = "what a head looks at, and what is lost without it"
    return plot_head_effects(panels, axis_names=names, title=title)


def similarity_figure(measured: HeadMeasurement) -> Figure:
    """Which heads of a kind look alike."""
    (first, *_) = measured.similarity
    names = [f"{row['layer']}.{row['head']}" for row in measured.heads() if row["kind"] == first]
    return plot_head_similarity(measured.similarity, names, title="heads that look alike")


def save(measured: HeadMeasurement, folder: Path) -> list[Path]:
    """Write `FILES` into a folder, which is made if need be; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "heads.csv", measured.as_csv())
    write_text(folder / "heads.json", json.dumps(measured.as_dict(), indent=2) + "\n")
    figures = {"heads.png": effects_figure(measured), "similarity.png": similarity_figure(measured)}
    drawn = {name: figure for name, figure in figures.items() if figure is not None}
    for name, figure in drawn.items():
        save_figure(figure, folder / name)
    return [folder / name for name in FILES if name in drawn or not name.endswith(".png")]
