"""Tables of the measured heads."""

from research.heads.measurement import NONE, HeadMeasurement, Row
from research.results import Results
from tf_models.data.annotated import BY_MEANING, BY_PLACE
from tf_models.translation.pronouns import pronoun_contrasts, pronoun_pairs
from tf_models.translation.translate import Translator

# Title of a table, and its columns with their headings.
ATTENDED = (
    "attention of each head (shares from 0 to 1, entropy in nats)",
    {
        "entropy": "entropy",
        "diagonality": "diagonal",
        "start_and_end": "start,end",
        "itself": "itself",
        "previous": "previous",
        "alignment_error_rate": "align.err",
        "noun_of_it": "it>noun",
        "subject_of_verb": "verb>subj",
        "noun_of_adjective": "adj>noun",
    },
)
ABLATED = (
    "translations without the head (off), and without all others of its block (percent, BLEU)",
    {
        "pronouns_ablated": "off: er/sie/es",
        "exact_match_ablated": "off: exact",
        "bleu_ablated": "off: BLEU",
        "pronouns_alone": "alone: er/sie/es",
        "exact_match_alone": "alone: exact",
        "bleu_alone": "alone: BLEU",
    },
)


def tables(measured: HeadMeasurement) -> list[str]:
    """Two tables as lines: a row for each head, and for the whole model."""
    lines = [f"{measured.sentences} sentences"]
    for title, columns in (ATTENDED, ABLATED):
        found = Results()
        for row in measured.rows:
            if any(row[name] is not None for name in columns):
                found.add(name_of(row), {text: row[name] for name, text in columns.items()})
        lines += ["", title, *found.table()]
    return lines


def name_of(row: Row) -> str:
    """ "encoder 1.2" for the second head of the first layer, or that nothing is ablated."""
    if row["head"] == NONE:
        return "nothing ablated"
    return f"{row['kind']} {row['layer']}.{row['head']}"


def pronoun_table(translator: Translator, corpus: str) -> list[str]:
    """Lines about the two heads of each kind that resolve "it" best on the validation pairs by
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
            for place in difference.argsort(axis=None)[:-3:-1]:
                layer, head = divmod(int(place), difference.shape[1])
                right, other, resolved, near = (numbers[layer, head] for numbers in contrast[:4])
                name = f"{kind} {layer + 1}.{head + 1}"
                lines += [
                    f"{name:12}{right:10.2f}{other:12.2f}{resolved:15.0%}{near:17.0%}"
                    f"  {contrast.verdict(layer, head)}"
                ]
        lines += [""]
    return lines[:-1]
