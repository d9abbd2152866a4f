"""Tables, a file and a figure of the measured heads."""

from pathlib import Path

from matplotlib.figure import Figure

from research.heads.effects_figure import HeadPoint, plot_head_effects
from research.heads.measurement import ALL, ANY, NONE, HeadMeasurement, Row
from tf_models.files import write_text
from tf_models.plotting.files import save_figure

# Title of a table, and its columns with their headings and digits.
ATTENDED = (
    "attention of each head (shares from 0 to 1, entropy in nats)",
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
ABLATED = (
    "translations with the head ablated, and with all others of its block ablated (percent, BLEU)",
    {
        "pronouns_ablated": ("er/sie/es", 1),
        "exact_match_ablated": ("exact", 1),
        "bleu_ablated": ("BLEU", 1),
        "pronouns_alone": ("alone: e/s/e", 1),
        "exact_match_alone": ("exact", 1),
        "bleu_alone": ("BLEU", 1),
    },
)
CHOICES = (
    "er, sie or es after the reference's own words: chosen right, and probability (percent)",
    {
        "choice_ablated": ("ablated", 1),
        "probability_ablated": ("prob.", 1),
        "choice_noun_masked": ("noun masked", 1),
        "probability_noun_masked": ("prob.", 1),
        "choice_other_masked": ("other masked", 1),
        "probability_other_masked": ("prob.", 1),
    },
)


def tables(measured: HeadMeasurement) -> list[str]:
    """Three tables as lines: a row for each head and for the baselines."""
    lines = [
        f"{measured.sentences} sentences; er, sie or es is to be chosen in {measured.pronouns}"
    ]
    for title, columns in (ATTENDED, ABLATED, CHOICES):
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
    """ "encoder 1.2" for the second head of the first layer, or the name of a baseline."""
    kind, layer, head = row["kind"], row["layer"], row["head"]
    if isinstance(head, int):
        return f"{kind} {layer}.{head}"
    if head == NONE:
        return "nothing ablated"
    if head == ALL:
        return "all heads" if kind == ANY else f"{kind}, all heads"
    place = "" if kind == ANY else kind if layer is None else f"{kind} {layer}"
    return f"{place} {head}".strip()


def effects_figure(measured: HeadMeasurement) -> Figure | None:
    """Attention to the noun against right pronouns lost, two ways; None without such sentences."""
    whole = measured.baseline(NONE)
    ways = {
        "the head is ablated": "choice_ablated",
        "only its edge to the noun is masked": "choice_noun_masked",
    }
    attending = [row for row in measured.heads() if row["noun_of_it"] is not None]
    if not attending or whole["choice_ablated"] is None:
        return None

    def point(row: Row, column: str) -> HeadPoint:
        lost = whole["choice_ablated"] - row[column]
        return HeadPoint(row["kind"], f"{row['layer']}.{row['head']}", row["noun_of_it"], lost)

    panels = {title: [point(row, column) for row in attending] for title, column in ways.items()}
    names = (
        'attention to the noun that "it" stands for',
        "right er/sie/es lost, percentage points",
    )
    title = "attention of a head, and what is lost without it"
    return plot_head_effects(panels, axis_names=names, title=title)


def save(measured: HeadMeasurement, folder: Path) -> list[Path]:
    """Write heads.csv and effects.png into a folder, which is made if need be; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "heads.csv", measured.as_csv())
    figure = effects_figure(measured)
    drawn = [] if figure is None else [save_figure(figure, folder / "effects.png")]
    return [folder / "heads.csv", *drawn]
