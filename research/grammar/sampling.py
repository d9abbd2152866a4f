"""Random sentences of the whole grammar, weighted by construction."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from research.grammar.complex_sentences import draw_relative, draw_subordinate
from research.grammar.descriptions import (
    draw_admiration,
    draw_companion,
    draw_comparison,
    draw_nominal_predicate,
    draw_possession,
    draw_predicate,
)
from research.grammar.even_random import EvenRandom
from research.grammar.everyday import (
    draw_command,
    draw_existence,
    draw_language,
    draw_nobody,
    draw_numbers,
    draw_opinion,
    draw_pairs,
    draw_passive,
    draw_plan,
    draw_whereabouts,
    draw_wish,
)
from research.grammar.joined_deeds import draw_aim, draw_meanwhile, draw_two_deeds
from research.grammar.pronoun_families import Reference, draw_by_meaning, draw_by_place
from research.grammar.questions import draw_wh_question, draw_yes_no
from research.grammar.statements import (
    draw_framed,
    draw_inversion,
    draw_lying,
    draw_modal,
    draw_negation,
    draw_perfect,
    draw_separable,
)
from research.grammar.syntax import Phrase, Sentence, Statement
from research.grammar.tables import weights
from research.grammar.templates import fill, templates
from research.grammar.terms import draw_term
from tf_models.data.embedded.annotated_pairs import BY_MEANING, BY_PLACE

ALL_ONE_NEEDS = "{y} [1 is] [2 all] {x} [3 {x:need|need|needs|need}]."


def draw_sentence(
    rng: EvenRandom, constructions: Mapping[str, float] | None = None
) -> tuple[Sentence, str, Reference | None]:
    """A sentence, its construction and, for the pronoun families, what 'it' refers to.

    Args:
        constructions: how often each one is drawn, by its name; if left out, as often as
            `odds.toml` says.
    """
    name = rng.weighted(constructions or weights("constructions"))
    if name in FAMILIES:
        tree, reference = FAMILIES[name](rng)
        return tree, name, reference
    return CONSTRUCTIONS[name](rng), name, None


def draw_conventional(rng: EvenRandom) -> Phrase:
    """What is said in this way: a greeting, a price, the time of day."""
    return fill(rng.word(templates()), rng)


def draw_today(rng: EvenRandom) -> Phrase:
    """What `everyday` alone says: numbers in words, times after noon, telephones and the net."""
    return fill(rng.word(templates("today")), rng)


def _framed(frame: str) -> Callable[[EvenRandom], Statement]:
    return lambda rng: draw_framed(rng, frame)


def draw_all_one_needs(rng: EvenRandom) -> Phrase:
    """'Time is all we need.': the sentence of a paper's title, which few would say by chance."""
    return fill(next(one for one in templates() if one.english == ALL_ONE_NEEDS), rng)


FAMILIES = {BY_PLACE: draw_by_place, BY_MEANING: draw_by_meaning}
CONSTRUCTIONS: dict[str, Callable[[EvenRandom], Sentence]] = {
    "transitive": _framed("transitive"),
    "intransitive": _framed("intransitive"),
    "reflexive": _framed("reflexive"),
    "dative": _framed("dative"),
    "ditransitive": _framed("ditransitive"),
    "prepositional": _framed("prepositional"),
    "reflexive_prepositional": _framed("reflexive_prepositional"),
    "place": _framed("position"),
    "lying": draw_lying,
    "direction": _framed("motion"),
    "travel": _framed("travel"),
    "placement": _framed("placement"),
    "standing": _framed("upright"),
    "hiding": _framed("placement_at"),
    "companion": draw_companion,
    "modal": draw_modal,
    "separable": draw_separable,
    "perfect": draw_perfect,
    "negation": draw_negation,
    "inversion": draw_inversion,
    "predicate": draw_predicate,
    "nominal_predicate": draw_nominal_predicate,
    "admiration": draw_admiration,
    "comparison": draw_comparison,
    "possession": draw_possession,
    "subordinate": draw_subordinate,
    "relative": draw_relative,
    "yes_no": draw_yes_no,
    "wh_question": draw_wh_question,
    "wish": draw_wish,
    "plan": draw_plan,
    "command": draw_command,
    "whereabouts": draw_whereabouts,
    "existence": draw_existence,
    "nobody": draw_nobody,
    "numbers": draw_numbers,
    "language": draw_language,
    "opinion": draw_opinion,
    "aim": draw_aim,
    "two_deeds": draw_two_deeds,
    "meanwhile": draw_meanwhile,
    "passive": draw_passive,
    "pairs": draw_pairs,
    "term": draw_term,
    "conventional": draw_conventional,
    "today": draw_today,
    "all one needs": draw_all_one_needs,
}
