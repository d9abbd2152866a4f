"""Tables of the measured heads."""

from research.heads.measurement import NONE, HeadMeasurement, Row
from tf_models.data.pairs import BY_MEANING, BY_PLACE
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


def tables(measured: HeadMeasurement) -> list[str]:
    """Two tables as lines: a row for each head, and for the whole model."""
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
    """ "encoder 1.2" for the second head of the first layer, or that nothing is ablated."""
    if row["head"] == NONE:
        return "nothing ablated"
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
