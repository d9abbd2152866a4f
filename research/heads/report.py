"""Tables, a file and a figure of the measured heads."""

from pathlib import Path

from matplotlib.figure import Figure

from research.heads.ablation import KINDS
from research.heads.measurement import NONE, HeadMeasurement, Row
from tf_models.data.pairs import BY_MEANING, BY_PLACE
from tf_models.files import write_text
from tf_models.plotting.files import save_figure
from tf_models.plotting.style import (
    CAPTION_SIZE,
    COLORS,
    add_legend,
    name_axes,
    new_figure,
    style_axes,
    text_style,
)
from tf_models.translation.pronouns import pronoun_contrasts, pronoun_pairs
from tf_models.translation.translate import Translator

# Title of a table, and its columns with their headings and digits.
ATTENDED = (
    "attention of each head (shares from 0 to 1, entropy in nats)",
    {
        "entropy": ("entropy", 2),
        "diagonality": ("diagonal", 2),
        "start_and_end": ("start,end", 2),
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
MARKERS = dict(zip(KINDS, "osD", strict=True))  # told apart in grey print, too
NAMED = 0.35  # of the largest number on an axis: points beyond carry their names


def tables(measured: HeadMeasurement) -> list[str]:
    """Two tables as lines: a row for each head and for the baselines."""
    lines = [f"{measured.sentences} sentences"]
    for title, columns in (ATTENDED, ABLATED):
        rows = [row for row in measured.rows if any(row[name] is not None for name in columns)]
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
    if row["head"] == NONE:
        return "nothing ablated"
    if row["layer"] is None:
        return f"{row['kind']} {row['head']}"
    return f"{row['kind']} {row['layer']}.{row['head']}"


def pronoun_table(translator: Translator, corpus: str) -> list[str]:
    """Lines about the three heads of each kind that resolve "it" best on the validation pairs by
    meaning: their attention to the two nouns of the test pairs of both families.
    """
    chosen = pronoun_contrasts(translator, pronoun_pairs(corpus=corpus))
    lines = []
    for family in (BY_MEANING, BY_PLACE):
        pairs = pronoun_pairs("test", family, corpus)
        found = pronoun_contrasts(translator, pairs)
        nearest = next(iter(found.values())).nearest_is_right
        lines += [f"{family}, {len(pairs)} pairs; the nearest noun is right in {nearest:.0%}"]
        lines += [f"{'head':12}right noun  other noun  right > other  nearest > other"]
        for kind, contrast in found.items():
            difference = chosen[kind].right - chosen[kind].other
            for place in difference.argsort(axis=None)[:-4:-1]:
                layer, head = divmod(int(place), difference.shape[1])
                right, other, resolved, near = (numbers[layer, head] for numbers in contrast[:4])
                name = f"{kind} {layer + 1}.{head + 1}"
                lines += [
                    f"{name:12}{right:10.2f}{other:12.2f}{resolved:15.0%}{near:17.0%}"
                    f"  {contrast.verdict(layer, head)}"
                ]
        lines += [""]
    return lines[:-1]


def effects_figure(measured: HeadMeasurement) -> Figure | None:
    """Attention to the noun against pronouns lost without the head; None without such sentences.

    Heads that attend much and those that are missed much carry their names.
    """
    before = measured.whole["pronouns_ablated"]
    heads = [row for row in measured.heads() if row["noun_of_it"] is not None]
    if not heads or before is None:
        return None
    points = [(row, row["noun_of_it"], before - row["pronouns_ablated"]) for row in heads]
    most_attention = max(attention for _, attention, _ in points)
    most_lost = max(abs(lost) for _, _, lost in points)
    figure = new_figure(5.2, 3.7, "attention of a head, and what is lost without it")
    axes = figure.subplots()
    style_axes(axes, vertical_lines=True)
    drawn = []
    for (kind, marker), color in zip(MARKERS.items(), COLORS, strict=False):
        x = [attention for row, attention, _ in points if row["kind"] == kind]
        y = [lost for row, _, lost in points if row["kind"] == kind]
        style = {"linestyle": "", "markersize": 5.5, "alpha": 0.8}
        drawn += axes.plot(x, y, marker=marker, color=color, label=kind, **style)
    for row, attention, lost in points:
        if attention > NAMED * most_attention or abs(lost) > max(NAMED * most_lost, 1):
            where = {"xytext": (5, 4), "textcoords": "offset points"}
            name = f"{row['layer']}.{row['head']}"
            axes.annotate(name, (attention, lost), **where, **text_style(CAPTION_SIZE))
    axes.margins(x=0.12, y=0.12)
    name_axes(axes, 'attention to the noun that "it" stands for', "er, sie, es lost, points")
    add_legend(axes, drawn, loc="best")  # where it covers no point
    return figure


def save(measured: HeadMeasurement, folder: Path) -> list[Path]:
    """Write heads.csv and effects.png into a folder, which is made if need be; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "heads.csv", measured.as_csv())
    figure = effects_figure(measured)
    drawn = [] if figure is None else [save_figure(figure, folder / "effects.png")]
    return [folder / "heads.csv", *drawn]
