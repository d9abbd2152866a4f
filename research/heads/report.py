"""Tables of the measured heads."""

from collections.abc import Sequence

from research.heads.ablation import Head
from research.heads.measurement import NONE, HeadMeasurement, Row
from research.heads.pairs import (
    FAMILIES,
    OTHER_CORPUS,
    Effect,
    effect,
    further_pairs,
    other_pairs,
    translations,
    two_heads,
)
from research.heads.quality import with_max_length
from research.results import Results
from tf_models.data.annotated import BY_MEANING, BY_PLACE, AnnotatedPair
from tf_models.errors import InputError
from tf_models.translation.pronouns import pronoun_contrasts, pronoun_pairs, readable_pairs
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
    if not chosen:
        raise InputError("the model can read no sentence with “it”: they are too long or unknown")
    lines = []
    for family in (BY_MEANING, BY_PLACE):
        pairs = pronoun_pairs("test", family, corpus)
        found = pronoun_contrasts(translator, pairs)
        nearest = next(iter(found.values())).nearest_is_right
        lines += [f"{family}, {len(pairs)} pairs; the nearest noun is right in {nearest:.0%}"]
        lines += [
            f"{'head':12}right noun  other noun  adjective  “it”  right > other  nearest > other"
        ]
        for kind, contrast in found.items():
            heads = chosen[kind].ranking[:2]
            if kind == "encoder":
                heads += chosen[kind].ranking_by_adjective[:2]
            for layer, head in heads:
                right, other, resolved, near = (numbers[layer, head] for numbers in contrast[:4])
                name = f"{kind} {layer + 1}.{head + 1}"
                adjective = contrast.adjective[layer, head]
                on_it = f"{'':6}" if contrast.it is None else f"{contrast.it[layer, head]:6.2f}"
                lines += [
                    f"{name:12}{right:10.2f}{other:12.2f}{adjective:11.2f}{on_it}"
                    f"{resolved:15.0%}{near:17.0%}  {contrast.verdict(layer, head)}"
                ]
        lines += [""]
    return lines[:-1]


def pair_table(translator: Translator, corpus: str) -> list[str]:
    """Lines about translations without the two heads of `two_heads`, alone and together."""
    contrast = pronoun_contrasts(translator, pronoun_pairs(corpus=corpus))["encoder"]
    first, second = two_heads(contrast.ranking)
    tests = [pair for family in FAMILIES for pair in pronoun_pairs("test", family, corpus)]
    tests = readable_pairs(translator, tests)
    rows = _effects(translator, tests, [(), (first,), (second,), (first, second)])
    others = other_pairs(first, second, translator.model.network.encoder.num_heads)
    if others:
        controls = _effects(translator, tests, others)
        worst = max(controls.values(), key=lambda found: found.pronouns)
        rows[f"worst of {len(others)} other pairs"] = worst
    one, other = two_heads(contrast.ranking_by_adjective)
    rows |= _effects(translator, tests, [(one,), (other,), (one, other)])
    lines = _effect_lines(f"{len(tests)} test pairs of {corpus}", rows)
    further = further_pairs(translator, corpus)
    if further:
        rows = _effects(translator, further, [(), (first, second)])
        title = f"{len(further)} further pairs, of {OTHER_CORPUS[corpus]}"
        lines += ["", *_effect_lines(title, rows)]
    return lines


def _effects(
    translator: Translator, pairs: Sequence[AnnotatedPair], ablated: Sequence[tuple[Head, ...]]
) -> dict[str, Effect]:
    """Effects by the names of the ablated heads."""
    brief = with_max_length(translator, pairs)
    whole = translations(brief, pairs)
    return {
        " + ".join(map(str, heads)) or "no head": effect(
            pairs, whole, translations(brief, pairs, heads)
        )
        for heads in ablated
    }


def _effect_lines(title: str, effects: dict[str, Effect]) -> list[str]:
    lines = [title, f"{'without':27}right  place  meaning  other pronoun  same rest  pronoun first"]
    for name, found in effects.items():
        shares = f"{found.right:5.0%}{found.by_place:7.0%}{found.by_meaning:9.0%}"
        counts = f"{found.pronouns:15}{found.same_rest:11}{found.pronoun_first:15}"
        lines += [f"{name:27}{shares}{counts}"]
    return lines
